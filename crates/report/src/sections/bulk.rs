//! What a gigabyte costs each side.

use tlstax_doc::Metric;
use tlstax_spec::{Bulk, Direction, Side};
use tlstax_stats::Estimate;

use super::notes;
use crate::facts::{Facts, Item};
use crate::label::{BULK, Labels, cipher};
use crate::number;
use crate::phrase;
use crate::view::{Block, Cell, Chart, Column, Quantity, Role, Row, Section, Series, Table};

type Found<'a> = Item<'a, Bulk>;

pub(crate) fn section(facts: &Facts<'_>) -> Option<Section> {
    let items = facts.bulks();
    if items.is_empty() {
        return None;
    }
    let libraries = facts.libraries(&items);
    let labels = Labels::of(BULK, &items);
    let mut blocks: Vec<Block> =
        libraries.iter().map(|library| Block::Table(of_library(facts, &items, &labels, library))).collect();
    blocks.push(Block::Chart(chart(facts, &items, &labels, &libraries)));
    blocks.extend(notes(items.iter().map(|item| item.measurement)));
    Some(Section {
        id: "bulk".to_owned(),
        title: "Bulk data".to_owned(),
        intro: "CPU seconds for a decimal gigabyte of application data, in memory over an established connection, \
                each side on its own; MB/s is what one core would do. Overhead is what TLS adds on the wire."
            .to_owned(),
        blocks,
        sentences: sentences(facts, &items, &libraries),
    })
}

fn of_library(facts: &Facts<'_>, items: &[Found<'_>], labels: &Labels<Bulk>, library: &str) -> Table {
    let mut columns = labels.columns();
    columns.extend([
        Column::quantity("sender", "s/GB"),
        Column::quantity("receiver", "s/GB"),
        Column::plain("sender", "MB/s"),
        Column::plain("receiver", "MB/s"),
        Column::plain("overhead", "%"),
    ]);
    let row = |item: &Found<'_>| {
        let mut cells = labels.cells(item);
        let (sends, receives) = ends(item.work);
        cells.extend([per_gigabyte(facts, item, sends), per_gigabyte(facts, item, receives)]);
        for metric in [sends, receives] {
            let rate = per_byte(facts, item, metric).ok().map(|cost| Quantity::rate(1e3, &cost, "MB/s"));
            cells.push(Cell::maybe(rate));
        }
        cells.push(Cell::maybe(overhead(item)));
        cells
    };
    let own = items.iter().filter(|item| item.library() == library);
    let mut rows: Vec<Row> = own.map(|item| Row::plain(row(item))).collect();
    rows.extend(controls(items).iter().map(|control| {
        let mut cells = row(control);
        cells[0] = Cell::text("no crypto (control)");
        Row { role: Role::Control, cells }
    }));
    Table { caption: labels.caption(&format!("{library}: application data")), columns, rows }
}

/// The control rows: one per layout of the data, because nothing else makes a difference without crypto.
fn controls<'a>(items: &[Found<'a>]) -> Vec<Found<'a>> {
    let layout = |item: &Found<'_>| Bulk { params: items[0].work.params, ..*item.work };
    let mut found: Vec<Found<'_>> = Vec::new();
    for item in items.iter().filter(|item| item.is_control()) {
        if !found.iter().any(|known| layout(known) == layout(item)) {
            found.push(*item);
        }
    }
    found
}

/// The metrics of the sender and of the receiver.
fn ends(bulk: &Bulk) -> (Metric, Metric) {
    match bulk.direction {
        Direction::Download => (Metric::Server, Metric::Client),
        Direction::Upload => (Metric::Client, Metric::Server),
    }
}

/// Nanoseconds per byte of payload, which is the same as seconds per gigabyte.
fn per_byte(facts: &Facts<'_>, item: &Found<'_>, metric: Metric) -> Result<Estimate, String> {
    let buffer = f64::from(item.work.buffer);
    facts.cost(item.index, metric).map(|cost| Estimate {
        value: cost.value / buffer,
        low: cost.low / buffer,
        high: cost.high / buffer,
        ..cost
    })
}

fn per_gigabyte(facts: &Facts<'_>, item: &Found<'_>, metric: Metric) -> Cell {
    Cell::of(per_byte(facts, item, metric).map(|cost| Quantity::scaled(&cost, 1.0, "s/GB")))
}

/// What the sender put on the wire beyond the payload, in percent of it.
fn overhead(item: &Found<'_>) -> Option<Quantity> {
    let proof = item.measurement.proof()?;
    let sender = if item.work.direction == Direction::Download { Side::Server } else { Side::Client };
    let wire = if sender == Side::Server { proof.server_bytes } else { proof.client_bytes };
    let share = wire as f64 / f64::from(item.work.buffer) - 1.0;
    (wire > 0).then(|| Quantity::exact(share * 100.0, "%"))
}

fn chart(facts: &Facts<'_>, items: &[Found<'_>], labels: &Labels<Bulk>, libraries: &[&str]) -> Chart {
    let mut works: Vec<Found<'_>> = Vec::new();
    for item in items.iter().filter(|item| !item.is_control()) {
        if !works.iter().any(|known| known.work == item.work && known.case.threads == item.case.threads) {
            works.push(*item);
        }
    }
    let point = |library: &str, like: &Found<'_>, sends: bool| {
        let is_it = |item: &&Found<'_>| {
            item.library() == library && item.work == like.work && item.case.threads == like.case.threads
        };
        let (sender, receiver) = ends(like.work);
        let metric = if sends { sender } else { receiver };
        items.iter().find(is_it).map_or(Cell::Empty, |item| per_gigabyte(facts, item, metric))
    };
    let series = libraries.iter().flat_map(|library| {
        [("sends", true), ("receives", false)].map(|(end, sends)| Series {
            name: format!("{library} {end}"),
            points: works.iter().map(|like| point(library, like, sends)).collect(),
        })
    });
    Chart {
        title: "CPU seconds for a gigabyte".to_owned(),
        unit: "s/GB",
        log: true,
        labels: works.iter().map(|item| labels.line(item)).collect(),
        series: series.collect(),
    }
}

fn sentences(facts: &Facts<'_>, items: &[Found<'_>], libraries: &[&str]) -> Vec<String> {
    let firsts: Vec<Found<'_>> = libraries
        .iter()
        .filter_map(|library| {
            items
                .iter()
                .find(|item| item.library() == *library && facts.cost(item.index, Metric::Server).is_ok())
        })
        .copied()
        .collect();
    let mut said: Vec<String> = firsts.iter().filter_map(|item| gigabyte(facts, item)).collect();
    said.extend(firsts.iter().filter_map(|item| smaller_records(facts, items, item)));
    if let [a, b, ..] = firsts.as_slice()
        && a.work == b.work
    {
        let (sends, _) = ends(a.work);
        let what = format!("sending with {}", cipher(a.work.params.suite));
        said.extend(
            facts
                .ratio(a.index, b.index, sends)
                .and_then(|ratio| phrase::libraries(&ratio, &what, a.library(), b.library(), "costs")),
        );
    }
    said
}

/// What a gigabyte costs both sides.
fn gigabyte(facts: &Facts<'_>, item: &Found<'_>) -> Option<String> {
    let (sends, receives) = ends(item.work);
    let said = |metric| {
        let cost = per_byte(facts, item, metric).ok()?;
        Some(number::supported(cost.value, cost.low, cost.high))
    };
    Some(format!(
        "On this machine, with {} and {}, a gigabyte costs the sender {} s and the receiver {} s of CPU.",
        item.library(),
        cipher(item.work.params.suite),
        said(sends)?,
        said(receives)?
    ))
}

/// The smallest records beside those of the first row, all else equal.
fn smaller_records(facts: &Facts<'_>, items: &[Found<'_>], item: &Found<'_>) -> Option<String> {
    let alike = |other: &&Found<'_>| {
        other.library() == item.library() && Bulk { record: item.work.record, ..*other.work } == *item.work
    };
    let smallest = items.iter().filter(alike).min_by_key(|other| other.work.record)?;
    let largest = items.iter().filter(alike).max_by_key(|other| other.work.record)?;
    let (sends, _) = ends(item.work);
    let ratio = facts.ratio(smallest.index, largest.index, sends)?;
    let records =
        |item: &Found<'_>| format!("sending in records of {}", number::bytes(item.work.record.into()));
    let said = phrase::dearer(&ratio, &records(smallest), &records(largest), "costs")?;
    Some(format!("With {}, {said}.", item.library()))
}
