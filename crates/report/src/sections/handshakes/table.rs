//! The handshakes of one library.

use tlstax_doc::Metric;
use tlstax_spec::{Handshake, Proof};

use super::base::{Found, base, of_base, of_full};
use crate::ask::{Facts, more_round_trips};
use crate::grid::{Grid, Measure};
use crate::label::Labels;
use crate::model::{Column, Quantity, Table};

/// A row for each handshake, and one for the dearest without crypto.
pub(super) fn table(
    facts: &Facts<'_>,
    items: &[Found<'_>],
    labels: &Labels<Handshake>,
    library: &str,
) -> Option<Table> {
    let own: Vec<Found<'_>> = items.iter().filter(|item| item.library() == library).copied().collect();
    let base = base(items, library);
    let side = |metric| move |item: &Found<'_>| facts.micros(item.index, metric);
    let per_core = |item: &Found<'_>| {
        let cost = facts.cost(item.index, Metric::Server).ok().filter(|_| !item.is_control())?;
        Some(Quantity::rate(1e9, &cost, "1/s"))
    };
    let trips = |item: &Found<'_>| Some(item.measurement.proof()?.round_trips?.to_string());
    let trips = Measure::new(Column { numeric: true, ..Column::words("trips") }, trips);
    let beside = base.map(|base| format!(", base {}", labels.name(&base))).unwrap_or_default();
    Grid::new(["handshake"], labels.rows(&own))
        .measure(Measure::quantity("client", "µs", side(Metric::Client)))
        .measure(Measure::quantity("server", "µs", side(Metric::Server)))
        .measure(Measure::plain("of base", "x", |item| of_base(facts, item, &base?)))
        .measure(Measure::plain("of full", "%", |item| of_full(facts, items, item)))
        .measure(Measure::plain("per core", "1/s", per_core))
        .measure(trips)
        .measure(Measure::plain("client sends", "B", |item| bytes(item, |proof| proof.client_bytes)))
        .measure(Measure::plain("server sends", "B", server_sends))
        .control(["control, the largest"], facts.dearest_control(items, |_| 1.0))
        .table(format!("{library}: one handshake{beside}"))
}

fn bytes(item: &Found<'_>, count: fn(&Proof) -> u64) -> Option<Quantity> {
    Some(Quantity::exact(count(item.measurement.proof()?) as f64, "B"))
}

/// The bytes of the server, with the round trips that they take where TCP does not let them through at once.
fn server_sends(item: &Found<'_>) -> Option<Quantity> {
    let sent = bytes(item, |proof| proof.server_bytes)?;
    Some(Quantity { remark: more_round_trips(item.measurement.proof()?.server_bytes), ..sent })
}
