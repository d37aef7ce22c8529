//! Ciphers and hashes: algorithms down, message sizes across.

mod rows;
mod sentences;
mod table;

use tlstax_spec::{Pattern, Primitive};

use self::rows::{Found, measured, throughput, title};
use crate::ask::{Facts, find};
use crate::grid::{Cross, Measure, too_many};
use crate::model::{Block, Section, Table};
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
    let libraries = facts.libraries(&items);
    let beside = beside(facts, &items, &libraries, largest);
    let messages = format!("essages of {}", number::bytes(largest.into()));
    let mut tables: Vec<Table> = Vec::new();
    if too_many(&libraries) {
        tables.extend(beside.by_library(format!("Side by side: m{messages}")));
    }
    tables.extend(libraries.iter().filter_map(|library| table::table(facts, &items, library, libraries[0])));
    let mut blocks: Vec<Block> = tables.into_iter().map(Block::Table).collect();
    blocks.extend(beside.chart(format!("M{messages}"), true).map(Block::Chart));
    blocks.extend(notes(items.iter().map(|item| item.measurement)));
    let mut intro = INTRO.to_owned();
    if items.iter().any(|item| item.work.pattern == Pattern::Speed) {
        intro += " (speed) marks the calls of openssl speed.";
    }
    Some(Section {
        id: "primitives".to_owned(),
        title: "Ciphers and hashes".to_owned(),
        intro,
        blocks,
        sentences: sentences::sentences(facts, &items, &libraries, largest),
    })
}

/// The libraries beside each other, as TLS calls them, at one size.
fn beside<'f, 'a>(
    facts: &'f Facts<'a>,
    items: &[Found<'a>],
    libraries: &[&str],
    size: u32,
) -> Cross<'f, Found<'a>> {
    let works = measured(items).into_iter().filter(|work| work.pattern == Pattern::Tls);
    let works = works.map(|work| ([title(&work)], Primitive { size, ..work }));
    let throughput = |item: &Found<'_>| throughput(facts, item);
    Cross::new("algorithm", works, libraries, |library, work| find(items, library, work))
        .measure(Measure::quantity("{}", "MB/s", throughput))
}
