//! What a plan rests on: the model, the traffic, what was assumed and what was left out.

use tlstax_doc::Severity;
use tlstax_doc::plan::Plan;

use super::amount;
use crate::grid::{Grid, Measure};
use crate::model::{Block, Table};
use crate::notes::{note, sorted_notes};

pub(super) fn table(plan: &Plan) -> Option<Table> {
    let basis = &plan.basis;
    let connections = basis.connections;
    let facts = [
        ("server", basis.server.clone()),
        ("machine", basis.machine.clone()),
        ("CPUs for the server", basis.cpus.to_string()),
        ("costs measured", basis.measured.clone()),
        ("rate", basis.rate.clone()),
        ("requests", format!("{}/s", amount::rate(basis.requests))),
        ("new connections", format!("{}/s{}", amount::rate(connections.value), amount::ends(connections))),
        ("bodies", amount::bits(basis.bytes)),
        ("sent with TLS and HTTP, without TCP and IP", amount::bits(plan.now.wire_bytes)),
    ];
    let rows = facts.into_iter().map(|(name, value)| ([name.to_owned()], value));
    Grid::new([""], rows).measure(Measure::words("", String::clone)).table("What it rests on")
}

/// What was assumed and what was left out, as notes: a plan without them would be taken for more than it is.
pub(super) fn notes(plan: &Plan) -> Option<Block> {
    let assumed = plan.assumed.iter().map(|what| note(Severity::Info, format!("assumed: {what}"), ""));
    let left_out = plan.left_out.iter().map(|what| note(Severity::Warning, format!("left out: {what}"), ""));
    sorted_notes(assumed.chain(left_out).collect())
}

/// What has to be known before all else.
pub(super) fn doubts(plan: &Plan) -> Option<Block> {
    sorted_notes(plan.notes.clone())
}
