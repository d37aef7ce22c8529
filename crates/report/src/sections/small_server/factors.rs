//! HTTPS as a multiple of HTTP, in time and in CPU time: pages down, ways to use connections across.

use tlstax_doc::Metric;
use tlstax_spec::{Load, Resumption};

use crate::ask::distinct;
use crate::grid::{Grid, Measure};
use crate::label::{Labels, keeping};
use crate::loads::{Ends, Pair, multiple};
use crate::model::{Chart, Quantity, Table};

/// As a table, and the server's CPU factor as a chart.
pub(super) fn factors(
    pairs: &[Pair<'_>],
    labels: &Labels<Load>,
    ends: &Ends<'_>,
) -> (Option<Table>, Option<Chart>) {
    let reuses = reuses(pairs);
    let factor = |reuse: &String, what: &str, metric| {
        let way = reuse.clone();
        Measure::quantity(format!("{reuse}{what}"), "x", move |like: &Pair<'_>| {
            let is_it = |pair: &&Pair<'_>| keeping(pair.https.work) == way && page(pair) == page(like);
            pairs.iter().find(is_it).map(|pair| ratio(pair, metric))
        })
    };
    let both = |reuse| [factor(reuse, ": slower", Metric::Wall), factor(reuse, ": CPU", Metric::Server)];
    let table = Grid::new(["page"], pages(pairs, labels)).measures(reuses.iter().flat_map(both));
    let chart = Grid::new(["page"], pages(pairs, labels))
        .measures(reuses.iter().map(|reuse| factor(reuse, "", Metric::Server)));
    let title = format!("{}: the server's CPU time over HTTPS as a multiple of HTTP", ends.caption());
    (table.table(format!("{}: HTTPS against HTTP", ends.caption())), chart.chart(title, false))
}

/// The ways in which connections are used, new ones first.
fn reuses(pairs: &[Pair<'_>]) -> Vec<String> {
    let mut found = distinct(pairs, |pair| (place(pair.https.work), keeping(pair.https.work)));
    found.sort_by_key(|pair| place(pair.https.work));
    found.into_iter().map(|pair| keeping(pair.https.work)).collect()
}

/// From the dearest to the cheapest.
fn place(work: &Load) -> u8 {
    match (work.requests_per_connection, work.resumption) {
        (0, _) => 2,
        (_, Resumption::Full) => 0,
        (_, _) => 1,
    }
}

/// The first pair of each page, whichever way its connections are used.
fn pages<'a>(pairs: &[Pair<'a>], labels: &Labels<Load>) -> Vec<([String; 1], Pair<'a>)> {
    let pages = distinct(pairs.iter().copied(), page);
    pages.into_iter().map(|pair| ([labels.name(&pair.https)], pair)).collect()
}

/// What is asked of which server, whichever way its connections are used.
fn page<'a>(pair: &Pair<'a>) -> (&'a str, u16, Load) {
    let https = pair.https;
    let kept = Load {
        requests_per_connection: 0,
        resumption: Resumption::Full,
        resumed_percent: 100,
        ..https.work.clone()
    };
    (https.library(), https.case.threads, kept)
}

fn ratio(pair: &Pair<'_>, metric: Metric) -> Result<Quantity, String> {
    let [https, http] = [pair.https, pair.http];
    match [https, http].iter().find_map(|item| item.measurement.outcome.hole()) {
        Some(reason) => Err(reason),
        None => multiple(&https, &http, metric).ok_or_else(|| "too few rounds have both".to_owned()),
    }
}
