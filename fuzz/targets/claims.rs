//! A claims file: it is refused with its place, or becomes claims whose cases can exist, and which results can be held against.
#![no_main]

use std::path::Path;
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use tlstax_claims::{Book, Verdict, answer, needed};
use tlstax_doc::{Results, parse_results};
use tlstax_spec::Params;

static RESULTS: LazyLock<Results> = LazyLock::new(|| {
    let text = include_str!("../seeds/report/primitive.json");
    parse_results(text, Path::new("primitive.json")).expect("the seed is a document")
});

fuzz_target!(|text: &str| {
    let book = match Book::read(text, "some-claims.toml") {
        Ok(book) => book,
        Err(error) => {
            assert!(error.line >= 1 && error.line <= text.lines().count() + 1, "{error}");
            return assert!(error.to_string().starts_with("some-claims.toml, line "), "{error}");
        }
    };
    let needs = needed(&book, &[], &[], false, &|_| true).expect("nothing is asked for by name");
    let params = needs.iter().filter_map(|need| need.case.workload.params());
    assert!(params.into_iter().all(|params| Params::is_coherent(&params)));
    let answers = answer(&book, &[], &[&RESULTS]).expect("nothing is asked for by name");
    assert_eq!(answers.len(), book.claims.len(), "one machine, one answer each");
    for answer in answers {
        let is_open = !matches!(answer.verdict, Verdict::Holds | Verdict::Compared);
        assert_eq!(answer.why.is_some(), is_open, "{answer:?}");
    }
});
