//! On the network: round trips before the request, and packets and bytes with the headers of TCP and IP.

use tlstax_spec::{Bulk, Contexts, Direction, Handshake};

use crate::ask::{Facts, Item, distinct, libraries, works};
use crate::grid::{Cross, Grid, Measure};
use crate::label::{BULK, HANDSHAKE, Labels, key, version};
use crate::model::{Column, Quantity, Section, Table};
use crate::network::Sent;

type Found<'a> = Item<'a, Handshake>;

const INTRO: &str = "\
    Counted in memory: how many round trips the client waits before its request, and the bytes of TLS. All else is computed \
    from that. With TCP: TCP's own handshake comes first, and a large flight waits for its window. With False Start (RFC 7918) \
    the client sends its request with its own Finished. Packets and bytes have the headers of TCP and IP.";

pub(crate) fn section(facts: &Facts<'_>) -> Option<Section> {
    let (mut items, bulks) = (facts.handshakes(), facts.bulks());
    items.retain(|item| {
        item.case.threads == 1 && item.work.contexts == Contexts::Shared && !item.is_control()
    });
    let counted: Vec<Found<'_>> = items.iter().filter(|item| trips(item).is_some()).copied().collect();
    let section = Section::new("wire", "On the network", INTRO)
        .with(waits(&items, &counted))
        .with(connections(&items, &counted))
        .with(data(&bulks));
    let sentences = [waiting(&counted), connection(&items)].into_iter().flatten().collect();
    (!section.blocks.is_empty()).then(|| section.saying(sentences))
}

/// Round trips of each handshake, by the first library that counted them.
fn waits(items: &[Found<'_>], counted: &[Found<'_>]) -> Option<Table> {
    let labels = Labels::of(HANDSHAKE, items);
    let number = |title: &str| Column { numeric: true, ..Column::words(title) };
    let text = |count: Option<u32>| count.map(|count| count.to_string());
    Grid::new(["handshake"], labels.rows(&works(counted)))
        .measure(Measure::new(number("trips"), move |item| text(trips(item))))
        .measure(Measure::new(number("with False Start"), move |item| text(false_start(item))).where_found())
        .measure(Measure::new(number("with TCP"), move |item| text(with_tcp(item))))
        .table(labels.caption("Round trips before the request, counted and computed"))
}

/// What each side sends for a connection with a handshake.
fn connections(items: &[Found<'_>], counted: &[Found<'_>]) -> Option<Table> {
    let network = counted.first()?.facts.network;
    let labels = Labels::of(HANDSHAKE, items);
    let side = |side: usize| move |item: &Found<'_>| sent(item).map(|sides| quantity(sides[side]));
    let find = |library: &str, like: &Found<'_>| like.by(library, items);
    Cross::new("handshake", labels.rows(&works(items)), &libraries(items), find)
        .measure(Measure::plain("{}: client", "B", side(0)))
        .measure(Measure::plain("{}: server", "B", side(1)))
        .table(format!("A connection that is opened, makes a handshake and is closed: {network}"))
}

/// What is added to each byte of data in full packets, by the first library that was measured with them.
fn data(bulks: &[Item<'_, Bulk>]) -> Option<Table> {
    let counted: Vec<_> = bulks.iter().filter(|item| of_tls(item).is_some()).copied().collect();
    let network = counted.first()?.facts.network;
    let labels = Labels::of(BULK, bulks);
    let percent = |share: Option<f64>| share.map(|share| Quantity::exact(share * 100.0, "%"));
    let headers = network.headers_per_byte();
    let with_headers = move |item: &Item<'_, Bulk>| Some((1.0 + of_tls(item)?) * (1.0 + headers) - 1.0);
    Grid::new(["data"], labels.rows(&works(&counted)))
        .measure(Measure::plain("TLS adds", "%", move |item: &Item<'_, Bulk>| percent(of_tls(item))))
        .measure(Measure::plain("TCP and IP alone", "%", move |_| percent(Some(headers))))
        .measure(Measure::plain("all together", "%", move |item| percent(with_headers(item))))
        .table(format!("What is added to data in full packets: {network}"))
}

/// What TLS adds to data as a share of them.
fn of_tls(item: &Item<'_, Bulk>) -> Option<f64> {
    let proof = item.measurement.proof().filter(|_| !item.is_control() && item.case.threads == 1)?;
    let sent = match item.work.direction {
        Direction::Download => proof.server_bytes,
        Direction::Upload => proof.client_bytes,
    };
    (sent > 0).then(|| sent as f64 / f64::from(item.work.buffer) - 1.0)
}

fn trips(item: &Found<'_>) -> Option<u32> {
    item.measurement.proof()?.round_trips
}

fn false_start(item: &Found<'_>) -> Option<u32> {
    item.work.round_trips_with_false_start(trips(item)?)
}

/// With the one in which TCP's connection is opened, and those in which the server's first flight waits for its window.
fn with_tcp(item: &Found<'_>) -> Option<u32> {
    let proof = item.measurement.proof()?;
    let trips = proof.round_trips?;
    // A request that waits for nothing goes before that flight.
    let first = proof.flights.get(1).copied().unwrap_or(proof.server_bytes);
    let waits = if trips == 0 { 0 } else { item.facts.network.waits(first) };
    Some(trips.saturating_add(waits).saturating_add(1))
}

/// What the client and the server send.
fn sent(item: &Found<'_>) -> Result<[Sent; 2], String> {
    if let Some(hole) = item.measurement.outcome.hole() {
        return Err(hole);
    }
    let flights = item.measurement.proof().map_or(&[][..], |proof| &proof.flights);
    match flights.is_empty() {
        false => Ok(item.facts.network.handshake(flights)),
        true => Err("the bytes of each flight were not counted: measure it anew".to_owned()),
    }
}

fn quantity(Sent { packets, bytes }: Sent) -> Quantity {
    let plural = if packets == 1 { "" } else { "s" };
    Quantity::exact(bytes as f64, "B").aside(Some(format!("{packets} packet{plural}")))
}

/// The round trips of each version and way to resume.
fn waiting(counted: &[Found<'_>]) -> Option<String> {
    let kinds = distinct(counted.iter().copied(), |item| {
        (item.work.params.version, item.work.resumption, item.work.allows_false_start())
    });
    let kind = |item: &Found<'_>| {
        let sooner = with_tcp(item)?.checked_sub(1).filter(|_| false_start(item).is_some());
        let sooner = sooner.map(|trips| format!(" ({trips} with False Start)")).unwrap_or_default();
        let (version, resumption) = (version(item.work.params.version), item.work.resumption);
        Some(format!("{version} {resumption} {}{sooner}", with_tcp(item)?))
    };
    let told: Vec<String> = kinds.iter().filter_map(kind).collect();
    let told = (!told.is_empty()).then(|| told.join(", "))?;
    Some(format!("Round trips before the first request, computed with TCP's own: {told}."))
}

/// The first handshake whose flights are known, beside a connection of TCP alone.
fn connection(items: &[Found<'_>]) -> Option<String> {
    let (item, sides) = items.iter().find_map(|item| Some((item, sent(item).ok()?)))?;
    let both = |[client, server]: [Sent; 2]| {
        let packets = client.packets.saturating_add(server.packets);
        format!("{} bytes in {packets} packets", client.bytes.saturating_add(server.bytes))
    };
    let params = item.work.params;
    let network = item.facts.network;
    Some(format!(
        "A connection with one handshake ({} {}, {}, {}) is {} on the network ({network}), one without TLS {}.",
        version(params.version),
        item.work.resumption,
        key(params.key),
        item.library(),
        both(sides),
        both(network.empty_connection())
    ))
}
