//! What it costs not to share contexts.

use tlstax_doc::{Metric, UsableCpus};
use tlstax_spec::Contexts;

use super::kinds::Kind;
use crate::grid::{Grid, Measure};
use crate::model::Table;

/// The number of threads at which ways to share contexts are compared: the largest that two of them were measured with,
/// each thread with a core of its own if that is possible.
pub(super) fn compared_at(kind: &Kind<'_>, cores: &UsableCpus) -> Option<u16> {
    let mut candidates: Vec<u16> = kind
        .curves
        .iter()
        .filter(|curve| curve.contexts != Contexts::Shared && !curve.is_control())
        .flat_map(|curve| curve.runs.keys().copied())
        .filter(|&threads| kind.of_libraries(Contexts::Shared).any(|curve| curve.runs.contains_key(&threads)))
        .collect();
    candidates.sort_by_key(|&threads| (cores.are_enough_for(threads), threads));
    candidates.last().copied()
}

pub(super) fn in_words(threads: u16) -> String {
    if threads == 1 { "one thread".to_owned() } else { format!("{threads} threads") }
}

/// Libraries down; the rates of each way to share contexts, and what a context for each connection adds, across.
pub(super) fn table(kind: &Kind<'_>, cores: &UsableCpus) -> Option<Table> {
    let threads = compared_at(kind, cores)?;
    let run = |library: &&str, contexts| kind.run(library, contexts, threads);
    let rate = |contexts| {
        move |library: &&str| {
            let wall = run(library, contexts)?.cost(Metric::Wall);
            Some(wall.map(|wall| kind.rate(&wall)))
        }
    };
    let added = |library: &&str| {
        let (own, shared) = (run(library, Contexts::PerConnection)?, run(library, Contexts::Shared)?);
        own.more_than(&shared, Metric::Cpu).ok()
    };
    let ratio = |library: &&str| {
        run(library, Contexts::PerConnection)?.times(&run(library, Contexts::Shared)?, Metric::Cpu)
    };
    let libraries =
        kind.of_libraries(Contexts::Shared).map(|curve| ([curve.library.to_owned()], curve.library));
    let measures = [
        Measure::quantity("shared", kind.unit, rate(Contexts::Shared)),
        Measure::quantity("per thread", kind.unit, rate(Contexts::PerThread)),
        Measure::quantity("per connection", kind.unit, rate(Contexts::PerConnection)),
        Measure::quantity("CPU added", "µs", added),
        Measure::quantity("CPU ratio", "x", ratio),
    ];
    Grid::new(["library"], libraries).measures(measures.map(Measure::where_found)).table(format!(
        "{}, by who shares a context, {}; what a context per connection adds, and its ratio to a shared one",
        kind.title,
        in_words(threads)
    ))
}
