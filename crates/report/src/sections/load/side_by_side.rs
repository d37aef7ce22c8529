//! Many servers with one client, one server with many clients, and many libraries, beside each other.

use tlstax_doc::Metric;
use tlstax_spec::{Id, Load};

use crate::ask::distinct;
use crate::grid::{Cross, Measure};
use crate::label::CLIENT;
use crate::loads::{Ends, Found, Pair, by_ends, labels, server_cost};
use crate::model::{Chart, Quantity, Table};

/// What a pair of ends is called.
type Name = fn(&Ends<'_>) -> String;

/// What a table sets beside each other.
type Cost = fn(&Found<'_>) -> Result<Quantity, String>;

const SERVER: &str = "CPU time of the server for one request";

/// Tables where only the servers differ, or only the clients; none where both do, or neither.
pub(super) fn tables(items: &[Found<'_>]) -> Vec<Table> {
    let groups = by_ends(items);
    let differ = |name: Name| distinct(&groups, |(ends, _)| name(ends)).len() > 1;
    let server: Name = |ends| ends.server.to_owned();
    let client: Name = |ends| ends.client.to_owned();
    let shared =
        requests(items, |item| groups.iter().filter(|(_, own)| find(own, item).is_some()).count() > 1);
    let table =
        |what: &str, name, cost| cross(items, &shared, name, cost).table(format!("{what}, side by side"));
    let tables = match (differ(server), differ(client)) {
        (true, false) => vec![table(SERVER, server, server_cost)],
        (false, true) => vec![
            table(&format!("{SERVER}, as each client brings it about"), client, server_cost),
            table("CPU time of the client for one request", client, |item| item.micros(Metric::Client)),
        ],
        _ => Vec::new(),
    };
    tables.into_iter().flatten().collect()
}

/// What a request costs the server, a bar for each pair of ends.
pub(super) fn chart(items: &[Found<'_>]) -> Option<Chart> {
    let groups = by_ends(items);
    let servers = distinct(&groups, |(ends, _)| ends.server);
    let name: Name =
        if servers.len() < groups.len() { |ends| ends.title() } else { |ends| ends.server.to_owned() };
    cross(items, &requests(items, |_| true), name, |item| item.micros(Metric::Server)).chart(SERVER, true)
}

/// Requests by the ends that made them, under the names of these.
fn cross<'f, 'a: 'f>(
    items: &[Found<'a>],
    requests: &[Found<'a>],
    name: Name,
    cost: Cost,
) -> Cross<'f, Found<'a>> {
    let labels = labels(items, &[CLIENT]);
    let groups: Vec<(String, Vec<Found<'_>>)> =
        by_ends(items).into_iter().map(|(ends, own)| (name(&ends), own)).collect();
    let names: Vec<&str> = groups.iter().map(|(name, _)| name.as_str()).collect();
    let find = |wanted: &str, like: &Found<'a>| {
        let (_, own) = groups.iter().find(|(name, _)| name == wanted)?;
        find(own, like)
    };
    Cross::new("requests", labels.rows(requests), &names, find).measure(Measure::quantity(
        "{}",
        "µs",
        move |item: &Found<'a>| cost(item),
    ))
}

/// The first of each request among the wanted, whoever serves and whoever asks.
fn requests<'a>(items: &[Found<'a>], is_wanted: impl Fn(&Found<'a>) -> bool) -> Vec<Found<'a>> {
    distinct(items.iter().copied().filter(is_wanted), request)
}

fn find<'a>(own: &[Found<'a>], like: &Found<'_>) -> Option<Found<'a>> {
    own.iter().find(|item| request(item) == request(like)).copied()
}

/// What is asked for, whoever serves and whoever asks.
fn request(item: &Found<'_>) -> (u16, Load) {
    (item.case.threads, Load { client: Id::literal("any"), ..item.work.clone() })
}

/// What HTTPS adds on the server to each request, and the ratio, with libraries beside each other.
pub(super) fn differences(pairs: &[Pair<'_>], libraries: &[&str]) -> Option<Table> {
    let https: Vec<Found<'_>> = pairs.iter().map(|pair| pair.https).collect();
    let labels = labels(&https, &[]);
    let mut firsts: Vec<Pair<'_>> = Vec::new();
    for pair in pairs {
        if !firsts.iter().any(|known| known.alike(pair)) {
            firsts.push(*pair);
        }
    }
    let requests = firsts.into_iter().map(|pair| ([labels.name(&pair.https)], pair));
    let find = |library: &str, like: &Pair<'_>| like.with_library(library, pairs).copied();
    Cross::new("requests", requests, libraries, find)
        .measure(Measure::quantity("{} adds", "µs", Pair::added))
        .measure(Measure::quantity("ratio", "x", |pair: &Pair<'_>| {
            pair.https.times(&pair.http, Metric::Server)
        }))
        .table("What HTTPS adds to the server's CPU time of one request, and the ratio of HTTPS to HTTP")
}
