//! What a gigabyte costs each side.

mod turned;

use tlstax_doc::Metric;
use tlstax_spec::{Bulk, Direction, Side};
use tlstax_stats::Estimate;

use super::side_by_side::too_many;
use crate::ask::{Facts, Item};
use crate::label::{BULK, Labels, cipher};
use crate::model::{Block, Cell, Chart, Column, Quantity, Role, Row, Section, Series, Table};
use crate::notes::notes;
use crate::number;
use crate::phrase::{self, LISTED};

type Found<'a> = Item<'a, Bulk>;

pub(crate) fn section(facts: &Facts<'_>) -> Option<Section> {
    let items = facts.bulks();
    if items.is_empty() {
        return None;
    }
    let libraries = facts.libraries(&items);
    let labels = Labels::of(BULK, &items);
    let table = match too_many(&libraries) {
        true => turned::table(facts, &items, &labels, &libraries),
        false => Some(table(facts, &items, &labels, &libraries)),
    };
    let mut blocks: Vec<Block> = table.into_iter().map(Block::Table).collect();
    blocks.push(Block::Chart(chart(facts, &items, &labels, &libraries)));
    blocks.extend(notes(items.iter().map(|item| item.measurement)));
    Some(Section {
        id: "bulk".to_owned(),
        title: "Bulk data".to_owned(),
        intro: "CPU seconds for a decimal gigabyte of application data, in memory over an established connection, \
                each side on its own. 0.5 s/GB are 2 GB/s of one core. Overhead is what TLS adds on the wire."
            .to_owned(),
        blocks,
        sentences: sentences(facts, &items, &libraries),
    })
}

fn table(facts: &Facts<'_>, items: &[Found<'_>], labels: &Labels<Bulk>, libraries: &[&str]) -> Table {
    let mut columns = vec![Column::label("data")];
    columns.extend(libraries.iter().flat_map(|library| {
        ["sends", "receives"].map(|end| Column::quantity(format!("{library} {end}"), "s/GB"))
    }));
    columns.push(Column::plain("overhead", "%"));
    let row = |name: String, found: &[Option<Found<'_>>]| {
        let mut cells = vec![Cell::text(name)];
        cells.extend(found.iter().flat_map(|item| match item {
            Some(item) => {
                let (sends, receives) = ends(item.work);
                [sends, receives].map(|metric| per_gigabyte(facts, item, metric))
            }
            None => [Cell::Empty, Cell::Empty],
        }));
        cells.push(Cell::maybe(found.iter().flatten().find_map(overhead)));
        cells
    };
    let works = works(items);
    let mut rows: Vec<Row> = works
        .iter()
        .map(|like| {
            let found: Vec<_> = libraries.iter().map(|library| find(items, library, like)).collect();
            Row::plain(row(labels.name(like), &found))
        })
        .collect();
    rows.extend(largest_control(facts, items).map(|control| {
        let cells = row("control, the largest".to_owned(), &vec![Some(control); libraries.len()]);
        Row { role: Role::Control, cells }
    }));
    Table { caption: labels.caption("Application data"), columns, rows }
}

/// Every transfer that a library made, once.
fn works<'a>(items: &[Found<'a>]) -> Vec<Found<'a>> {
    let mut works: Vec<Found<'_>> = Vec::new();
    for item in items.iter().filter(|item| !item.is_control()) {
        if !works.iter().any(|known| known.work == item.work && known.case.threads == item.case.threads) {
            works.push(*item);
        }
    }
    works
}

fn find<'a>(items: &[Found<'a>], library: &str, like: &Found<'_>) -> Option<Found<'a>> {
    let is_it = |item: &&Found<'_>| {
        item.library() == library && item.work == like.work && item.case.threads == like.case.threads
    };
    items.iter().find(is_it).copied()
}

/// The dearest of the transfers without crypto.
fn largest_control<'a>(facts: &Facts<'_>, items: &[Found<'a>]) -> Option<Found<'a>> {
    let cost = |item: &Found<'_>| {
        let of = |metric| facts.cost(item.index, metric).map_or(0.0, |cost| cost.value);
        (of(Metric::Client) + of(Metric::Server)) / f64::from(item.work.buffer)
    };
    items.iter().filter(|item| item.is_control()).copied().max_by(|a, b| cost(a).total_cmp(&cost(b)))
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
    let works = works(items);
    let point = |library: &str, like: &Found<'_>, sends: bool| {
        let (sender, receiver) = ends(like.work);
        let metric = if sends { sender } else { receiver };
        find(items, library, like).map_or(Cell::Empty, |item| per_gigabyte(facts, &item, metric))
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
        labels: works.iter().map(|item| labels.name(item)).collect(),
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
    let mut said: Vec<String> = gigabyte(facts, &firsts).into_iter().collect();
    said.extend(smaller_records(facts, items, &firsts, libraries));
    said.extend(libraries_differ(facts, items, &firsts));
    said
}

/// The two libraries that are furthest apart in sending what the first of all sent.
fn libraries_differ(facts: &Facts<'_>, items: &[Found<'_>], firsts: &[Found<'_>]) -> Option<String> {
    let like = firsts.first()?;
    let (sends, _) = ends(like.work);
    let libraries: Vec<&str> = firsts.iter().map(Item::library).collect();
    let index = |library: &str| Some(find(items, library, like)?.index);
    let (a, b, ratio) = facts.furthest(&libraries, sends, index)?;
    phrase::libraries(&ratio, &format!("sending with {}", cipher(like.work.params.suite)), a, b, "costs")
}

/// What a gigabyte costs both sides, with every library that sent the same data as the first; of many, the cheapest and
/// the dearest sender.
fn gigabyte(facts: &Facts<'_>, firsts: &[Found<'_>]) -> Option<String> {
    let first = firsts.first()?;
    let (sends, receives) = ends(first.work);
    let alike = firsts.iter().filter(|item| item.work == first.work);
    let told = |cost: &Estimate| number::supported(cost.value, cost.low, cost.high);
    let mut costs: Vec<(Estimate, Estimate, &str)> = alike
        .filter_map(|item| {
            let [sent, received] = [sends, receives].map(|metric| per_byte(facts, item, metric).ok());
            Some((sent?, received?, item.library()))
        })
        .collect();
    let mut joint = ", ";
    if costs.len() > LISTED {
        costs.sort_by(|a, b| a.0.value.total_cmp(&b.0.value));
        costs = [costs.remove(0), costs.remove(costs.len() - 1)].into();
        joint = " up to ";
    }
    let said = costs.iter().enumerate().map(|(place, (sent, received, library))| {
        let (sent, received) = (told(sent), told(received));
        match place {
            0 => format!("the sender {sent} s and the receiver {received} s of CPU ({library})"),
            _ => format!("{sent} s and {received} s ({library})"),
        }
    });
    let said = said.collect::<Vec<_>>().join(joint);
    let cipher = cipher(first.work.params.suite);
    (!said.is_empty()).then(|| format!("On this machine a gigabyte with {cipher} costs {said}."))
}

/// The smallest records beside the largest, all else as in the first row of each library.
fn smaller_records(
    facts: &Facts<'_>,
    items: &[Found<'_>],
    firsts: &[Found<'_>],
    libraries: &[&str],
) -> Option<String> {
    let extremes = |library: &str| {
        let first = firsts.iter().find(|item| item.library() == library)?;
        let alike = |other: &&Found<'_>| {
            other.library() == library && Bulk { record: first.work.record, ..*other.work } == *first.work
        };
        let smallest = items.iter().filter(alike).min_by_key(|other| other.work.record)?;
        let largest = items.iter().filter(alike).max_by_key(|other| other.work.record)?;
        (smallest.work.record < largest.work.record).then_some((*smallest, *largest))
    };
    let (smallest, largest) = libraries.iter().find_map(|library| extremes(library))?;
    // Where one library has a hole, its extremes are others.
    let is_same = |(small, large): &(Found<'_>, Found<'_>)| {
        (small.work.record, large.work.record) == (smallest.work.record, largest.work.record)
    };
    let (sends, _) = ends(smallest.work);
    let ratios = facts.by_library(libraries, sends, |library| {
        extremes(library).filter(is_same).map(|(small, large)| (small.index, large.index))
    });
    let size = |item: &Found<'_>| number::bytes(item.work.record.into());
    phrase::by_library(&ratios, &size(&smallest), &size(&largest), |dear, multiple, cheap| {
        format!("Sending in records of {dear} costs {multiple} records of {cheap}")
    })
    .map(|said| said + ".")
}
