//! What HTTPS adds to HTTP, fitted over the bodies of requests: so much for each request, so much for each byte.

use tlstax_doc::Metric;
use tlstax_spec::{Contexts, Handshake, Load};
use tlstax_stats::affine;

use super::item::Found;
use super::pairs::{Pair, labels};
use crate::ask::{Item, grouped};
use crate::grid::{Grid, Measure};
use crate::label::BODY;
use crate::model::Table;
use crate::number;

const LEAST_BODIES: usize = 3;

/// A row for each set of loads that differ in their bodies alone, of which there are enough for a fit.
pub(crate) fn fitted(pairs: &[Pair<'_>], libraries: &[&str]) -> Option<Table> {
    let https: Vec<Found<'_>> = pairs.iter().map(|pair| pair.https).collect();
    let labels = labels(&https, &[BODY]);
    let named = |group: Vec<&Pair<'_>>| {
        let https = group[0].https;
        let is_wanted = group.len() >= LEAST_BODIES && libraries.contains(&https.library());
        let line = fit(&group).filter(|_| is_wanted)?;
        Some(([format!("{} {}", https.library(), labels.name(&https))], line))
    };
    Grid::new([""], by_body(pairs).filter_map(named))
        .measure(Measure::words("", String::clone))
        .table("What HTTPS adds, fitted over the bodies")
}

/// Pairs in groups that differ in their bodies alone.
fn by_body<'p, 'a>(pairs: &'p [Pair<'a>]) -> impl Iterator<Item = Vec<&'p Pair<'a>>> {
    let but_for_body = |pair: &&Pair<'a>| {
        let https = pair.https;
        (https.library(), https.case.threads, Load { body: 0, ..https.work.clone() })
    };
    grouped(pairs, but_for_body).into_iter().map(|(_, group)| group)
}

fn fit(group: &[&Pair<'_>]) -> Option<String> {
    let point = |pair: &&Pair<'_>| {
        let added = pair.added()?.value;
        (added > 0.0).then(|| (f64::from(pair.https.work.body), added))
    };
    let points: Vec<(f64, f64)> = group.iter().filter_map(point).collect();
    let fit = affine(&points)?;
    let line = format!(
        "{} µs per request + {} µs per KB (misses the worst by {})",
        number::three_digits(fit.per_call),
        number::three_digits(fit.per_byte * 1e3),
        number::percent(fit.worst_relative_error)
    );
    Some(match handshake(&group[0].https) {
        Some(cost) => format!("{line}; of it, the handshake as in memory: {} µs", number::three_digits(cost)),
        None => line,
    })
}

/// CPU microseconds of the server for the handshake that every request begins with, as it was measured in memory.
fn handshake(load: &Found<'_>) -> Option<f64> {
    let Load { params, resumption, requests_per_connection: requests, .. } = *load.work;
    let params = params.filter(|_| requests > 0)?;
    let like = |chain| Handshake { params, chain, resumption, mutual: false, contexts: Contexts::Shared };
    let is_it = |item: &&Item<'_, Handshake>| {
        item.library() == load.library() && item.case.threads == 1 && *item.work == like(item.work.chain)
    };
    let cost = load.facts.handshakes().iter().find(is_it)?.micros(Metric::Server).ok()?;
    Some(cost.value / f64::from(requests))
}
