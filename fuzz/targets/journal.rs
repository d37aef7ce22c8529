//! The journal of a run that did not end: any line may be cut off, or from another run.
#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use tlstax_doc::{Summaries, parse_journal};

fuzz_target!(|text: &str| match parse_journal(text, Path::new("run.journal")) {
    Ok(unfinished) => drop(Summaries::of(&unfinished.results)),
    Err(error) => assert!(error.to_string().contains("run.journal"), "{error}"),
});
