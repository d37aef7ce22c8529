//! Many servers with one client, or one server with many clients, beside each other.

use tlstax_doc::Metric;
use tlstax_spec::Load;

use super::cost::{Found, cost, of_server};
use super::groups::{Ends, by_ends, title};
use super::labels;
use crate::ask::Facts;
use crate::label::CLIENT;
use crate::model::{Cell, Chart, Column, Quantity, Row, Series, Table};
use crate::sections::side_by_side::{table, too_many};

/// What a table sets beside each other.
type Cost = fn(&Facts<'_>, &Found<'_>) -> Result<Quantity, String>;

fn of_client(facts: &Facts<'_>, item: &Found<'_>) -> Result<Quantity, String> {
    cost(facts, item, Metric::Client)
}

/// Tables where only the servers differ, or only the clients; none where both do, or neither.
pub(super) fn tables(facts: &Facts<'_>, items: &[Found<'_>]) -> Vec<Table> {
    let groups = by_ends(items);
    let differs = |name: fn(&Ends<'_>) -> String| {
        groups.iter().any(|(ends, _)| groups.first().is_some_and(|(first, _)| name(first) != name(ends)))
    };
    let (servers, clients) = (differs(|ends| ends.server.to_owned()), differs(|ends| ends.client.to_owned()));
    let server = "CPU time of the server for one request";
    match (servers, clients) {
        (true, false) => beside(facts, items, server, |ends| ends.server.to_owned(), of_server),
        (false, true) => {
            let seen = format!("{server}, as each client brings it about");
            let client = "CPU time of the client for one request".to_owned();
            let of_both: [(String, Cost); 2] = [(seen, of_server), (client, of_client)];
            return of_both
                .into_iter()
                .filter_map(|(caption, cost)| {
                    beside(facts, items, &caption, |ends| ends.client.to_owned(), cost)
                })
                .collect();
        }
        _ => None,
    }
    .into_iter()
    .collect()
}

/// A row per request that at least two of them made.
fn beside(
    facts: &Facts<'_>,
    items: &[Found<'_>],
    caption: &str,
    name: impl Fn(&Ends<'_>) -> String,
    cost: Cost,
) -> Option<Table> {
    let groups = by_ends(items);
    let labels = labels(items, &[CLIENT]);
    let find = |own: &[Found<'_>], like: &Found<'_>| {
        own.iter().find(|item| is_same_request(item, like)).map(|item| Cell::of(cost(facts, item)))
    };
    let mut likes: Vec<Found<'_>> = Vec::new();
    for item in items {
        let shared = groups.iter().filter(|(_, own)| find(own, item).is_some()).count();
        if shared > 1 && !likes.iter().any(|known| is_same_request(known, item)) {
            likes.push(*item);
        }
    }
    let names: Vec<String> = groups.iter().map(|(ends, _)| name(ends)).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let caption = format!("{caption}, side by side");
    if too_many(&names) {
        let columns = likes.iter().map(|like| Column::quantity(labels.name(like), "µs")).collect();
        let cells = |wanted: &str| {
            let group = groups.iter().find(|(ends, _)| name(ends) == wanted);
            let cell = |like: &Found<'_>| group.and_then(|(_, own)| find(own, like)).unwrap_or(Cell::Empty);
            likes.iter().map(cell).collect::<Vec<_>>()
        };
        return table(caption, &names, columns, cells);
    }
    let row = |like: &Found<'_>| {
        let each = groups.iter().map(|(_, own)| find(own, like).unwrap_or(Cell::Empty));
        Row::plain(std::iter::once(Cell::text(labels.name(like))).chain(each).collect())
    };
    let columns = names.iter().map(|name| Column::quantity(*name, "µs"));
    (!likes.is_empty()).then(|| Table {
        caption,
        columns: std::iter::once(Column::label("requests")).chain(columns).collect(),
        rows: likes.iter().map(row).collect(),
    })
}

/// Whether two loads ask for the same, whoever serves and whoever asks.
fn is_same_request(a: &Found<'_>, b: &Found<'_>) -> bool {
    let with_client = Load { client: a.work.client.clone(), ..b.work.clone() };
    a.case.threads == b.case.threads && with_client == *a.work
}

/// What a request costs the server, a bar for each pair of ends.
pub(super) fn chart(facts: &Facts<'_>, items: &[Found<'_>]) -> Chart {
    let labels = labels(items, &[CLIENT]);
    let groups = by_ends(items);
    let many = groups.iter().any(|(ends, _)| {
        groups.iter().any(|(other, _)| other.server == ends.server && other.client != ends.client)
    });
    let mut likes: Vec<Found<'_>> = Vec::new();
    for item in items {
        if !likes.iter().any(|known| is_same_request(known, item)) {
            likes.push(*item);
        }
    }
    let point = |own: &[Found<'_>], like: &Found<'_>| {
        let item = own.iter().find(|item| is_same_request(item, like));
        item.map_or(Cell::Empty, |item| Cell::of(cost(facts, item, Metric::Server)))
    };
    let series = groups.iter().map(|(ends, own)| Series {
        name: title(ends, many),
        points: likes.iter().map(|like| point(own, like)).collect(),
    });
    Chart {
        title: "CPU time of the server for one request".to_owned(),
        unit: "µs",
        log: true,
        series: series.collect(),
        labels: likes.iter().map(|like| labels.name(like)).collect(),
    }
}
