//! Any document that can be read can be drawn in every format, and compared with itself.
#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use tlstax_doc::parse_results;
use tlstax_report::{FORMATS, Style, View, compare};

fuzz_target!(|text: &str| {
    let Ok(results) = parse_results(text, Path::new("results.json")) else { return };
    let views = [View::of(&results), compare(&results, &results, &Default::default()).view()];
    for (view, format) in views.iter().flat_map(|view| FORMATS.iter().map(move |format| (view, format))) {
        format.draw(view, &Style::default());
    }
});
