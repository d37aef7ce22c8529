//! What a handshake costs each side, full and resumed, and what an idle connection takes.

mod base;
mod idle;
mod sentences;
mod table;

use tlstax_doc::Metric;
use tlstax_spec::Handshake;

use self::base::Found;
use crate::ask::{Facts, works};
use crate::grid::{Cross, Measure, too_many};
use crate::label::{HANDSHAKE, Labels};
use crate::model::{Block, Section, Table};
use crate::notes::notes;

pub(crate) fn section(facts: &Facts<'_>) -> Option<Section> {
    let (mut items, idles) = (facts.handshakes(), facts.idles());
    items.retain(|item| item.case.threads == 1);
    if items.is_empty() && idles.is_empty() {
        return None;
    }
    let libraries = facts.libraries(&items);
    let labels = Labels::of(HANDSHAKE, &items);
    let beside = |metric: Metric| beside(facts, &items, &libraries, &labels, metric);
    let mut tables: Vec<Table> = Vec::new();
    if too_many(&libraries) {
        let side = |metric: Metric| beside(metric).by_library(format!("The {}, side by side", metric.name()));
        tables.extend([Metric::Server, Metric::Client].into_iter().filter_map(side));
    }
    tables.extend(libraries.iter().filter_map(|library| table::table(facts, &items, &labels, library)));
    tables.extend(idle::table(&idles));
    let chart = beside(Metric::Server).chart("CPU time of the server for one handshake", true);
    let mut blocks: Vec<Block> =
        tables.into_iter().map(Block::Table).chain(chart.map(Block::Chart)).collect();
    blocks.extend(notes(
        items.iter().map(|item| item.measurement).chain(idles.iter().map(|item| item.measurement)),
    ));
    Some(Section {
        id: "handshakes".to_owned(),
        title: "Handshakes".to_owned(),
        intro: format!(
            "CPU microseconds of each side in memory, without a network: {}. Of base, of full: the server's cost beside \
             the base's, and beside the same handshake in full. Trips: round trips before the client may send its \
             request. Control: the same flights without any crypto.",
            labels.unsaid()
        ),
        blocks,
        sentences: sentences::sentences(facts, &items, &libraries),
    })
}

/// The libraries beside each other, by what one side needs for each handshake.
fn beside<'f, 'a>(
    facts: &'f Facts<'a>,
    items: &[Found<'a>],
    libraries: &[&str],
    labels: &Labels<Handshake>,
    metric: Metric,
) -> Cross<'f, Found<'a>> {
    let find = |library: &str, like: &Found<'_>| like.by(library, items);
    let cost = move |item: &Found<'_>| facts.micros(item.index, metric);
    Cross::new("handshake", labels.rows(&works(items)), libraries, find)
        .measure(Measure::quantity("{}", "µs", cost))
}
