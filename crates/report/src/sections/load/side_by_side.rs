//! Many servers with one client, or one server with many clients, beside each other.

use tlstax_doc::Metric;
use tlstax_spec::{Id, Load};

use crate::ask::{Facts, distinct};
use crate::grid::{Cross, Measure};
use crate::label::CLIENT;
use crate::loads::{Ends, Found, by_ends, labels, server_cost};
use crate::model::{Chart, Quantity, Table};

/// What a pair of ends is called.
type Name = fn(&Ends<'_>) -> String;

/// What a table sets beside each other.
type Cost = fn(&Facts<'_>, &Found<'_>) -> Result<Quantity, String>;

const SERVER: &str = "CPU time of the server for one request";

const CLIENT_COST: Cost = |facts, item| facts.micros(item.index, Metric::Client);

/// Tables where only the servers differ, or only the clients; none where both do, or neither.
pub(super) fn tables(facts: &Facts<'_>, items: &[Found<'_>]) -> Vec<Table> {
    let groups = by_ends(items);
    let differ = |name: Name| distinct(&groups, |(ends, _)| name(ends)).len() > 1;
    let server: Name = |ends| ends.server.to_owned();
    let client: Name = |ends| ends.client.to_owned();
    let shared =
        requests(items, |item| groups.iter().filter(|(_, own)| find(own, item).is_some()).count() > 1);
    let table = |what: &str, name, cost| {
        cross(facts, items, &shared, name, cost).table(format!("{what}, side by side"))
    };
    let tables = match (differ(server), differ(client)) {
        (true, false) => vec![table(SERVER, server, server_cost)],
        (false, true) => vec![
            table(&format!("{SERVER}, as each client brings it about"), client, server_cost),
            table("CPU time of the client for one request", client, CLIENT_COST),
        ],
        _ => Vec::new(),
    };
    tables.into_iter().flatten().collect()
}

/// What a request costs the server, a bar for each pair of ends.
pub(super) fn chart(facts: &Facts<'_>, items: &[Found<'_>]) -> Option<Chart> {
    let groups = by_ends(items);
    let servers = distinct(&groups, |(ends, _)| ends.server);
    let name: Name =
        if servers.len() < groups.len() { |ends| ends.title() } else { |ends| ends.server.to_owned() };
    let cost: Cost = |facts, item| facts.micros(item.index, Metric::Server);
    cross(facts, items, &requests(items, |_| true), name, cost).chart(SERVER, true)
}

/// Requests by the ends that made them, under the names of these.
fn cross<'f, 'a: 'f>(
    facts: &'f Facts<'_>,
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
        move |item: &Found<'a>| cost(facts, item),
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
