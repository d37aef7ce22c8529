//! What is done once, before connections: contexts, trusted roots, certificates.

use tlstax_doc::Metric;
use tlstax_spec::{Algorithm, Class, Pattern, Primitive};

use super::side_by_side;
use crate::ask::{Facts, Item};
use crate::model::{Block, Cell, Column, Quantity, Section};
use crate::notes::notes;
use crate::phrase;

type Found<'a> = Item<'a, Primitive>;

/// The certificates in the test bundle.
const ROOTS: u32 = 144;

/// What is set up: (algorithm, heading, what a library does).
const SET_UP: &[(Algorithm, &str, &str)] = &[
    (Algorithm::ServerContext, "server context", "makes a server's context"),
    (Algorithm::ClientContext, "client context", "makes a client's context"),
    (Algorithm::CaBundle, "CA bundle", "loads the CA bundle"),
    (Algorithm::Certificate, "parse one", "parses a certificate"),
];

pub(crate) fn section(facts: &Facts<'_>) -> Option<Section> {
    let mut items = facts.primitives();
    items.retain(|item| {
        item.work.algorithm.class() == Class::Setup && item.case.threads == 1 && !item.is_control()
    });
    let libraries = facts.libraries(&items);
    let columns = SET_UP.iter().flat_map(|&(algorithm, title, _)| {
        let per_root = (algorithm == Algorithm::CaBundle).then(|| Column::plain("per root", "µs"));
        std::iter::once(Column::quantity(title, "µs")).chain(per_root)
    });
    let rows = rows(&items, &libraries);
    let names: Vec<&str> = rows.iter().map(|row| row.name.as_str()).collect();
    let cells = |name: &str| {
        let row = rows.iter().find(|row| row.name == name);
        let of = |&(algorithm, ..): &(Algorithm, _, _)| {
            let item = row.and_then(|row| find(&items, row.library, algorithm, row.pattern));
            cells(facts, item, algorithm)
        };
        SET_UP.iter().flat_map(of).collect()
    };
    let caption = "Making and dropping each of them".to_owned();
    let table = side_by_side::table(caption, &names, columns.collect(), cells)?;
    let mut blocks = vec![Block::Table(table)];
    blocks.extend(notes(items.iter().map(|item| item.measurement)));
    Some(Section {
        id: "setup".to_owned(),
        title: "Set-up costs".to_owned(),
        intro: format!(
            "CPU microseconds of what is done before connections, and of each of them if it is not kept. The CA bundle \
             has {ROOTS} roots, from PEM; parse one: a certificate from DER."
        ),
        blocks,
        sentences: sentences(facts, &items, &libraries),
    })
}

/// A library and how it was called.
struct Line<'a> {
    name: String,
    library: &'a str,
    pattern: Pattern,
}

fn rows<'a>(items: &[Found<'_>], libraries: &[&'a str]) -> Vec<Line<'a>> {
    let line = |library: &&'a str, pattern: Pattern| {
        let has = |item: &Found<'_>| item.library() == *library && item.work.pattern == pattern;
        let name =
            if pattern == Pattern::Tls { (*library).to_owned() } else { format!("{library} ({pattern})") };
        items.iter().any(has).then_some(Line { name, library, pattern })
    };
    let of_library = |library| Pattern::ALL.iter().filter_map(move |&pattern| line(library, pattern));
    libraries.iter().flat_map(of_library).collect()
}

fn find<'a>(items: &[Found<'a>], library: &str, algorithm: Algorithm, pattern: Pattern) -> Option<Found<'a>> {
    let is_it = |item: &&Found<'_>| {
        item.library() == library && item.work.algorithm == algorithm && item.work.pattern == pattern
    };
    items.iter().find(is_it).copied()
}

/// The cost of one, and for the bundle that of a root in it.
fn cells(facts: &Facts<'_>, item: Option<Found<'_>>, algorithm: Algorithm) -> Vec<Cell> {
    let cost = item.map(|item| facts.cost(item.index, Metric::Cpu));
    let scaled = |factor: f64| {
        let cost = cost.clone()?;
        Some(cost.map(|cost| Quantity::scaled(&cost, factor, "µs")))
    };
    let mut cells = vec![scaled(1e-3).map_or(Cell::Empty, Cell::of)];
    if algorithm == Algorithm::CaBundle {
        cells.push(Cell::maybe(scaled(1e-3 / f64::from(ROOTS)).and_then(Result::ok)));
    }
    cells
}

/// For each thing, the two libraries that are furthest apart.
fn sentences(facts: &Facts<'_>, items: &[Found<'_>], libraries: &[&str]) -> Vec<String> {
    let say = |&(algorithm, _, does): &(Algorithm, &str, &str)| {
        let index = |library: &str| Some(find(items, library, algorithm, Pattern::Tls)?.index);
        let (a, b, ratio) = facts.furthest(libraries, Metric::Cpu, index)?;

        phrase::longer(&ratio, a, b, does).map(|said| said + ".")
    };
    SET_UP.iter().filter_map(say).collect()
}
