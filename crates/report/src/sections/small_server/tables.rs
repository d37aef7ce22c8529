//! HTTPS as a multiple of HTTP, in time and in CPU time, and what it adds, taken apart by what was measured.

use tlstax_doc::Metric;
use tlstax_spec::{Direction, Load, Page, Resumption};

use crate::ask::distinct;
use crate::grid::{Grid, Measure};
use crate::label::{CLIENT, LOAD, Labels, SCHEME, keeping};
use crate::loads::{Ends, Found, Pair, multiple};
use crate::model::{Chart, Quantity, Table};

/// Pages down, ways to use connections across: as a table, and the server's CPU factor as a chart.
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

/// What HTTPS adds to a request, and the parts of it that follow from differences of rows.
struct Parts {
    added: Quantity,
    /// What it adds beyond the same request on a connection that is kept.
    handshake: Option<Quantity>,
    /// What HTTP would cost more without sendfile.
    sendfile: Option<Quantity>,
    /// What is left: records, bytes, and all that no difference of rows separates.
    rest: Option<Quantity>,
}

impl Parts {
    fn of(pair: &Pair<'_>, pairs: &[Pair<'_>]) -> Option<Self> {
        let added = pair.added()?;
        if pair.https.work.requests_per_connection == 0 {
            let sendfile = pair.sendfile();
            let rest = sendfile.as_ref().map_or_else(|| added.clone(), |sendfile| added.minus(sendfile));
            return Some(Self { added, handshake: None, sendfile, rest: Some(rest) });
        }
        // Without the same request on a kept connection the handshake cannot be separated.
        let Some(kept) = pair.kept(pairs).and_then(|kept| Self::of(kept, pairs)) else {
            return Some(Self { added, handshake: None, sendfile: pair.sendfile(), rest: None });
        };
        let handshake = Some(added.minus(&kept.added));
        Some(Self { added, handshake, sendfile: kept.sendfile, rest: kept.rest })
    }
}

/// Whether plain HTTP sends this by sendfile.
fn is_sent_by_the_kernel(pair: &Pair<'_>) -> bool {
    pair.http.work.page == Page::Static && pair.http.work.direction == Direction::Download
}

/// A row for each pair; a part that no row has makes no column.
pub(super) fn parts<'a>(pairs: &[Pair<'a>], ends: &Ends<'_>) -> Option<Table> {
    type About<'a> = (Pair<'a>, Parts);
    let https: Vec<Found<'_>> = pairs.iter().map(|pair| pair.https).collect();
    let labels = Labels::except(&[CLIENT, SCHEME], LOAD, &https);
    let row = |pair: &Pair<'a>| Some(([labels.name(&pair.https)], (*pair, Parts::of(pair, pairs)?)));
    let rows: Vec<([String; 1], About<'_>)> = pairs.iter().filter_map(row).collect();
    let has_sendfile = rows.iter().any(|(_, (_, parts))| parts.sendfile.is_some());
    let rest = if has_sendfile { "records, bytes" } else { "records, bytes, lost sendfile" };
    // Without its own row of HTTP without sendfile, a file's records cannot be separated from that loss.
    let is_separate = move |(pair, parts): &About<'_>| {
        !has_sendfile || parts.sendfile.is_some() || !is_sent_by_the_kernel(pair)
    };
    let part = |title, part: fn(&Parts) -> Option<Quantity>| {
        Measure::quantity(title, "µs", move |(_, parts): &About<'_>| part(parts))
    };
    Grid::new(["requests"], rows)
        .measure(Measure::quantity("HTTP", "µs", |(pair, _): &About<'_>| pair.http.micros(Metric::Server)))
        .measure(part("HTTPS adds", |parts| Some(parts.added.clone())))
        .measure(part("handshake", |parts| parts.handshake.clone()).where_found())
        .measure(part("lost sendfile", |parts| parts.sendfile.clone()).where_found())
        .measure(Measure::quantity(rest, "µs", move |about: &About<'_>| {
            about.1.rest.clone().filter(|_| is_separate(about))
        }))
        .table(format!("{}: what HTTPS adds to the server's CPU time of a request", ends.caption()))
}
