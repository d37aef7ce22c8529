//! What a handshake costs each side, full and resumed, and what an idle connection takes.

mod sentences;
mod side_by_side;

use tlstax_doc::Metric;
use tlstax_spec::{Contexts, Group, Handshake, Idle, Key, Params, Proof, Resumption, Side, Version};

use crate::ask::{Facts, Item, in_full, memory};
use crate::label::{HANDSHAKE, IDLE, Labels};
use crate::model::{Block, Cell, Chart, Column, Quantity, Role, Row, Section, Series, Table};
use crate::notes::notes;

type Found<'a> = Item<'a, Handshake>;

pub(crate) fn section(facts: &Facts<'_>) -> Option<Section> {
    let (mut items, idles) = (facts.handshakes(), facts.idles());
    items.retain(|item| item.case.threads == 1);
    if items.is_empty() && idles.is_empty() {
        return None;
    }
    let libraries = facts.libraries(&items);
    let labels = Labels::of(HANDSHAKE, &items);
    let mut blocks: Vec<Block> =
        side_by_side::tables(facts, &items, &labels, &libraries).into_iter().map(Block::Table).collect();
    blocks.extend(libraries.iter().map(|library| Block::Table(of_library(facts, &items, &labels, library))));
    blocks.extend(idle(&idles).map(Block::Table));
    blocks.extend(chart(facts, &items, &labels, &libraries).map(Block::Chart));
    blocks.extend(notes(
        items.iter().map(|item| item.measurement).chain(idles.iter().map(|item| item.measurement)),
    ));
    Some(Section {
        id: "handshakes".to_owned(),
        title: "Handshakes".to_owned(),
        intro: format!(
            "CPU microseconds of each side in memory, without a network: {}. Of base, of full: the server's cost beside \
             the base's, and beside the same handshake in full. Trips: round trips before the client may send its \
             request. Control: the same flights without any crypto.",
            labels.unsaid()
        ),
        blocks,
        sentences: sentences::sentences(facts, &items, &libraries),
    })
}

fn of_library(facts: &Facts<'_>, items: &[Found<'_>], labels: &Labels<Handshake>, library: &str) -> Table {
    let base = base(items, library);
    let columns = vec![
        Column::label("handshake"),
        Column::quantity("client", "µs"),
        Column::quantity("server", "µs"),
        Column::plain("of base", "x"),
        Column::plain("of full", "%"),
        Column::plain("per core", "1/s"),
        Column { numeric: true, ..Column::words("trips") },
        Column::plain("client sends", "B"),
        Column::plain("server sends", "B"),
    ];
    let row = |name: String, item: &Found<'_>| {
        let mut cells = vec![Cell::text(name)];
        cells.extend([side(facts, item, Metric::Client), side(facts, item, Metric::Server)]);
        let server = facts.cost(item.index, Metric::Server).ok();
        let factor = base.filter(|_| !item.is_control()).and_then(|base| factor(facts, item, &base));
        cells.push(Cell::maybe(factor));
        cells.push(Cell::maybe(of_full(facts, items, item)));
        cells.push(Cell::maybe(
            server.filter(|_| !item.is_control()).map(|cost| Quantity::rate(1e9, &cost, "1/s")),
        ));
        cells.extend(flights(item.measurement.proof()));
        cells
    };
    let own = items.iter().filter(|item| item.library() == library);
    let mut rows: Vec<Row> = own.map(|item| Row::plain(row(labels.name(item), item))).collect();
    rows.extend(
        largest_control(facts, items)
            .map(|item| Row { role: Role::Control, cells: row("control, the largest".to_owned(), &item) }),
    );
    let beside = base.map(|base| format!(", base {}", labels.name(&base))).unwrap_or_default();
    Table { caption: format!("{library}: one handshake{beside}"), columns, rows }
}

/// What goes over the wire: round trips, and the bytes of the client and the server.
fn flights(proof: Option<&Proof>) -> [Cell; 3] {
    let trips = proof.and_then(|proof| proof.round_trips);
    let bytes = |count: fn(&Proof) -> u64| Some(Quantity::exact(count(proof?) as f64, "B"));
    let server = bytes(|proof| proof.server_bytes);
    let more = proof.and_then(|proof| more_round_trips(proof.server_bytes));
    let server = server.map(|sent| match more {
        Some(more) => sent.remarked(more),
        None => sent,
    });
    [
        trips.map_or(Cell::Empty, |trips| Cell::text(trips.to_string())),
        Cell::maybe(bytes(|proof| proof.client_bytes)),
        Cell::maybe(server),
    ]
}

/// What can be sent at once on a new TCP connection: ten segments of the usual size (RFC 6928).
const INITIAL_WINDOW: u64 = 10 * 1460;

/// How many round trips a server waits for the window of a new TCP connection to open for its flight, in words; none if
/// the flight goes out at once.
pub(crate) fn more_round_trips(bytes: u64) -> Option<String> {
    let (mut trips, mut window, mut sent) = (0, INITIAL_WINDOW, INITIAL_WINDOW);
    // The window grows by what was acknowledged, so it doubles.
    while sent < bytes {
        trips += 1;
        window = window.saturating_mul(2);
        sent = sent.saturating_add(window);
    }
    let more = match trips {
        0 => return None,
        1 => "one round trip".to_owned(),
        trips => format!("{trips} round trips"),
    };
    Some(format!(
        "larger than TCP's initial window of 10 x 1460 bytes (RFC 6928), {more} more on a new TCP connection"
    ))
}

fn side(facts: &Facts<'_>, item: &Found<'_>, metric: Metric) -> Cell {
    Cell::of(facts.cost(item.index, metric).map(|cost| Quantity::scaled(&cost, 1e-3, "µs")))
}

fn factor(facts: &Facts<'_>, item: &Found<'_>, base: &Found<'_>) -> Option<Quantity> {
    if item.index == base.index {
        return Some(Quantity::exact(1.0, "x"));
    }
    facts.ratio(item.index, base.index, Metric::Server).map(|ratio| Quantity::scaled(&ratio, 1.0, "x"))
}

/// The handshake that the others of its library are held against: what most sites use now, or the first measured.
fn base<'a>(items: &[Found<'a>], library: &str) -> Option<Found<'a>> {
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

/// The dearest of the handshakes without crypto: the others are within it.
fn largest_control<'a>(facts: &Facts<'_>, items: &[Found<'a>]) -> Option<Found<'a>> {
    let cost = |item: &Found<'_>| {
        let of = |metric| facts.cost(item.index, metric).map_or(0.0, |cost| cost.value);
        of(Metric::Client) + of(Metric::Server)
    };
    items.iter().filter(|item| item.is_control()).copied().max_by(|a, b| cost(a).total_cmp(&cost(b)))
}

/// What a resumed handshake costs the server in percent of the same one in full.
fn of_full(facts: &Facts<'_>, items: &[Found<'_>], item: &Found<'_>) -> Option<Quantity> {
    let resumed = item.work.resumption != Resumption::Full && !item.is_control();
    let full = full(items, item).filter(|_| resumed)?;
    let ratio = facts.ratio(item.index, full.index, Metric::Server)?;
    Some(Quantity::scaled(&ratio, 100.0, "%"))
}

/// The same handshake in full.
fn full<'a>(items: &[Found<'a>], item: &Found<'_>) -> Option<Found<'a>> {
    let wanted = in_full(item.work);
    items.iter().find(|other| other.library() == item.library() && *other.work == wanted).copied()
}

/// Memory per idle connection.
fn idle(items: &[Item<'_, Idle>]) -> Option<Table> {
    let labels = Labels::of(IDLE, items);
    let columns =
        vec![Column::label("library"), Column::quantity("client", "KiB"), Column::quantity("server", "KiB")];
    let of_side = |item: &Item<'_, Idle>, side: Side| {
        let wanted = Idle { side, ..*item.work };
        items.iter().find(|other| other.library() == item.library() && *other.work == wanted).copied()
    };
    let cell = |item: Option<Item<'_, Idle>>| {
        let Some(item) = item else { return Cell::Empty };
        let kib = |bytes: f64| bytes / 1024.0;
        Cell::of(match (memory(item.measurement), item.measurement.outcome.hole()) {
            (Some(grown), _) => {
                Ok(Quantity::between(kib(grown.value), kib(grown.low), kib(grown.high), "KiB"))
            }
            (None, reason) => Err(reason.unwrap_or_else(|| "nothing was measured".to_owned())),
        })
    };
    let leads =
        |item: &&Item<'_, Idle>| item.work.side == Side::Client || of_side(item, Side::Client).is_none();
    let rows: Vec<Row> = items
        .iter()
        .filter(leads)
        .map(|item| {
            let mut cells = vec![Cell::text(labels.name(item))];
            cells.extend([Side::Client, Side::Server].map(|side| cell(of_side(item, side))));
            Row::plain(cells)
        })
        .collect();
    (!rows.is_empty()).then(|| Table {
        caption: labels.caption("Memory of one idle connection"),
        columns,
        rows,
    })
}

fn chart(
    facts: &Facts<'_>,
    items: &[Found<'_>],
    labels: &Labels<Handshake>,
    libraries: &[&str],
) -> Option<Chart> {
    let works = works(items);
    let series = libraries.iter().map(|library| Series {
        name: (*library).to_owned(),
        points: works.iter().map(|like| cost(facts, items, library, like, Metric::Server)).collect(),
    });
    (!works.is_empty()).then(|| Chart {
        title: "CPU time of the server for one handshake".to_owned(),
        unit: "µs",
        log: true,
        labels: works.iter().map(|item| labels.name(item)).collect(),
        series: series.collect(),
    })
}

/// Every handshake that a library made, once.
fn works<'a>(items: &[Found<'a>]) -> Vec<Found<'a>> {
    let mut works: Vec<Found<'a>> = Vec::new();
    for item in items.iter().filter(|item| !item.is_control()) {
        if !works.iter().any(|known| known.work == item.work) {
            works.push(*item);
        }
    }
    works
}

/// What a library's handshake of this kind costs one side; nothing where it was not tried.
fn cost(facts: &Facts<'_>, items: &[Found<'_>], library: &str, like: &Found<'_>, metric: Metric) -> Cell {
    let found = items.iter().find(|item| item.library() == library && item.work == like.work);
    found.map_or(Cell::Empty, |item| side(facts, item, metric))
}

/// What the handshake that a load's connections begin with costs the server in memory.
pub(crate) fn in_memory(
    facts: &Facts<'_>,
    library: &str,
    params: Params,
    resumption: Resumption,
) -> Option<Quantity> {
    let items = facts.handshakes();
    let is_it = |item: &&Found<'_>| {
        let Handshake { mutual, contexts, .. } = *item.work;
        item.library() == library
            && item.work.params == params
            && item.work.resumption == resumption
            && !mutual
            && contexts == Contexts::Shared
            && item.case.threads == 1
    };
    let item = items.iter().find(is_it)?;
    let cost = facts.cost(item.index, Metric::Server).ok()?;
    Some(
        Quantity::scaled(&cost, 1e-3, "µs")
            .remarked(format!("{} certificates in the chain", item.work.chain)),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn d22_the_window_of_a_flight_that_cannot_be_ends_somewhere() {
        assert_eq!(more_round_trips(INITIAL_WINDOW), None);
        assert!(
            more_round_trips(INITIAL_WINDOW + 1).is_some_and(|words| words.contains("one round trip more"))
        );
        assert!(more_round_trips(u64::MAX).is_some());
    }

    #[test]
    fn a_large_flight_waits_for_the_window() {
        let more = |bytes| more_round_trips(bytes).unwrap_or_default();
        assert_eq!(more(14_600), "");
        assert!(more(14_601).ends_with("one round trip more on a new TCP connection"));
        assert!(more(43_800).contains("one round trip more"));
        assert!(more(43_801).contains("2 round trips more"));
    }
}
