//! Whatever a document, a worker or a name of a file says, what is shown of it has no control characters.
#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use tlstax_doc::parse_results;
use tlstax_report::{FORMATS, Printable, Style, View, compare};

/// What stresses lines where there are colours: ours, and all that may be left.
const COLOURS: [&str; 6] = ["\x1b[0m", "\x1b[1m", "\x1b[2m", "\x1b[31m", "\x1b[32m", "\x1b[33m"];

fuzz_target!(|text: &str| {
    is_harmless(&Printable::block(text), true);
    is_harmless(&Printable::line(text), false);
    assert!(Printable::block(text).in_ascii().is_ascii());
    let Ok(results) = parse_results(text, Path::new("results.json")) else { return };
    let views = [View::of(&results), compare(&results, &results, &Default::default()).view()];
    for (view, format) in views.iter().flat_map(|view| FORMATS.iter().map(move |format| (view, format))) {
        let shown = format.draw(view, &Style { width: 60, unicode: false, colour: true }).to_string();
        let plain = COLOURS.iter().fold(shown, |shown, colour| shown.replace(colour, ""));
        is_harmless(&plain, true);
    }
});

fn is_harmless(shown: &str, of_several_lines: bool) {
    let acts = |letter: char| match letter {
        '\n' => !of_several_lines,
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{2028}' | '\u{2029}' => true,
        letter => letter.is_control(),
    };
    assert_eq!(shown.chars().find(|letter| acts(*letter)), None, "{shown:?}");
}
