//! The handshakes of one library, and what an idle connection takes of memory.

use tlstax_doc::Metric;
use tlstax_spec::{Contexts, Group, Handshake, Idle, Key, Proof, Resumption, Side, SocketMemory, Version};
use tlstax_stats::median_interval;

use crate::ask::{Facts, Item, dearest_control, memory, of_library as own};
use crate::grid::{Grid, Measure};
use crate::label::{IDLE, Labels};
use crate::model::{Column, Quantity, Table};

pub(super) type Found<'a> = Item<'a, Handshake>;

/// The handshake that the others of its library are held against: what most sites use now, or the first measured.
pub(super) fn base<'a>(items: &[Found<'a>], library: &str) -> Option<Found<'a>> {
    let usual = |item: &&&Found<'_>| {
        let Handshake { params, resumption, mutual, contexts, .. } = *item.work;
        params.version == Version::Tls13
            && params.group == Some(Group::X25519)
            && params.key == Key::EcdsaP256
            && resumption == Resumption::Full
            && !mutual
            && contexts == Contexts::Shared
    };
    let own: Vec<&Found<'_>> = items
        .iter()
        .filter(|item| item.library() == library && !item.measurement.batches().is_empty())
        .collect();
    own.iter().find(usual).or(own.first()).map(|item| **item)
}

pub(super) fn full<'a>(items: &[Found<'a>], item: &Found<'_>) -> Option<Found<'a>> {
    item.partner(&Handshake { resumption: Resumption::Full, ..*item.work }, items)
}

/// A row for each handshake, and one for the dearest without crypto.
pub(super) fn of_library(items: &[Found<'_>], labels: &Labels<Handshake>, library: &str) -> Option<Table> {
    let base = base(items, library);
    let per_core = |item: &Found<'_>| {
        let cost = item.cost(Metric::Server).ok().filter(|_| !item.is_control())?;
        Some(Quantity::rate(1e9, &cost, "1/s"))
    };
    let trips = |item: &Found<'_>| Some(item.measurement.proof()?.round_trips?.to_string());
    let trips = Measure::new(Column { numeric: true, ..Column::words("trips") }, trips);
    let beside = base.map(|base| format!(", base {}", labels.name(&base))).unwrap_or_default();
    Grid::new(["handshake"], labels.rows(&own(items, library)))
        .measure(Measure::micros("client", Metric::Client))
        .measure(Measure::micros("server", Metric::Server))
        .measure(Measure::plain("of base", "x", |item| of_base(item, &base?)))
        .measure(Measure::plain("of full", "%", |item| of_full(items, item)))
        .measure(Measure::plain("per core", "1/s", per_core).ranked(2))
        .measure(trips.ranked(1))
        .measure(
            Measure::plain("client sends", "B", |item| bytes(item, |proof| proof.client_bytes)).ranked(1),
        )
        .measure(Measure::plain("server sends", "B", server_sends).ranked(1))
        .control(["control, the largest"], dearest_control(items, |_| 1.0))
        .table(format!("{library}: one handshake{beside}"))
}

/// The server's cost as a multiple of the base's.
fn of_base(item: &Found<'_>, base: &Found<'_>) -> Option<Quantity> {
    match item.index == base.index {
        true => Some(Quantity::exact(1.0, "x")),
        false => item.times(base, Metric::Server).filter(|_| !item.is_control()),
    }
}

/// What a resumed handshake costs the server in percent of the same one in full.
fn of_full(items: &[Found<'_>], item: &Found<'_>) -> Option<Quantity> {
    let is_resumed = item.work.resumption != Resumption::Full && !item.is_control();
    item.percent(&full(items, item).filter(|_| is_resumed)?, Metric::Server)
}

fn bytes(item: &Found<'_>, count: fn(&Proof) -> u64) -> Option<Quantity> {
    Some(Quantity::exact(count(item.measurement.proof()?) as f64, "B"))
}

/// The bytes of the server, with the round trips that they take where TCP does not let them through at once.
fn server_sends(item: &Found<'_>) -> Option<Quantity> {
    let sent = bytes(item, |proof| proof.server_bytes)?;
    let remark = item.facts.network.more_round_trips(item.measurement.proof()?.server_bytes);
    Some(Quantity { remark, ..sent })
}

/// Memory of one idle connection: a row for both sides of the same connections.
pub(super) fn idle(items: &[Item<'_, Idle>]) -> Option<Table> {
    let labels = Labels::of(IDLE, items);
    let of_side = |item: &Item<'_, Idle>, side| item.partner(&Idle { side, ..*item.work }, items);
    let grown = |side| move |item: &Item<'_, Idle>| of_side(item, side).map(|item| kibibytes(&item));
    let leads =
        |item: &&Item<'_, Idle>| item.work.side == Side::Client || of_side(item, Side::Client).is_none();
    let rows: Vec<Item<'_, Idle>> = items.iter().filter(leads).copied().collect();
    Grid::new(["library"], labels.rows(&rows))
        .measure(Measure::quantity("client", "KiB", grown(Side::Client)))
        .measure(Measure::quantity("server", "KiB", grown(Side::Server)))
        .measure(
            Measure::quantity("TCP socket", "KiB", |item: &Item<'_, Idle>| socket(item.facts)).where_found(),
        )
        .table(labels.caption("Memory of one idle connection"))
}

/// What one end of an idle TCP connection takes of the kernel's memory; none where that was not asked for.
pub(super) fn socket(facts: &Facts<'_>) -> Option<Result<Quantity, String>> {
    let SocketMemory { connections, objects, buffers, unread } = facts.results.host.sockets.as_ref()?;
    if let Some(reason) = unread {
        return Some(Err(reason.clone()));
    }
    let ends = f64::from(*connections) * 2.0;
    let each: Vec<f64> = objects
        .iter()
        .zip(buffers)
        .map(|(objects, buffers)| objects.0.saturating_add(buffers.0) as f64 / ends / 1024.0)
        .collect();
    let found = median_interval(&each, 0.95).filter(|_| *connections > 0);
    let found = found.ok_or_else(|| "no connections were made".to_owned());
    Some(found.map(|found| Quantity::between(found.value, found.low, found.high, "KiB")))
}

pub(crate) fn kibibytes(item: &Item<'_, Idle>) -> Result<Quantity, String> {
    let kib = |bytes: f64| bytes / 1024.0;
    let grown = memory(item.measurement).ok_or_else(|| {
        item.measurement.outcome.hole().unwrap_or_else(|| "nothing was measured".to_owned())
    })?;
    Ok(Quantity::between(kib(grown.value), kib(grown.low), kib(grown.high), "KiB"))
}
