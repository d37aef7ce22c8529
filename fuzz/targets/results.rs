//! A results document: what can be read comes back as it was read.
#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use tlstax_doc::parse_results;

fuzz_target!(|text: &str| {
    let path = Path::new("results.json");
    let results = match parse_results(text, path) {
        Ok(results) => results,
        Err(error) => return assert!(error.to_string().contains("results.json"), "{error}"),
    };
    let again = serde_json::to_string(&results).expect("results have string keys");
    assert_eq!(parse_results(&again, path).expect("what was written can be read"), results);
});
