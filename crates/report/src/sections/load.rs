//! Requests over loopback: how many, who was the limit, and what HTTPS adds to HTTP.

mod difference;
mod latency;

use tlstax_doc::{Batch, Metric};
use tlstax_spec::{Cpu, Load};

use super::notes;
use crate::facts::{Facts, Item};
use crate::label::{LOAD, Labels};
use crate::view::{Block, Cell, Chart, Column, Quantity, Row, Section, Series, Table};

type Found<'a> = Item<'a, Load>;

/// A side that runs on a core for at least this share of the elapsed time is the limit.
const SATURATED: f64 = 0.95;

pub(crate) fn section(facts: &Facts<'_>) -> Option<Section> {
    let items = facts.loads();
    if items.is_empty() {
        return None;
    }
    let libraries = facts.libraries(&items);
    let mut blocks = Vec::new();
    for library in &libraries {
        let own: Vec<Found<'_>> = items.iter().filter(|item| item.library() == *library).copied().collect();
        let labels = Labels::of(LOAD, &own);
        blocks.push(Block::Table(throughput(facts, &own, &labels, library)));
        blocks.push(Block::Table(latency::table(facts, &own, &labels, library)));
        blocks.extend(difference::tables(facts, &own, library).into_iter().map(Block::Table));
    }
    let labels = Labels::of(LOAD, &items).without("client");
    blocks.push(Block::Chart(chart(facts, &items, &labels, &libraries)));
    blocks.extend(notes(items.iter().map(|item| item.measurement)));
    let sentences = libraries.iter().flat_map(|library| {
        let own: Vec<Found<'_>> = items.iter().filter(|item| item.library() == *library).copied().collect();
        difference::sentences(facts, &own, library)
    });
    Some(Section {
        id: "load".to_owned(),
        title: "Requests".to_owned(),
        intro: "HTTP/1.1 over loopback, server and client each in a process and on a core of its own, closed loop. A \
                row is server-bound if the server ran for 95 % of the elapsed time or more: only such a row tells what \
                the server can do."
            .to_owned(),
        sentences: sentences.collect(),
        blocks,
    })
}

fn throughput(facts: &Facts<'_>, items: &[Found<'_>], labels: &Labels<Load>, library: &str) -> Table {
    let mut columns = labels.columns();
    columns.extend([
        Column::quantity("requests", "1/s"),
        Column::words("bound by"),
        Column::quantity("server", "µs/request"),
        Column::plain("in the kernel", "%"),
        Column::quantity("client", "µs/request"),
        Column::plain("in the kernel", "%"),
    ]);
    let row = |item: &Found<'_>| {
        let mut cells = labels.cells(item);
        let bound = bound(facts, item);
        cells.push(Cell::of(requests(facts, item, bound)));
        cells.push(bound.map_or(Cell::Empty, |bound| Cell::text(bound.shown())));
        for (metric, side) in [(Metric::Server, server as Side), (Metric::Client, client as Side)] {
            cells.push(Cell::of(cost(facts, item, metric)));
            cells.push(Cell::maybe(kernel(item.measurement.batches(), side)));
        }
        Row::plain(cells)
    };
    let caption = labels.caption(&format!("{library} as the server: throughput and CPU"));
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
    facts.cost(item.index, metric).map(|cost| Quantity::scaled(&cost, 1e-3, "µs/request"))
}

/// Requests per second; marked where the client was the limit.
fn requests(facts: &Facts<'_>, item: &Found<'_>, bound: Option<Bound>) -> Result<Quantity, String> {
    let wall = facts.cost(item.index, Metric::Wall)?;
    let rate = Quantity::rate(1e9, &wall, "1/s");
    Ok(match bound {
        Some(Bound::Client { .. }) => {
            rate.remarked("client-bound: the client was the limit, not a server figure")
        }
        _ => rate,
    })
}

/// The kernel's part of the CPU time of one side, in percent, where the kernel's accounting told it.
fn kernel(batches: &[Batch], side: Side) -> Option<Quantity> {
    let parts = batches.iter().filter_map(|batch| {
        let cpu = side(batch)?;
        Some((cpu.system?.0 as f64, (cpu.system? + cpu.user?).0 as f64))
    });
    let (system, all) = parts.fold((0.0, 0.0), |(system, all), part| (system + part.0, all + part.1));
    (all > 0.0).then(|| Quantity::exact(system / all * 100.0, "%"))
}

/// Who was the limit, with how busy each side was.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Bound {
    Server { server: f64 },
    Client { client: f64 },
    Neither { server: f64, client: f64 },
}

impl Bound {
    fn of(server: f64, client: f64) -> Self {
        match (server >= SATURATED, client >= SATURATED) {
            (true, _) => Self::Server { server },
            (false, true) => Self::Client { client },
            (false, false) => Self::Neither { server, client },
        }
    }

    fn shown(self) -> String {
        match self {
            Self::Server { server } => format!("server ({:.0} % busy)", busy(server)),
            Self::Client { client } => format!("client ({:.0} % busy)", busy(client)),
            Self::Neither { server, client } => {
                format!("neither (server {:.0} %, client {:.0} %)", busy(server), busy(client))
            }
        }
    }
}

/// A share in percent; readings of two clocks may differ by a little more than nothing.
fn busy(share: f64) -> f64 {
    (share * 100.0).min(100.0)
}

fn bound(facts: &Facts<'_>, item: &Found<'_>) -> Option<Bound> {
    let share = |metric| Some(facts.share(item.index, metric, Metric::Wall)?.value);
    Some(Bound::of(share(Metric::Server)?, share(Metric::Client)?))
}

fn chart(facts: &Facts<'_>, items: &[Found<'_>], labels: &Labels<Load>, libraries: &[&str]) -> Chart {
    let mut works: Vec<(&Load, String)> = Vec::new();
    for item in items {
        let like = |known: &Load| Load { client: item.work.client.clone(), ..known.clone() } == *item.work;
        if !works.iter().any(|(known, _)| like(known)) {
            works.push((item.work, labels.line(item)));
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
    let series = series.collect();
    Chart {
        title: "CPU time of the server for one request".to_owned(),
        unit: "µs/request",
        log: true,
        labels: works.into_iter().map(|(_, label)| label).collect(),
        series,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_busy_server_is_the_limit_even_beside_a_busy_client() {
        assert_eq!(Bound::of(0.97, 0.99), Bound::Server { server: 0.97 });
        assert_eq!(Bound::of(0.5, 0.99), Bound::Client { client: 0.99 });
        assert_eq!(Bound::of(0.5, 0.6).shown(), "neither (server 50 %, client 60 %)");
        assert_eq!(Bound::of(1.004, 0.6).shown(), "server (100 % busy)");
    }
}
