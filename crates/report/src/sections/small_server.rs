//! HTTP against HTTPS on a real server, by size and kind of page: how much slower, how much dearer, and why.

mod parts;
mod sentences;

use tlstax_doc::Metric;
use tlstax_spec::{Http, Load, Resumption};

use crate::ask::{Facts, distinct};
use crate::grid::{Grid, Measure};
use crate::label::{CLIENT, KEEPING, LOAD, Labels, SCHEME, keeping};
use crate::loads::{Ends, Found, Pair, by_ends, fitted, is_only_a_transfer, multiple, pairs, resumptions};
use crate::model::{Block, Chart, Quantity, Section, Table};

const INTRO: &str = "\
    Slower: requests per second over HTTP as a multiple of those over HTTPS, from request to request. CPU: the server's \
    CPU time of a request over HTTPS as a multiple of that over HTTP. New: each request on a connection of its own, with \
    a full handshake or one that resumes. Handshake: what HTTPS adds on a new connection beyond a kept one. Lost \
    sendfile: what HTTP costs more without it; encryption in the server cannot use it.";

pub(crate) fn section(facts: &Facts<'_>) -> Option<Section> {
    let mut items = facts.loads();
    // At a given rate nobody is slower.
    items.retain(|item| facts.is_real_server(item.library()) && is_of_a_page(item.work));
    let all = comparable(pairs(&items));
    if all.is_empty() {
        return None;
    }
    let https: Vec<Found<'_>> = all.iter().map(|pair| pair.https).collect();
    let labels = Labels::except(&[CLIENT, KEEPING, SCHEME], LOAD, &https);
    let of_ends = |ends: &Ends<'_>| -> Vec<Pair<'_>> {
        all.iter().filter(|pair| Ends::of(&pair.https) == *ends).copied().collect()
    };
    let groups: Vec<_> = by_ends(&https).into_iter().map(|(ends, _)| (ends, of_ends(&ends))).collect();
    let mut blocks = Vec::new();
    for (ends, own) in &groups {
        blocks.extend(factors(facts, own, &labels, ends).map(Block::Table));
        blocks.extend(parts::table(facts, own, ends).map(Block::Table));
    }
    blocks.extend(fitted(facts, &all, &facts.libraries(&items)).map(Block::Table));
    let charts = groups.iter().filter_map(|(ends, own)| chart(facts, own, &labels, ends));
    blocks.extend(charts.map(Block::Chart));
    Some(Section {
        id: "https".to_owned(),
        title: "HTTPS against HTTP".to_owned(),
        intro: format!("{INTRO} {}. {}", labels.unsaid(), resumptions(&https)).trim_end().to_owned(),
        blocks,
        sentences: sentences::sentences(facts, &all),
    })
}

/// Whether a load is a request for a page over HTTP/1.1, as fast as it goes.
fn is_of_a_page(work: &Load) -> bool {
    work.http == Http::Http1 && work.rate == 0 && work.resumed_percent == 100 && !is_only_a_transfer(work)
}

/// Without the handshakes of which there is nothing but handshakes, where others were made on kept connections, too.
fn comparable(all: Vec<Pair<'_>>) -> Vec<Pair<'_>> {
    let same_ends = |a: &Pair<'_>, b: &Pair<'_>| {
        a.https.library() == b.https.library() && a.https.work.client == b.https.work.client
    };
    let is_kept = |pair: &Pair<'_>| pair.https.work.requests_per_connection == 0;
    let kept = |like: &Pair<'_>| all.iter().any(|pair| is_kept(pair) && same_ends(pair, like));
    let found = all.iter().filter(|pair| pair.kept(&all).is_some() || !kept(pair));
    found.copied().collect()
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

/// Pages down, ways to use connections across.
fn factors(facts: &Facts<'_>, pairs: &[Pair<'_>], labels: &Labels<Load>, ends: &Ends<'_>) -> Option<Table> {
    let of_reuse = |reuse: String| {
        let measure = |what: &str, metric| {
            let (title, reuse) = (format!("{reuse}: {what}"), reuse.clone());
            Measure::quantity(title, "x", move |page: &Pair<'_>| {
                Some(ratio(facts, reusing(pairs, page, &reuse)?, metric))
            })
        };
        [measure("slower", Metric::Wall), measure("CPU", Metric::Server)]
    };
    Grid::new(["page"], pages(pairs, labels))
        .measures(reuses(pairs).into_iter().flat_map(of_reuse))
        .table(format!("{}: HTTPS against HTTP", ends.caption()))
}

/// The server's CPU factor of every page.
fn chart(facts: &Facts<'_>, pairs: &[Pair<'_>], labels: &Labels<Load>, ends: &Ends<'_>) -> Option<Chart> {
    let of_reuse = |reuse: String| {
        Measure::quantity(reuse.clone(), "x", move |page: &Pair<'_>| {
            Some(ratio(facts, reusing(pairs, page, &reuse)?, Metric::Server))
        })
    };
    Grid::new(["page"], pages(pairs, labels))
        .measures(reuses(pairs).into_iter().map(of_reuse))
        .chart(format!("{}: the server's CPU time over HTTPS as a multiple of HTTP", ends.caption()), false)
}

/// One pair for each page, whichever way its connections are used.
fn pages<'a>(pairs: &[Pair<'a>], labels: &Labels<Load>) -> Vec<([String; 1], Pair<'a>)> {
    let mut found: Vec<Pair<'_>> = Vec::new();
    for pair in pairs {
        if !found.iter().any(|known| is_same_page(known, pair)) {
            found.push(*pair);
        }
    }
    found.into_iter().map(|page| ([labels.name(&page.https)], page)).collect()
}

/// Whether two pairs ask one server for the same, whichever way their connections are used.
fn is_same_page(a: &Pair<'_>, b: &Pair<'_>) -> bool {
    let (a, b) = (a.https, b.https);
    let reused_alike = Load {
        requests_per_connection: a.work.requests_per_connection,
        resumption: a.work.resumption,
        resumed_percent: a.work.resumed_percent,
        ..b.work.clone()
    };
    a.library() == b.library() && a.case.threads == b.case.threads && reused_alike == *a.work
}

/// The same page by connections that are used in this way.
fn reusing<'p, 'a>(pairs: &'p [Pair<'a>], page: &Pair<'_>, reuse: &str) -> Option<&'p Pair<'a>> {
    pairs.iter().find(|pair| is_same_page(pair, page) && keeping(pair.https.work) == reuse)
}

/// HTTPS as a multiple of HTTP.
fn ratio(facts: &Facts<'_>, pair: &Pair<'_>, metric: Metric) -> Result<Quantity, String> {
    let [https, http] = [pair.https, pair.http];
    match [https, http].iter().find_map(|item| item.measurement.outcome.hole()) {
        Some(reason) => Err(reason),
        None => multiple(facts, &https, &http, metric).ok_or_else(|| "too few rounds have both".to_owned()),
    }
}
