//! Handshakes on a server under load: what a connection costs each side, by key, exchange, version and resumption.

mod sentences;

use tlstax_doc::Metric;
use tlstax_spec::{Direction, Load, Page};

use crate::ask::Facts;
use crate::label::{Labels, ON_SERVER};
use crate::loads::{
    Ends, Found, HIT_RATE, bound, by_ends, hit_rate, multiple, plain, resumptions, server_cost,
};
use crate::model::{Block, Cell, Chart, Column, Quantity, Row, Section, Series, Table};

pub(crate) fn section(facts: &Facts<'_>) -> Option<Section> {
    let all = facts.loads();
    let groups: Vec<(Ends<'_>, Vec<Found<'_>>)> =
        by_ends(&all).into_iter().filter_map(|(ends, own)| Some((ends, connections(&own)?))).collect();
    let items: Vec<Found<'_>> = groups.iter().flat_map(|(_, own)| own.iter().copied()).collect();
    if items.is_empty() {
        return None;
    }
    let labels = Labels::of(ON_SERVER, &items);
    let mut blocks: Vec<Block> =
        groups.iter().map(|(ends, own)| Block::Table(table(facts, &all, own, &labels, ends))).collect();
    blocks.extend(groups.iter().map(|(ends, own)| Block::Chart(chart(facts, own, &labels, ends))));
    Some(Section {
        id: "server-handshakes".to_owned(),
        title: "Handshakes on a server".to_owned(),
        intro: intro(&all, &items, &labels),
        blocks,
        sentences: sentences::sentences(facts, &groups),
    })
}

fn intro(all: &[Found<'_>], items: &[Found<'_>], labels: &Labels<Load>) -> String {
    let share = match items.iter().any(|item| plain(all, item, true).is_some()) {
        true => {
            "TLS: what is left without the cost of the same request over plain HTTP: the handshake, the records of one \
             answer, and the close of TLS."
        }
        false => {
            "The same request over plain HTTP was not measured, so the request itself is in every figure."
        }
    };
    let said = format!(
        "CPU time of each side for one connection with one request, under load: {}. {share} Of first: the server's cost \
         as a multiple of the first row's. {} {}",
        labels.unsaid(),
        resumptions(items),
        if items.iter().any(|item| hit_rate(item).is_some()) { HIT_RATE } else { "" }
    );
    said.trim_end().to_owned()
}

/// The HTTPS connections with one request of the smallest body, where there is something to compare.
fn connections<'a>(own: &[Found<'a>]) -> Option<Vec<Found<'a>>> {
    let one = |item: &&Found<'_>| {
        let Load { params, requests_per_connection, rate, page, work_us, direction, .. } = item.work;
        let is_small = *page == Page::Static && *work_us == 0 && *direction == Direction::Download;
        params.is_some() && *requests_per_connection == 1 && *rate == 0 && is_small
    };
    let body = own.iter().filter(one).map(|item| item.work.body).min()?;
    let found: Vec<Found<'_>> =
        own.iter().filter(one).filter(|item| item.work.body == body).copied().collect();
    let kind = |work: &Load| (work.params, work.resumption, work.resumed_percent);
    let differ = found.iter().any(|item| kind(item.work) != kind(found[0].work));
    differ.then_some(found)
}

fn table(
    facts: &Facts<'_>,
    all: &[Found<'_>],
    items: &[Found<'_>],
    labels: &Labels<Load>,
    ends: &Ends<'_>,
) -> Table {
    let has_plain = items.iter().any(|item| plain(all, item, true).is_some());
    let has_resumed = items.iter().any(|item| hit_rate(item).is_some());
    let mut columns = vec![Column::label("handshake"), Column::quantity("server", "µs")];
    columns.extend(has_plain.then(|| Column::quantity("server's TLS", "µs")));
    columns.push(Column::plain("client", "µs"));
    columns.extend(has_plain.then(|| Column::plain("client's TLS", "µs")));
    columns.push(Column::quantity("of first", "x"));
    columns.extend(has_resumed.then(|| Column::plain("resumed", "%")));
    columns.push(Column { numeric: true, unit: "% s/c", ..Column::words("busy") });
    let row = |item: &Found<'_>| {
        let of_tls = |metric| {
            let base = facts.micros(plain(all, item, true)?.index, metric).ok()?;
            Some(facts.micros(item.index, metric).ok()?.minus(&base))
        };
        let mut cells = vec![Cell::text(labels.name(item)), Cell::of(server_cost(facts, item))];
        cells.extend(has_plain.then(|| Cell::maybe(of_tls(Metric::Server))));
        cells.push(Cell::of(facts.micros(item.index, Metric::Client)));
        cells.extend(has_plain.then(|| Cell::maybe(of_tls(Metric::Client))));
        cells.push(Cell::maybe(of_first(facts, items, item)));
        cells.extend(has_resumed.then(|| Cell::maybe(hit_rate(item))));
        cells.push(bound(facts, item).map_or(Cell::Empty, |bound| Cell::text(bound.shown())));
        Row::plain(cells)
    };
    Table {
        caption: format!("{}: one connection", ends.caption()),
        columns,
        rows: items.iter().map(row).collect(),
    }
}

/// The server's cost as a multiple of the first row's that has one.
fn of_first(facts: &Facts<'_>, items: &[Found<'_>], item: &Found<'_>) -> Option<Quantity> {
    let first = first(facts, items).filter(|first| first.index != item.index)?;
    multiple(facts, item, &first, Metric::Server)
}

fn first<'a>(facts: &Facts<'_>, items: &[Found<'a>]) -> Option<Found<'a>> {
    items.iter().find(|item| facts.cost(item.index, Metric::Server).is_ok()).copied()
}

fn chart(facts: &Facts<'_>, items: &[Found<'_>], labels: &Labels<Load>, ends: &Ends<'_>) -> Chart {
    let series = [("server", Metric::Server), ("client", Metric::Client)].map(|(name, metric)| Series {
        name: name.to_owned(),
        points: items.iter().map(|item| Cell::of(facts.micros(item.index, metric))).collect(),
    });
    Chart {
        title: format!("{}: CPU time for one connection", ends.caption()),
        unit: "µs",
        log: true,
        labels: items.iter().map(|item| labels.name(item)).collect(),
        series: series.into(),
    }
}
