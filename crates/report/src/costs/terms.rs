//! The terms with what they cost, and where that comes from.

use tlstax_doc::model::{Origin, TermCost};

use super::known::Known;
use crate::grid::{Grid, Measure};
use crate::model::{Quantity, Table};

/// Nanoseconds below which a cost would be nothing but zeros in microseconds.
const SMALL: f64 = 10.0;

pub(super) fn table(known: &Known<'_>) -> Option<Table> {
    let rows = known.model.terms.iter().map(|cost| ([cost.term.to_string()], cost));
    Grid::new(["what is done"], rows)
        .measure(Measure::quantity("costs", "µs", |cost: &&TermCost| {
            known.term(cost.term).map(|ns| micros(&ns))
        }))
        .measure(Measure::words("from", |cost: &&TermCost| origin(&cost.origin)))
        .table("CPU time of the server, once")
}

/// Where a figure comes from, in words.
pub(super) fn origin(origin: &Origin) -> String {
    match origin {
        Origin::Loads => "loads on this server".to_owned(),
        Origin::InMemory { library, case } => format!("{library} in memory: {case}"),
    }
}

/// What a byte costs stays in nanoseconds.
fn micros(ns: &Quantity) -> Quantity {
    if ns.value.abs() < SMALL {
        return ns.clone();
    }
    Quantity::between(ns.value / 1e3, ns.low / 1e3, ns.high / 1e3, "µs")
}
