//! Published figures beside a measured run.
#![no_main]

use std::path::Path;
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use tlstax_doc::{Results, parse_results};
use tlstax_report::{FORMATS, Published, Style, View};

static RESULTS: LazyLock<Results> = LazyLock::new(|| {
    let text = include_str!("../seeds/report/primitive.json");
    parse_results(text, Path::new("primitive.json")).expect("the seed is a document")
});

fuzz_target!(|text: &str| {
    let mut published = Published::default();
    published.read("own.csv", text, &|name| name.parse().ok());
    let view = View::with_published(&RESULTS, &published);
    for format in FORMATS {
        format.draw(&view, &Style::default());
    }
});
