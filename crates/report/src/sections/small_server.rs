//! HTTP against HTTPS on a real server, by size and kind of page: how much slower, how much dearer, and why.

mod parts;
mod sentences;

use tlstax_doc::Metric;
use tlstax_spec::{Http, Load, Resumption};

use super::load::{Ends, Found, NOT_THE_SERVER, Pair, bound, by_ends, fitted, pairs, resumptions};
use super::transfers::is_only_a_transfer;
use crate::ask::Facts;
use crate::label::{CLIENT, KEEPING, LOAD, Labels, SCHEME, keeping};
use crate::model::{Block, Cell, Chart, Column, Quantity, Row, Section, Series, Table};

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
    let groups = by_ends(&https);
    let labels = Labels::except(&[CLIENT, KEEPING, SCHEME], LOAD, &https);
    let mut blocks = Vec::new();
    for (ends, _) in &groups {
        let own: Vec<Pair<'_>> = all.iter().filter(|pair| is_of(pair, ends)).copied().collect();
        blocks.push(Block::Table(factors(facts, &own, &labels, ends)));
        blocks.extend(parts::table(facts, &own, ends).map(Block::Table));
    }
    blocks.extend(fitted(facts, &all, &facts.libraries(&items)).map(Block::Table));
    blocks.extend(groups.iter().map(|(ends, _)| {
        let own: Vec<Pair<'_>> = all.iter().filter(|pair| is_of(pair, ends)).copied().collect();
        Block::Chart(chart(facts, &own, &labels, ends))
    }));
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

fn is_of(pair: &Pair<'_>, ends: &Ends<'_>) -> bool {
    pair.https.library() == ends.server && pair.https.work.client == ends.client
}

/// The ways in which connections are used, new ones first.
fn manners(pairs: &[Pair<'_>]) -> Vec<String> {
    let mut found: Vec<(u8, String)> = Vec::new();
    for pair in pairs {
        let work = pair.https.work;
        let manner = (place(work), keeping(work));
        if !found.contains(&manner) {
            found.push(manner);
        }
    }
    found.sort_by_key(|(place, _)| *place);
    found.into_iter().map(|(_, name)| name).collect()
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
fn factors(facts: &Facts<'_>, pairs: &[Pair<'_>], labels: &Labels<Load>, ends: &Ends<'_>) -> Table {
    let manners = manners(pairs);
    let columns = manners.iter().flat_map(|manner| {
        [Column::quantity(format!("{manner}: slower"), "x"), Column::quantity(format!("{manner}: CPU"), "x")]
    });
    let row = |page: &Pair<'_>| {
        let each = manners.iter().flat_map(|manner| match find(pairs, page, manner) {
            Some(pair) => [Metric::Wall, Metric::Server].map(|metric| cell(facts, pair, metric)),
            None => [Cell::Empty, Cell::Empty],
        });
        Row::plain(std::iter::once(Cell::text(labels.name(&page.https))).chain(each).collect())
    };
    Table {
        caption: format!("{}: HTTPS against HTTP", ends.caption()),
        columns: std::iter::once(Column::label("page")).chain(columns).collect(),
        rows: pages(pairs).into_iter().map(row).collect(),
    }
}

/// One pair for each page, whichever way its connections are used.
fn pages<'p, 'a>(pairs: &'p [Pair<'a>]) -> Vec<&'p Pair<'a>> {
    let mut found: Vec<&Pair<'_>> = Vec::new();
    for pair in pairs {
        if !found.iter().any(|known| is_same_page(known, pair)) {
            found.push(pair);
        }
    }
    found
}

/// Whether two pairs ask one server for the same, whichever way their connections are used.
fn is_same_page(a: &Pair<'_>, b: &Pair<'_>) -> bool {
    let (a, b) = (a.https, b.https);
    let in_the_same_way = Load {
        requests_per_connection: a.work.requests_per_connection,
        resumption: a.work.resumption,
        resumed_percent: a.work.resumed_percent,
        ..b.work.clone()
    };
    a.library() == b.library() && a.case.threads == b.case.threads && in_the_same_way == *a.work
}

fn find<'p, 'a>(pairs: &'p [Pair<'a>], page: &Pair<'_>, manner: &str) -> Option<&'p Pair<'a>> {
    pairs.iter().find(|pair| is_same_page(pair, page) && keeping(pair.https.work) == manner)
}

/// HTTPS as a multiple of HTTP; with a remark where the client was the limit of one of them.
fn cell(facts: &Facts<'_>, pair: &Pair<'_>, metric: Metric) -> Cell {
    if let Some(reason) = [pair.https, pair.http].iter().find_map(|item| item.measurement.outcome.hole()) {
        return Cell::Hole { reason };
    }
    let ratio = facts
        .ratio(pair.https.index, pair.http.index, metric)
        .map(|ratio| Quantity::scaled(&ratio, 1.0, "x"));
    Cell::of(match ratio {
        Some(ratio) if !is_of_the_server(facts, pair) => Ok(ratio.remarked(NOT_THE_SERVER)),
        ratio => ratio.ok_or_else(|| "too few rounds have both".to_owned()),
    })
}

/// Whether the server was the limit, or nobody, over HTTP and over HTTPS.
fn is_of_the_server(facts: &Facts<'_>, pair: &Pair<'_>) -> bool {
    ![pair.https, pair.http]
        .iter()
        .any(|item| bound(facts, item).is_some_and(|bound| bound.is_not_the_server()))
}

/// The server's CPU factor of every page.
fn chart(facts: &Facts<'_>, pairs: &[Pair<'_>], labels: &Labels<Load>, ends: &Ends<'_>) -> Chart {
    let pages = pages(pairs);
    let point = |page: &Pair<'_>, manner: &str| {
        find(pairs, page, manner).map_or(Cell::Empty, |pair| cell(facts, pair, Metric::Server))
    };
    let series = manners(pairs).into_iter().map(|manner| Series {
        points: pages.iter().map(|page| point(page, &manner)).collect(),
        name: manner,
    });
    Chart {
        title: format!("{}: the server's CPU time over HTTPS as a multiple of HTTP", ends.caption()),
        unit: "x",
        log: false,
        labels: pages.iter().map(|page| labels.name(&page.https)).collect(),
        series: series.collect(),
    }
}
