//! A study: it is refused with its place, or becomes cases that can exist, each once and not too many.
#![no_main]

use std::collections::HashSet;

use libfuzzer_sys::fuzz_target;
use tlstax_run::Study;
use tlstax_spec::{Id, Params};

fuzz_target!(|text: &str| {
    let study = match Study::parse(text, "some-study.toml", tlstax_run::Extent::Full) {
        Ok(study) => study,
        Err(error) => return assert!(error.to_string().contains("some-study.toml"), "{error}"),
    };
    let libraries = [Id::literal("openssl"), Id::literal("rustls")];
    let control = Id::literal("control");
    let Ok(cases) = study.cases(&tlstax_run::Cast {
        libraries: &libraries,
        servers: &[],
        control_row: Some(&control),
        is_peer: &|id| id == "nginx",
        usable: &|client| client == "openssl",
    }) else {
        return;
    };
    let ids: HashSet<String> = cases.iter().map(|case| case.id()).collect();
    assert_eq!(ids.len(), cases.len(), "two cases have one id");
    let params = || cases.iter().filter_map(|case| case.workload.params());
    assert!(params().all(|params| Params::is_coherent(&params)));
});
