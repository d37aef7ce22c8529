//! Handshakes on a server under load: what a connection costs each side, by key, exchange, version and resumption.

mod connections;

use tlstax_doc::Metric;
use tlstax_spec::Load;

use self::connections::{compared, first, sentences};
use crate::ask::Facts;
use crate::grid::{Grid, Measure};
use crate::label::{Labels, ON_SERVER};
use crate::loads::{
    Bound, Ends, Found, HIT_RATE, bound, by_ends, hit_rate, multiple, plain, resumptions, server_cost,
};
use crate::model::{Chart, Section, Table};
use crate::told::told;

pub(crate) fn section(facts: &Facts<'_>) -> Option<Section> {
    let all = facts.loads();
    let groups: Vec<(Ends<'_>, Vec<Found<'_>>)> =
        by_ends(&all).into_iter().filter_map(|(ends, own)| Some((ends, compared(&own)?))).collect();
    let items: Vec<Found<'_>> = groups.iter().flat_map(|(_, own)| own.iter().copied()).collect();
    if items.is_empty() {
        return None;
    }
    let labels = Labels::of(ON_SERVER, &items);
    let section = Section::new("server-handshakes", "Handshakes on a server", intro(&all, &items, &labels))
        .with(groups.iter().filter_map(|(ends, own)| table(&all, own, &labels, ends)))
        .with(groups.iter().filter_map(|(ends, own)| chart(own, &labels, ends)));
    let answers = groups.iter().filter_map(|(ends, own)| answer(own, &labels, ends)).collect();
    Some(section.saying(sentences(&groups)).answering(answers))
}

/// What the connections of the first row and of the dearest cost the server.
fn answer(items: &[Found<'_>], labels: &Labels<Load>, ends: &Ends<'_>) -> Option<String> {
    let cost = |item: &Found<'_>| Some((labels.name(item), server_cost(item).ok()?));
    let costs: Vec<_> = items.iter().filter_map(cost).collect();
    let (first, base) = costs.first()?;
    let (other, dearest) = costs.iter().max_by(|a, b| a.1.value.total_cmp(&b.1.value))?;
    let up_to =
        if other == first { String::new() } else { format!(", up to {} with {other}", told(dearest)) };
    Some(format!("A connection with {first} costs the server {}{up_to} ({}).", told(base), ends.named()))
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
    let intro = format!(
        "CPU time of each side for one connection with one request, under load: {}. {share} Of first: the server's cost \
         as a multiple of the first row's. {} {}",
        labels.unsaid(),
        resumptions(items),
        if items.iter().any(|item| hit_rate(item).is_some()) { HIT_RATE } else { "" }
    );
    intro.trim_end().to_owned()
}

fn table(all: &[Found<'_>], items: &[Found<'_>], labels: &Labels<Load>, ends: &Ends<'_>) -> Option<Table> {
    let first = first(items);
    let of_tls = |metric| move |item: &Found<'_>| item.more_than(&plain(all, item, true)?, metric).ok();
    let of_first =
        |item: &Found<'_>| multiple(item, &first.filter(|first| first.index != item.index)?, Metric::Server);
    Grid::new(["handshake"], labels.rows(items))
        .measure(Measure::quantity("server", "µs", server_cost))
        .measure(Measure::quantity("server's TLS", "µs", of_tls(Metric::Server)).where_found())
        .measure(Measure::plain("client", "µs", |item: &Found<'_>| item.micros(Metric::Client)).ranked(1))
        .measure(Measure::plain("client's TLS", "µs", of_tls(Metric::Client)).where_found().ranked(2))
        .measure(Measure::quantity("of first", "x", of_first))
        .measure(Measure::plain("resumed", "%", hit_rate).where_found())
        .measure(Bound::measure(bound))
        .table(format!("{}: one connection", ends.caption()))
}

fn chart(items: &[Found<'_>], labels: &Labels<Load>, ends: &Ends<'_>) -> Option<Chart> {
    Grid::new(["handshake"], labels.rows(items))
        .measures([Metric::Server, Metric::Client].map(|side| Measure::micros(side.name(), side)))
        .chart(format!("{}: CPU time for one connection", ends.caption()), true)
}
