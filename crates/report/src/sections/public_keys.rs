//! Operations without a message size: signatures, key exchange, key derivation.

use tlstax_doc::Metric;
use tlstax_spec::{Algorithm, Class, Op, Pattern, Primitive};

use super::side_by_side;
use crate::ask::{Facts, Item};
use crate::model::{Block, Cell, Chart, Column, Quantity, Row, Section, Series, Table};
use crate::notes::notes;
use crate::phrase;

/// Pairs that people choose between, for the sentences.
const CHOICES: &[(Algorithm, Algorithm, Op, &str)] = &[
    (Algorithm::Rsa2048, Algorithm::EcdsaP256, Op::Sign, "Signing"),
    (Algorithm::EcdsaP256, Algorithm::Rsa2048, Op::Verify, "Verifying"),
    (Algorithm::Rsa4096, Algorithm::Rsa2048, Op::Sign, "Signing"),
    (Algorithm::EcdhP256, Algorithm::X25519, Op::Derive, "Deriving"),
];

/// Algorithms that stand in one table where there are many libraries.
const FAMILIES: &[(&str, &[Class])] = &[
    ("Signatures", &[Class::Signature]),
    ("Key exchange", &[Class::KeyAgreement, Class::Kem]),
    ("Key derivation", &[Class::Kdf]),
];

pub(crate) fn section(facts: &Facts<'_>) -> Option<Section> {
    let mut items = facts.primitives();
    items.retain(|item| {
        let class = item.work.algorithm.class();
        !class.is_sized() && class != Class::Setup && item.case.threads == 1 && !item.is_control()
    });
    if items.is_empty() {
        return None;
    }
    // In the order of the results, before the items are sorted.
    let libraries = facts.libraries(&items);
    items.sort_by_key(|item| (item.work.algorithm, item.work.op, item.work.pattern));
    let tables = match side_by_side::too_many(&libraries) {
        true => turned(facts, &items, &libraries),
        false => vec![table(facts, &items, &libraries)],
    };
    let mut blocks: Vec<Block> = tables.into_iter().map(Block::Table).collect();
    blocks.push(Block::Chart(chart(facts, &items, &libraries)));
    blocks.extend(notes(items.iter().map(|item| item.measurement)));
    Some(Section {
        id: "public-keys".to_owned(),
        title: "Signatures and key exchange".to_owned(),
        intro: intro(&items, &libraries),
        blocks,
        sentences: sentences(facts, &items, &libraries),
    })
}

fn intro(items: &[Item<'_, Primitive>], libraries: &[&str]) -> String {
    let rate = if side_by_side::too_many(libraries) { "" } else { ", and operations per second of one core" };
    let mut said = format!(
        "CPU microseconds of one operation{rate}. A signature includes the hash of the transcript, as in TLS."
    );
    if items.iter().any(|item| item.work.pattern == Pattern::Speed) {
        said += " (speed) marks the calls of openssl speed.";
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
    let row = |key: &Primitive| {
        let found = |library: &str| find(items, library, key);
        let mut cells = vec![Cell::text(key.algorithm.name()), Cell::text(operation(key))];
        for (place, library) in libraries.iter().enumerate() {
            cells.extend(cost_and_rate(facts, found(library)));
            if place > 0 {
                let speed = || facts.ratio(found(libraries[0])?.index, found(library)?.index, Metric::Cpu);
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

/// Many libraries: a table for each family of algorithms, libraries down and operations across.
fn turned(facts: &Facts<'_>, items: &[Item<'_, Primitive>], libraries: &[&str]) -> Vec<Table> {
    let of_families = |(caption, classes): &(&str, &[Class])| {
        let mut keys = keys(items);
        keys.retain(|key| classes.contains(&key.algorithm.class()));
        let title = |key: &Primitive| Column::quantity(format!("{} {}", key.algorithm, operation(key)), "µs");
        let cost = |library: &str, key: &Primitive| {
            let [cost, _] = cost_and_rate(facts, find(items, library, key));
            cost
        };
        side_by_side::table((*caption).to_owned(), libraries, keys.iter().map(title).collect(), |library| {
            keys.iter().map(|key| cost(library, key)).collect()
        })
    };
    FAMILIES.iter().filter_map(of_families).collect()
}

fn cost_and_rate(facts: &Facts<'_>, item: Option<Item<'_, Primitive>>) -> [Cell; 2] {
    let Some(item) = item else { return [Cell::Empty, Cell::Empty] };
    match facts.cost(item.index, Metric::Cpu) {
        Ok(cost) => [
            Cell::Quantity(Quantity::scaled(&cost, 1e-3, "µs")),
            Cell::Quantity(Quantity::rate(1e9, &cost, "1/s")),
        ],
        Err(reason) => [Cell::Hole { reason }, Cell::Empty],
    }
}

fn chart(facts: &Facts<'_>, items: &[Item<'_, Primitive>], libraries: &[&str]) -> Chart {
    let mut keys = keys(items);
    keys.retain(|primitive| primitive.pattern == Pattern::Tls);
    let point = |library: &str, key: &Primitive| {
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
        labels: keys.iter().map(|key| format!("{} {}", key.algorithm, operation(key))).collect(),
        series: series.collect(),
    }
}

/// Every operation, once; the items are sorted.
fn keys(items: &[Item<'_, Primitive>]) -> Vec<Primitive> {
    let mut keys: Vec<Primitive> = items.iter().map(|item| *item.work).collect();
    keys.dedup();
    keys
}

fn find<'a>(items: &[Item<'a, Primitive>], library: &str, key: &Primitive) -> Option<Item<'a, Primitive>> {
    items.iter().find(|item| item.library() == library && item.work == key).copied()
}

fn operation(primitive: &Primitive) -> String {
    let mut said = primitive.op.name().to_owned();
    if primitive.pattern == Pattern::Speed {
        said += " (speed)";
    }
    said
}

fn sentences(facts: &Facts<'_>, items: &[Item<'_, Primitive>], libraries: &[&str]) -> Vec<String> {
    let index = |library: &str, algorithm: Algorithm, op: Op| {
        let key = Primitive { op, algorithm, size: 0, pattern: Pattern::Tls };
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
