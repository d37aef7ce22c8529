//! What it costs not to share contexts.

use tlstax_doc::Metric;
use tlstax_spec::Contexts;

use super::kinds::Kind;
use super::regime::Cores;
use crate::ask::Facts;
use crate::model::{Cell, Column, Quantity, Table};
use crate::sections::side_by_side;

/// The number of threads at which ways to share contexts are compared: the largest that two of them were measured with,
/// each thread with a core of its own if that is possible.
pub(super) fn compared_at(kind: &Kind<'_>, cores: &Cores) -> Option<u16> {
    let mut candidates: Vec<u16> = kind
        .climbs
        .iter()
        .filter(|climb| climb.contexts != Contexts::Shared && !climb.is_control())
        .flat_map(|climb| climb.runs.keys().copied())
        .filter(|&threads| kind.of_libraries(Contexts::Shared).any(|climb| climb.runs.contains_key(&threads)))
        .collect();
    candidates.sort_by_key(|&threads| (cores.are_enough_for(threads), threads));
    candidates.last().copied()
}

/// The measurement of a library that shares contexts in this way.
pub(super) fn find(kind: &Kind<'_>, library: &str, contexts: Contexts, threads: u16) -> Option<usize> {
    kind.of_libraries(contexts).find(|climb| climb.library == library)?.runs.get(&threads).copied()
}

/// A number of threads in words.
pub(super) fn said(threads: u16) -> String {
    if threads == 1 { "one thread".to_owned() } else { format!("{threads} threads") }
}

/// Libraries down; the rates of each way to share contexts, and what a context for each connection adds, across.
pub(super) fn table(facts: &Facts<'_>, kind: &Kind<'_>, cores: &Cores) -> Option<Table> {
    let threads = compared_at(kind, cores)?;
    let columns = vec![
        Column::quantity("shared", kind.unit),
        Column::quantity("per thread", kind.unit),
        Column::quantity("per connection", kind.unit),
        Column::quantity("CPU added", "µs"),
        Column::quantity("CPU ratio", "x"),
    ];
    let cells = |library: &str| {
        let run = |contexts| find(kind, library, contexts, threads);
        let rate = |contexts| {
            run(contexts).map_or(Cell::Empty, |run| {
                Cell::of(facts.cost(run, Metric::Wall).map(|cost| kind.rate(&cost)))
            })
        };
        let cpu = |contexts| {
            let cost = facts.cost(run(contexts)?, Metric::Cpu).ok()?;
            Some(Quantity::scaled(&cost, 1e-3, "µs"))
        };
        let added = || Some(cpu(Contexts::PerConnection)?.minus(&cpu(Contexts::Shared)?));
        let ratio = || facts.ratio(run(Contexts::PerConnection)?, run(Contexts::Shared)?, Metric::Cpu);
        let mut cells: Vec<Cell> = Contexts::ALL.iter().map(|&contexts| rate(contexts)).collect();
        cells.push(Cell::maybe(added()));
        cells.push(Cell::maybe(ratio().map(|ratio| Quantity::scaled(&ratio, 1.0, "x"))));
        cells
    };
    let libraries: Vec<&str> = kind.of_libraries(Contexts::Shared).map(|climb| climb.library).collect();
    let caption = format!(
        "{}, by who shares a context, {}; what a context per connection adds, and its ratio to a shared one",
        kind.title,
        said(threads)
    );
    side_by_side::table(caption, &libraries, columns, cells)
}
