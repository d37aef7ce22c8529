//! Requests over loopback: how many, who was the limit, and what HTTPS adds to HTTP.

mod difference;
mod latency;

use tlstax_doc::{Batch, Metric};
use tlstax_spec::{Cpu, Load};

use super::notes;
use crate::facts::{Facts, Item};
use crate::label::{CLIENT, LOAD, Labels};
use crate::quantity::{Quantity, Sign};
use crate::view::{Block, Cell, Chart, Column, Row, Section, Series, Table};

type Found<'a> = Item<'a, Load>;

/// A side that runs on a core for at least this share of the elapsed time is the limit.
const SATURATED: f64 = 0.95;

pub(crate) fn section(facts: &Facts<'_>) -> Option<Section> {
    let items = facts.loads();
    if items.is_empty() {
        return None;
    }
    let libraries = facts.libraries(&items);
    let mut blocks: Vec<Block> = Vec::new();
    let all = Labels::of(LOAD, &items).without(CLIENT);
    for library in &libraries {
        let own: Vec<Found<'_>> = items.iter().filter(|item| item.library() == *library).copied().collect();
        blocks.push(Block::Table(requests(facts, &own, library)));
    }
    blocks.extend(difference::tables(facts, &items, &libraries).into_iter().map(Block::Table));
    blocks.push(Block::Chart(chart(facts, &items, &all, &libraries)));
    blocks.extend(notes(items.iter().map(|item| item.measurement)));
    Some(Section {
        id: "load".to_owned(),
        title: "Requests".to_owned(),
        intro: intro(&all),
        sentences: difference::sentences(facts, &items, &libraries),
        blocks,
    })
}

fn intro(labels: &Labels<Load>) -> String {
    format!(
        "HTTP/1.1 over loopback, closed loop, server and client each in a process on a core of its own: {}. New: a \
         connection per request. Busy: server's / client's share of the elapsed time, * where {:.0} % or more and so \
         the limit. Latency includes connecting; (sys%) is the kernel's part.",
        labels.unsaid(),
        SATURATED * 100.0
    )
}

fn requests(facts: &Facts<'_>, items: &[Found<'_>], library: &str) -> Table {
    let mut labels = Labels::of(LOAD, items);
    let mut caption = format!("{library} as the server");
    if let [first, others @ ..] = items
        && others.iter().all(|item| item.work.client == first.work.client)
    {
        labels = labels.without(CLIENT);
        caption += &format!(", {} as the client", first.work.client);
    }
    let mut columns = vec![
        Column::label("requests"),
        Column::plain("req/s", ""),
        Column { numeric: true, unit: "% s/c", ..Column::words("busy") },
        Column::quantity("server (sys%)", "µs"),
        Column::plain("client (sys%)", "µs"),
    ];
    columns.extend(latency::columns());
    let row = |item: &Found<'_>| {
        let bound = bound(facts, item);
        let kernel = |side| kernel(item.measurement.batches(), side).map(|share| format!("{share:.0}"));
        let cost =
            |metric, side: Side| Cell::of(cost(facts, item, metric).map(|cost| cost.aside(kernel(side))));
        let mut cells = vec![
            Cell::text(labels.name(item)),
            Cell::of(rate(facts, item, bound)),
            bound.map_or(Cell::Empty, |bound| Cell::text(bound.shown())),
            cost(Metric::Server, server),
            cost(Metric::Client, client),
        ];
        cells.extend(latency::percentiles(facts, item));
        Row::plain(cells)
    };
    Table { caption, columns, rows: items.iter().map(row).collect() }
}

type Side = fn(&Batch) -> Option<Cpu>;

fn server(batch: &Batch) -> Option<Cpu> {
    batch.sample.server
}

fn client(batch: &Batch) -> Option<Cpu> {
    batch.sample.client
}

/// CPU microseconds of one side for one request.
fn cost(facts: &Facts<'_>, item: &Found<'_>, metric: Metric) -> Result<Quantity, String> {
    facts.cost(item.index, metric).map(|cost| Quantity::scaled(&cost, 1e-3, "µs"))
}

/// Requests per second; marked where the client was the limit.
fn rate(facts: &Facts<'_>, item: &Found<'_>, bound: Option<Bound>) -> Result<Quantity, String> {
    let wall = facts.cost(item.index, Metric::Wall)?;
    let rate = Quantity::rate(1e9, &wall, "");
    let sign = if bound.is_some_and(Bound::is_client) { Some(Sign::AtLeast) } else { rate.sign };
    Ok(Quantity { sign, ..rate })
}

/// The kernel's part of the CPU time of one side, in percent, where the kernel's accounting told it.
fn kernel(batches: &[Batch], side: Side) -> Option<f64> {
    let parts = batches.iter().filter_map(|batch| {
        let cpu = side(batch)?;
        Some((cpu.system?.0 as f64, (cpu.system? + cpu.user?).0 as f64))
    });
    let (system, all) = parts.fold((0.0, 0.0), |(system, all), part| (system + part.0, all + part.1));
    (all > 0.0).then(|| system / all * 100.0)
}

/// How busy each side was: the share of the elapsed time that it ran.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Bound {
    server: f64,
    client: f64,
}

impl Bound {
    /// Whether the client was the limit; a server that is as busy is the limit too.
    fn is_client(self) -> bool {
        self.client >= SATURATED && self.server < SATURATED
    }

    /// Both in percent, with a mark at those that were the limit.
    fn shown(self) -> String {
        let side = |share| format!("{:.0}{}", busy(share), if share >= SATURATED { "*" } else { "" });
        format!("{}/{}", side(self.server), side(self.client))
    }
}

/// A share in percent; readings of two clocks may differ by a little more than nothing.
fn busy(share: f64) -> f64 {
    (share * 100.0).min(100.0)
}

fn bound(facts: &Facts<'_>, item: &Found<'_>) -> Option<Bound> {
    let share = |metric| Some(facts.share(item.index, metric, Metric::Wall)?.value);
    Some(Bound { server: share(Metric::Server)?, client: share(Metric::Client)? })
}

fn chart(facts: &Facts<'_>, items: &[Found<'_>], labels: &Labels<Load>, libraries: &[&str]) -> Chart {
    let mut works: Vec<(&Load, String)> = Vec::new();
    for item in items {
        let like = |known: &Load| Load { client: item.work.client.clone(), ..known.clone() } == *item.work;
        if !works.iter().any(|(known, _)| like(known)) {
            works.push((item.work, labels.name(item)));
        }
    }
    let point = |library: &str, like: &Load| {
        let is_it = |item: &&Found<'_>| {
            item.library() == library
                && Load { client: item.work.client.clone(), ..like.clone() } == *item.work
        };
        items.iter().find(is_it).map_or(Cell::Empty, |item| Cell::of(cost(facts, item, Metric::Server)))
    };
    let series = libraries.iter().map(|library| Series {
        name: (*library).to_owned(),
        points: works.iter().map(|(like, _)| point(library, like)).collect(),
    });
    Chart {
        title: "CPU time of the server for one request".to_owned(),
        unit: "µs",
        log: true,
        series: series.collect(),
        labels: works.into_iter().map(|(_, label)| label).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_busy_server_is_the_limit_even_beside_a_busy_client() {
        let of = |server, client| Bound { server, client };
        assert!(of(0.5, 0.99).is_client() && !of(0.97, 0.99).is_client() && !of(0.5, 0.6).is_client());
        assert_eq!(of(0.97, 0.99).shown(), "97*/99*");
        assert_eq!(of(0.5, 0.6).shown(), "50/60");
        assert_eq!(of(1.004, 0.6).shown(), "100*/60");
    }
}
