//! Operations without a message size: signatures, key exchange, key derivation.

use tlstax_doc::Metric;
use tlstax_spec::{Algorithm, Op, Pattern, Primitive};

use super::notes;
use crate::facts::{Facts, Item, primitive_metric};
use crate::phrase;
use crate::quantity::Quantity;
use crate::view::{Block, Cell, Chart, Column, Row, Section, Series, Table};

/// Pairs that people choose between, for the sentences.
const CHOICES: &[(Algorithm, Algorithm, Op, &str)] = &[
    (Algorithm::Rsa2048, Algorithm::EcdsaP256, Op::Sign, "Signing"),
    (Algorithm::EcdsaP256, Algorithm::Rsa2048, Op::Verify, "Verifying"),
    (Algorithm::Rsa4096, Algorithm::Rsa2048, Op::Sign, "Signing"),
    (Algorithm::EcdhP256, Algorithm::X25519, Op::Derive, "Deriving"),
];

pub(crate) fn section(facts: &Facts<'_>) -> Option<Section> {
    let mut items = facts.primitives();
    items.retain(|item| !item.work.algorithm.class().is_sized() && !item.is_control());
    if items.is_empty() {
        return None;
    }
    items.sort_by_key(|item| (item.work.algorithm, item.work.op, item.work.pattern, item.case.threads));
    let libraries = facts.libraries(&items);
    let mut blocks = vec![Block::Table(table(facts, &items, &libraries))];
    blocks.push(Block::Chart(chart(facts, &items, &libraries)));
    blocks.extend(notes(items.iter().map(|item| item.measurement)));
    Some(Section {
        id: "public-keys".to_owned(),
        title: "Signatures and key exchange".to_owned(),
        intro: intro(&items),
        blocks,
        sentences: sentences(facts, &items, &libraries),
    })
}

fn intro(items: &[Item<'_, Primitive>]) -> String {
    let mut said = "CPU microseconds of one operation, and operations per second of one core. A signature includes the hash \
                    of the transcript, as in TLS."
        .to_owned();
    if items.iter().any(|item| item.work.pattern == Pattern::Speed) {
        said += " (speed) marks the calls of openssl speed.";
    }
    if items.iter().any(|item| item.case.threads > 1) {
        said += " Several threads are told by elapsed time over all of them.";
    }
    said
}

/// One row per operation, with the libraries beside each other.
fn table(facts: &Facts<'_>, items: &[Item<'_, Primitive>], libraries: &[&str]) -> Table {
    let mut columns = vec![Column::label("algorithm"), Column::label("operation")];
    for (place, library) in libraries.iter().enumerate() {
        columns.push(Column::quantity(*library, "µs"));
        columns.push(Column::plain("", "1/s"));
        if place > 0 {
            columns.push(Column::quantity(format!("of {}", libraries[0]), "%"));
        }
    }
    let row = |key: &(Primitive, u16)| {
        let found = |library: &str| find(items, library, key);
        let mut cells = vec![Cell::text(key.0.algorithm.name()), Cell::text(operation(key))];
        for (place, library) in libraries.iter().enumerate() {
            cells.extend(cost_and_rate(facts, found(library)));
            if place > 0 {
                let speed = || {
                    facts.ratio(found(libraries[0])?.index, found(library)?.index, primitive_metric(key.1))
                };
                cells.push(Cell::maybe(speed().map(|ratio| Quantity::scaled(&ratio, 100.0, "%"))));
            }
        }
        Row::plain(cells)
    };
    let mut caption = "Public key operations and key derivation".to_owned();
    if libraries.len() > 1 {
        caption += &format!("; % is the speed beside {}", libraries[0]);
    }
    Table { caption, columns, rows: keys(items).iter().map(row).collect() }
}

fn cost_and_rate(facts: &Facts<'_>, item: Option<Item<'_, Primitive>>) -> [Cell; 2] {
    let Some(item) = item else { return [Cell::Empty, Cell::Empty] };
    match facts.cost(item.index, primitive_metric(item.case.threads)) {
        Ok(cost) => [
            Cell::Quantity(Quantity::scaled(&cost, 1e-3, "µs")),
            Cell::Quantity(Quantity::rate(1e9, &cost, "1/s")),
        ],
        Err(reason) => [Cell::Hole { reason }, Cell::Empty],
    }
}

fn chart(facts: &Facts<'_>, items: &[Item<'_, Primitive>], libraries: &[&str]) -> Chart {
    let mut keys = keys(items);
    keys.retain(|(primitive, threads)| primitive.pattern == Pattern::Tls && *threads == 1);
    let point = |library: &str, key: &(Primitive, u16)| {
        let [cost, _] = cost_and_rate(facts, find(items, library, key));
        cost
    };
    let series = libraries.iter().map(|library| Series {
        name: (*library).to_owned(),
        points: keys.iter().map(|key| point(library, key)).collect(),
    });
    Chart {
        title: "CPU time of one operation".to_owned(),
        unit: "µs",
        log: true,
        labels: keys.iter().map(|key| format!("{} {}", key.0.algorithm, operation(key))).collect(),
        series: series.collect(),
    }
}

/// Every operation and number of threads, once; the items are sorted.
fn keys(items: &[Item<'_, Primitive>]) -> Vec<(Primitive, u16)> {
    let mut keys: Vec<(Primitive, u16)> = items.iter().map(|item| (*item.work, item.case.threads)).collect();
    keys.dedup();
    keys
}

fn find<'a>(
    items: &[Item<'a, Primitive>],
    library: &str,
    key: &(Primitive, u16),
) -> Option<Item<'a, Primitive>> {
    let is_it =
        |item: &&Item<'_, Primitive>| item.library() == library && (*item.work, item.case.threads) == *key;
    items.iter().find(is_it).copied()
}

fn operation((primitive, threads): &(Primitive, u16)) -> String {
    let mut said = primitive.op.name().to_owned();
    if primitive.pattern == Pattern::Speed {
        said += " (speed)";
    }
    if *threads > 1 {
        said += &format!(", {threads} threads");
    }
    said
}

fn sentences(facts: &Facts<'_>, items: &[Item<'_, Primitive>], libraries: &[&str]) -> Vec<String> {
    let index = |library: &str, algorithm: Algorithm, op: Op| {
        let key = (Primitive { op, algorithm, size: 0, pattern: Pattern::Tls }, 1);
        find(items, library, &key).map(|item| item.index)
    };
    let say = |&(a, b, op, doing): &(Algorithm, Algorithm, Op, &str)| {
        let ratios = facts.by_library(libraries, Metric::Cpu, |library| {
            Some((index(library, a, op)?, index(library, b, op)?))
        });
        phrase::by_library(&ratios, a.name(), b.name(), |dear, multiple, cheap| {
            format!("{doing} with {dear} costs {multiple} {} with {cheap}", doing.to_lowercase())
        })
    };
    CHOICES.iter().filter_map(say).map(|said| said + ".").collect()
}
