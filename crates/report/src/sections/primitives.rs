//! Ciphers and hashes: algorithms down, message sizes across.

mod operations;
mod ratios;
mod sentences;
mod table;

use tlstax_spec::{Pattern, Primitive};

pub(crate) use self::operations::throughput;
use self::operations::{Found, measured, title};
pub(crate) use self::ratios::PAIRS;

use crate::ask::{Facts, find, libraries};
use crate::grid::{Cross, Measure, too_many};
use crate::model::Section;
use crate::notes::notes;
use crate::number;

const INTRO: &str = "Decimal MB per CPU second of one thread, by message size; ± is the row's widest interval; a call, a byte: \
                     fitted costs. Calls are TLS's own: a new nonce and 13 bytes of additional data.";

pub(crate) fn section(facts: &Facts<'_>) -> Option<Section> {
    let mut items = facts.primitives();
    items.retain(|item| {
        item.work.algorithm.class().is_sized() && item.case.threads == 1 && !item.is_control()
    });
    let largest = items.iter().map(|item| item.work.size).max()?;
    let libraries = libraries(&items);
    let beside = beside(&items, &libraries, largest);
    let messages = format!("essages of {}", number::bytes(largest.into()));
    let mut intro = INTRO.to_owned();
    if items.iter().any(|item| item.work.pattern == Pattern::Speed) {
        intro += " (speed) marks the calls of openssl speed.";
    }
    let side_by_side = || beside.by_library(format!("Side by side: m{messages}"));
    let section = Section::new("primitives", "Ciphers and hashes", intro)
        .with(too_many(&libraries).then(side_by_side).flatten())
        .with(libraries.iter().filter_map(|library| table::table(&items, library, libraries[0])))
        .with(beside.chart(format!("M{messages}"), true))
        .with(notes(items.iter().map(|item| item.measurement)));
    let answers = sentences::answers(&items, &libraries, largest);
    Some(section.saying(sentences::sentences(&items, &libraries, largest)).answering(answers))
}

/// The libraries beside each other, as TLS calls them, at one size.
fn beside<'a>(items: &[Found<'a>], libraries: &[&str], size: u32) -> Cross<'a, Found<'a>> {
    let works = measured(items).into_iter().filter(|work| work.pattern == Pattern::Tls);
    let works = works.map(|work| ([title(&work)], Primitive { size, ..work }));
    Cross::new("algorithm", works, libraries, |library, work| find(items, library, work))
        .measure(Measure::quantity("{}", "MB/s", throughput))
}
