//! Large files as write-ups on them have it: ciphers down, who moves the file and which way across.

use tlstax_doc::Metric;
use tlstax_spec::{Direction, Id, Load};

use crate::ask::distinct;
use crate::grid::{Grid, Measure};
use crate::label::{CIPHERS, Labels};
use crate::loads::{Found, SPEED, speed};
use crate::model::Table;

/// Who moves a file, and which way.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Way<'a> {
    client: &'a str,
    direction: Direction,
    form: bool,
}

/// One table for each figure; none where there is one way only, which a list shows as well.
pub(super) fn tables(items: &[Found<'_>], server: &str) -> Vec<Table> {
    let ways = distinct(items.iter().map(|item| Way::of(item.work)), |way| *way);
    if ways.len() < 2 {
        return Vec::new();
    }
    let figures = [
        ("MiB in a second of elapsed time", Metric::Wall),
        ("MiB in a second of the client's CPU time", Metric::Client),
        ("MiB in a second of the server's CPU time", Metric::Server),
    ];
    let table = |(what, metric)| table(items, &ways, metric, format!("{server} as the server: {what}"));
    figures.into_iter().filter_map(table).collect()
}

fn table(items: &[Found<'_>], ways: &[Way<'_>], metric: Metric, caption: String) -> Option<Table> {
    let labels = Labels::of(CIPHERS, items);
    let rows = distinct(items.iter().copied(), |item| (item.case.threads, in_any_way(item.work)));
    let columns = ways.iter().map(|way| {
        Measure::quantity(way.title(), SPEED, move |row: &Found<'_>| {
            let is_it = |item: &&Found<'_>| {
                item.case.threads == row.case.threads
                    && Way::of(item.work) == *way
                    && in_any_way(item.work) == in_any_way(row.work)
            };
            items.iter().find(is_it).map(|item| speed(item, metric))
        })
    });
    Grid::new(["cipher"], labels.rows(&rows)).measures(columns).table(caption)
}

impl<'a> Way<'a> {
    fn of(load: &'a Load) -> Self {
        Self { client: load.client.as_str(), direction: load.direction, form: load.form }
    }

    fn title(self) -> String {
        let Self { client, direction, form } = self;
        format!("{client} {}", if form { "form" } else { direction.name() })
    }
}

/// A load without who moves the file and which way.
fn in_any_way(load: &Load) -> Load {
    let client = const { Id::literal("client") };
    Load { client, direction: Direction::Download, form: false, ..load.clone() }
}
