//! The same requests over HTTP/1.1 and HTTP/2, with TLS and without: what of the rise is which.

mod variants;

use tlstax_spec::{Http, Load};

use self::variants::{DIFFERENCES, Variant, Variants, answers, sentences, variants};
use crate::ask::Facts;
use crate::grid::{Grid, Measure};
use crate::label::{Labels, PACED};
use crate::loads::{Ends, Found, bound, by_ends, is_only_a_transfer, server_cost};
use crate::model::{Quantity, Section, Table};
use crate::number;

const INTRO: &str = "\
    CPU time of the server for one request. HTTP: HTTP/1.1 without TLS, HTTPS: HTTP/1.1 over TLS, h2c: HTTP/2 without \
    TLS, h2: HTTP/2 over TLS. At an offered rate, (%) is the server's share of its core: what a quiet site sees. \
    As fast as it goes: the next request waits for the last answer only.";

pub(crate) fn section(facts: &Facts<'_>) -> Option<Section> {
    let mut items = facts.loads();
    items.retain(|item| !is_only_a_transfer(item.work));
    if !items.iter().any(|item| item.work.http == Http::Http2) {
        return None;
    }
    let groups: Vec<(Ends<'_>, Vec<Variants<'_>>)> = by_ends(&items)
        .into_iter()
        .map(|(ends, own)| (ends, variants(&own)))
        .filter(|(_, requests)| !requests.is_empty())
        .collect();
    let likes: Vec<Found<'_>> = groups.iter().flat_map(|(_, own)| own.iter().map(|one| one.like)).collect();
    if likes.is_empty() {
        return None;
    }
    let labels = Labels::of(PACED, &likes);
    let mut section = Section::new("http2", "HTTP/1.1 and HTTP/2", format!("{INTRO} {}.", labels.unsaid()));
    for (ends, requests) in &groups {
        let costs = costs(requests, &labels, |item| server_cost(item).map(|cost| cost.aside(busy(item))));
        section = section.with(costs.table(caption(ends))).with(differences(requests, &labels, ends));
    }
    let charts = groups
        .iter()
        .filter_map(|(ends, requests)| costs(requests, &labels, server_cost).chart(caption(ends), false));
    // The sentences say no more than the answers.
    let section = section.with(charts).answering(answers(&groups, &labels));
    Some(section.saying(sentences(&groups, &labels)))
}

fn caption(ends: &Ends<'_>) -> String {
    format!("{}: CPU time of the server for one request", ends.caption())
}

/// Each request with its cost in every variant.
fn costs<'f, 'a: 'f>(
    requests: &[Variants<'a>],
    labels: &Labels<Load>,
    cost: impl Fn(&Found<'_>) -> Result<Quantity, String> + Copy + 'f,
) -> Grid<'f, Variants<'a>> {
    let measure = |variant: Variant| {
        Measure::quantity(variant.name(), "µs", move |request: &Variants<'a>| {
            request.get(variant).as_ref().map(cost)
        })
    };
    Grid::new(["requests"], rows(requests, labels)).measures(Variant::ALL.map(measure))
}

fn rows<'a>(requests: &[Variants<'a>], labels: &Labels<Load>) -> Vec<([String; 1], Variants<'a>)> {
    requests.iter().map(|request| ([labels.name(&request.like)], *request)).collect()
}

/// The server's part of its core's time at an offered rate.
fn busy(item: &Found<'_>) -> Option<String> {
    let bound = bound(item).filter(|_| item.work.rate > 0)?;
    Some(number::percent(bound.server()))
}

/// What of the rise from HTTP/1.1 without TLS to HTTP/2 with it is which; only differences that some row has.
fn differences(requests: &[Variants<'_>], labels: &Labels<Load>, ends: &Ends<'_>) -> Option<Table> {
    let measure = |(title, more, less): (&str, Variant, Variant)| {
        Measure::quantity(title, "µs", move |request: &Variants<'_>| request.difference(more, less))
            .where_found()
    };
    Grid::new(["requests"], rows(requests, labels)).measures(DIFFERENCES.map(measure)).table(format!(
        "{}: what of the rise is TLS (HTTPS less HTTP), and what is HTTP/2 (h2 less HTTPS; without TLS, h2c less HTTP). \
         All: h2 less HTTP",
        ends.caption()
    ))
}
