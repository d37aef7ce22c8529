//! Requests over loopback: how many, who was the limit, and what HTTPS adds to HTTP.

mod cost;
mod difference;
mod groups;
mod latency;
mod pairs;
mod remarks;
mod side_by_side;

use tlstax_doc::Metric;
use tlstax_spec::{Http, Load, Resumption};
use tlstax_stats::{Percent, Ratio};

use super::transfers::is_only_a_transfer;
use crate::ask::Facts;
use crate::label::{CLIENT, LOAD, Labels};
use crate::model::{Block, Cell, Column, Quantity, Row, Section, Table};

pub(super) use cost::{Found, NOT_THE_SERVER, SATURATED, Side, bound, client, cost, of_server, server, user};
pub(super) use difference::fitted;
pub(super) use groups::{Ends, by_ends};
pub(super) use pairs::{Pair, pairs, plain, plain_over};
pub(super) use remarks::remarks;

pub(crate) fn section(facts: &Facts<'_>) -> Option<Section> {
    let mut items = facts.loads();
    items.retain(|item| !is_only_a_transfer(item.work));
    if items.is_empty() {
        return None;
    }
    let mut embedded = facts.libraries(&items);
    embedded.retain(|library| !facts.is_real_server(library));
    let all = Labels::except(&[CLIENT], LOAD, &items);
    let mut blocks: Vec<Block> = Vec::new();
    blocks.extend(by_ends(&items).iter().map(|(ends, own)| Block::Table(requests(facts, own, ends, &all))));
    blocks.extend(side_by_side::tables(facts, &items).into_iter().map(Block::Table));
    let of_embedded: Vec<Found<'_>> =
        items.iter().filter(|item| embedded.contains(&item.library())).copied().collect();
    blocks.extend(difference::tables(facts, &of_embedded, &embedded).into_iter().map(Block::Table));
    blocks.push(Block::Chart(side_by_side::chart(facts, &items)));
    blocks.extend(remarks(facts, &items));
    Some(Section {
        id: "load".to_owned(),
        title: "Requests".to_owned(),
        intro: intro(&items, &all),
        sentences: difference::sentences(facts, &of_embedded, &embedded),
        blocks,
    })
}

/// The labels of some loads without the fields of these titles; the client has no part in them where it goes with the
/// server.
fn labels(items: &[Found<'_>], except: &[&str]) -> Labels<Load> {
    let mut titles = except.to_vec();
    if items.iter().all(|item| pairs::same_client(&items[0], item)) {
        titles.push(CLIENT);
    }
    Labels::except(&titles, LOAD, items)
}

const CLOSED: &str = "Closed loop: the next request waits for the last answer.";

const OPEN: &str = "\
    Open loop: requests are begun at the offered rate, answered or not, and their latency counts from when they were \
    due (corrected for coordinated omission).";

const HTTP2: &str = "h2: HTTP/2 over TLS; h2c: HTTP/2 without TLS.";

const ALL_CORES: &str = "\
    A server of several workers, or not pinned, has all cores, the client's too: \"all\" where both together take as \
    much of them.";

/// What the column of [`hit_rate`] says.
pub(super) const HIT_RATE: &str =
    "Resumed: the share of handshakes that the server, or both sides, say were resumed.";

/// What the reader has to know of these loads, and of no others.
fn intro(items: &[Found<'_>], labels: &Labels<Load>) -> String {
    let any = |is_it: &dyn Fn(&Found<'_>) -> bool| items.iter().any(is_it);
    let has_http2 = any(&|item| item.work.http == Http::Http2);
    let what = if has_http2 { "Requests" } else { "HTTP/1.1" };
    let unsaid = labels.unsaid();
    let Percent(percent) = SATURATED.percent();
    let parts = [
        (true, format!("{what} over loopback, server and client each on a core of its own: {unsaid}.")),
        (true, "New: a connection per request.".to_owned()),
        (any(&|item| item.work.rate == 0), CLOSED.to_owned()),
        (any(&|item| item.work.rate > 0), OPEN.to_owned()),
        (has_http2, HTTP2.to_owned()),
        (
            true,
            format!(
                "Busy: server's / client's share of the elapsed time, * where {percent:.0} % or more and so the \
                 limit."
            ),
        ),
        (any(&|item| !cost::has_own_core(item.work)), ALL_CORES.to_owned()),
        (any(&resumes), format!("{} {HIT_RATE}", resumptions(items))),
        (any(&latency::is_told), "Latency includes connecting.".to_owned()),
        (true, "(sys%) is the kernel's part.".to_owned()),
    ];
    parts.into_iter().filter_map(|(is_said, part)| is_said.then_some(part)).collect::<Vec<_>>().join(" ")
}

/// What the kinds of resumption among some loads mean; empty where there are none.
pub(super) fn resumptions(items: &[Found<'_>]) -> String {
    let said = RESUMPTIONS.iter().filter(|(kind, _)| {
        items.iter().any(|item| item.work.params.is_some() && item.work.resumption == *kind)
    });
    said.map(|(kind, meaning)| format!("{kind}: {meaning}.")).collect::<Vec<_>>().join(" ")
}

const RESUMPTIONS: [(Resumption, &str); 4] = [
    (Resumption::SessionId, "resumes from the server's cache (TLS 1.2)"),
    (Resumption::Ticket, "resumes by a ticket that the client keeps (TLS 1.2)"),
    (Resumption::Psk, "resumes by a pre-shared key from a ticket (TLS 1.3)"),
    (Resumption::EarlyData, "resumes, with the request in the first flight (TLS 1.3, 0-RTT)"),
];

fn resumes(item: &Found<'_>) -> bool {
    item.work.params.is_some() && item.work.resumption != Resumption::Full
}

/// The loads of one server with one client.
fn requests(facts: &Facts<'_>, items: &[Found<'_>], ends: &Ends<'_>, labels: &Labels<Load>) -> Table {
    let has_rate = items.iter().any(|item| item.work.rate > 0);
    let has_resumed = items.iter().any(resumes);
    let latencies = latency::columns(facts, items);
    let mut columns = vec![Column::label("requests")];
    if has_rate {
        columns.push(Column::plain("offered", "req/s"));
    }
    columns.extend([
        Column::plain("req/s", ""),
        Column { numeric: true, unit: "% s/c", ..Column::words("busy") },
        Column::quantity("server (sys%)", "µs"),
        Column::plain("client (sys%)", "µs"),
    ]);
    if has_resumed {
        columns.push(Column::plain("resumed", "%"));
    }
    columns.extend(latencies.iter().map(latency::Percentile::column));
    let row = |item: &Found<'_>| {
        let mut cells = vec![Cell::text(labels.name(item))];
        if has_rate {
            let rate = Some(item.work.rate).filter(|rate| *rate > 0);
            cells.push(Cell::maybe(rate.map(|rate| Quantity::exact(rate.into(), "req/s"))));
        }
        cells.extend(figures(facts, item));
        if has_resumed {
            cells.push(Cell::maybe(hit_rate(item)));
        }
        cells.extend(latency::percentiles(facts, item, &latencies));
        Row::plain(cells)
    };
    Table { caption: ends.caption(), columns, rows: items.iter().map(row).collect() }
}

/// The rate, who was the limit, and what a request costs each side.
fn figures(facts: &Facts<'_>, item: &Found<'_>) -> [Cell; 4] {
    let bound = bound(facts, item);
    let kernel =
        |side| cost::kernel(item.measurement.batches(), side).map(|Percent(kernel)| format!("{kernel:.0}"));
    let cost = |metric, side: Side| Cell::of(cost(facts, item, metric).map(|cost| cost.aside(kernel(side))));
    [
        Cell::of(cost::rate(facts, item, bound)),
        bound.map_or(Cell::Empty, |bound| Cell::text(bound.shown())),
        cost(Metric::Server, server),
        cost(Metric::Client, client),
    ]
}

/// Of all handshakes so many resumed, in percent; none where none was to resume.
pub(super) fn hit_rate(item: &Found<'_>) -> Option<Quantity> {
    let proof = item.measurement.proof().filter(|proof| resumes(item) && proof.handshakes > 0)?;
    let Percent(resumed) = Ratio(proof.resumed as f64 / proof.handshakes as f64).percent();
    Some(Quantity::exact(resumed, "%"))
}
