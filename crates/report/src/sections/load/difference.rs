//! What HTTPS adds to HTTP on the server, and what that is made of.

use tlstax_doc::Metric;
use tlstax_spec::{Direction, Http, Load, Page, Resumption};
use tlstax_stats::affine;

use super::cost::Found;
use super::labels;
use super::pairs::{Pair, pairs};
use crate::ask::{Facts, in_memory};
use crate::label::BODY;
use crate::model::{Cell, Column, Quantity, Row, Table};
use crate::number;
use crate::phrase::LISTED;
use crate::sections::side_by_side;

/// What HTTPS adds per request with these libraries as the server: a table of differences, and a table of what they
/// are made of.
pub(super) fn tables(facts: &Facts<'_>, items: &[Found<'_>], libraries: &[&str]) -> Vec<Table> {
    let pairs = pairs(items);
    [differences(facts, &pairs, libraries), fitted(facts, &pairs, libraries)].into_iter().flatten().collect()
}

/// The requests that are said in words: how, and which of all.
type Picked<'p, 'a> = (String, Option<&'p Pair<'a>>);

/// At most four sentences: a small and a large body on kept connections, a new connection, a dynamic page.
pub(super) fn sentences(facts: &Facts<'_>, items: &[Found<'_>], libraries: &[&str]) -> Vec<String> {
    let pairs = pairs(items);
    let find = |wanted: &dyn Fn(&Load) -> bool, by: fn(u32) -> i64| {
        let found = pairs.iter().filter(|pair| is_usual(pair.https.work) && wanted(pair.https.work));
        found.min_by_key(|pair| by(pair.https.work.body))
    };
    let kept = |work: &Load| work.requests_per_connection == 0 && work.work_us == 0 && work.body > 0;
    let small = find(&kept, i64::from);
    let large =
        find(&kept, |body| -i64::from(body)).filter(|large| small.is_none_or(|small| !small.alike(large)));
    let new = |work: &Load| work.requests_per_connection == 1 && work.resumption == Resumption::Full;
    let body = |pair: Option<&Pair<'_>>| number::bytes(pair.map_or(0, |pair| pair.https.work.body).into());
    let picked: [Picked<'_, '_>; 4] = [
        (format!("a keep-alive request of {}", body(small)), small),
        (format!("a keep-alive request of {}", body(large)), large),
        ("a request on a new connection".to_owned(), find(&new, |_| 0)),
        ("a request for the dynamic page".to_owned(), find(&|work| work.work_us > 0, |_| 0)),
    ];
    let say = |(what, pair): &Picked<'_, '_>| said(facts, &pairs, (*pair)?, what, libraries);
    picked.iter().filter_map(say).collect()
}

/// Whether a load is as in most runs, by all that a sentence does not say.
fn is_usual(work: &Load) -> bool {
    work.http == Http::Http1
        && work.rate == 0
        && work.direction == Direction::Download
        && work.page == Page::Static
}

/// What HTTPS adds with one library.
struct Share<'a> {
    library: &'a str,
    added: f64,
    said: String,
}

/// What HTTPS adds to one request, with every library of which it can be told; of many, the least and the
/// most.
fn said(
    facts: &Facts<'_>,
    pairs: &[Pair<'_>],
    like: &Pair<'_>,
    what: &str,
    libraries: &[&str],
) -> Option<String> {
    let shares = libraries.iter().filter_map(|library| {
        let pair = of_library(pairs, library, like)?;
        let (https, added) = (pair.https_cost(facts)?, pair.added(facts)?);
        // A difference that may be nothing, or of either sign, is not worth a sentence.
        (added.low > 0.0).then_some(())?;
        let [part, whole] =
            [&added, &https].map(|cost| number::within_interval(cost.value, cost.low, cost.high));
        Some(Share { library, added: added.value, said: format!("{part} of the {whole} µs") })
    });
    let mut shares: Vec<Share<'_>> = shares.collect();
    let mut joint = ", ";
    if shares.len() > LISTED {
        shares.sort_by(|a, b| a.added.total_cmp(&b.added));
        shares = [shares.remove(0), shares.remove(shares.len() - 1)].into();
        joint = " up to ";
    }
    let mut shares = shares.into_iter();
    let Share { library: first, said: share, .. } = shares.next()?;
    let others: String =
        shares.map(|Share { library, said, .. }| format!("{joint}{said} ({library})")).collect();
    Some(format!("On this machine HTTPS adds about {share} that {what} costs the server ({first}){others}."))
}

/// The same pair with another library as the server, and as the client if it was its own client.
fn of_library<'p, 'a>(pairs: &'p [Pair<'a>], library: &str, like: &Pair<'_>) -> Option<&'p Pair<'a>> {
    pairs.iter().find(|pair| pair.https.library() == library && pair.alike(like))
}

/// A row per request, with the libraries beside each other; with many of them, the other way round.
fn differences(facts: &Facts<'_>, pairs: &[Pair<'_>], libraries: &[&str]) -> Option<Table> {
    let https: Vec<Found<'_>> = pairs.iter().map(|pair| pair.https).collect();
    let labels = labels(&https, &[]);
    let mut likes: Vec<&Pair<'_>> = Vec::new();
    for pair in pairs {
        if !likes.iter().any(|known| known.alike(pair)) {
            likes.push(pair);
        }
    }
    let caption =
        "What HTTPS adds to the server's CPU time of one request, and the ratio of HTTPS to HTTP".to_owned();
    let two = |name: &str| [Column::quantity(format!("{name} adds"), "µs"), Column::quantity("ratio", "x")];
    let cells = |library: &str, like: &Pair<'_>| {
        let pair = of_library(pairs, library, like);
        let ratio = pair.and_then(|pair| facts.ratio(pair.https.index, pair.http.index, Metric::Server));
        [
            Cell::maybe(pair.and_then(|pair| pair.added(facts))),
            Cell::maybe(ratio.map(|ratio| Quantity::scaled(&ratio, 1.0, "x"))),
        ]
    };
    if side_by_side::too_many(libraries) {
        let columns = likes.iter().flat_map(|like| two(&labels.name(&like.https))).collect();
        return side_by_side::table(caption, libraries, columns, |library| {
            likes.iter().flat_map(|like| cells(library, like)).collect()
        });
    }
    let row = |like: &&Pair<'_>| {
        let named = Cell::text(labels.name(&like.https));
        let each = libraries.iter().flat_map(|library| cells(library, like));
        Row::plain(std::iter::once(named).chain(each).collect())
    };
    let columns = libraries.iter().flat_map(|library| two(library));
    (!pairs.is_empty()).then(|| Table {
        caption,
        columns: std::iter::once(Column::label("requests")).chain(columns).collect(),
        rows: likes.iter().map(row).collect(),
    })
}

/// What the difference is made of: a row per set of loads that differ in their bodies alone.
pub(in crate::sections) fn fitted(
    facts: &Facts<'_>,
    pairs: &[Pair<'_>],
    libraries: &[&str],
) -> Option<Table> {
    let mut groups: Vec<Vec<&Pair<'_>>> = Vec::new();
    for pair in pairs {
        let alike = |group: &Vec<&Pair<'_>>| {
            let other = group[0].https;
            other.library() == pair.https.library()
                && other.case.threads == pair.https.case.threads
                && Load { body: pair.https.work.body, ..other.work.clone() } == *pair.https.work
        };
        match groups.iter_mut().find(|group| alike(group)) {
            Some(group) => group.push(pair),
            None => groups.push(vec![pair]),
        }
    }
    // One body makes no fit.
    groups.retain(|group| group.len() > 2 && libraries.contains(&group[0].https.library()));
    let https: Vec<Found<'_>> = pairs.iter().map(|pair| pair.https).collect();
    let labels = labels(&https, &[BODY]);
    let row = |group: &Vec<&Pair<'_>>| {
        let point = |pair: &&Pair<'_>| {
            let added = pair.added(facts)?.value;
            (added > 0.0).then(|| (f64::from(pair.https.work.body), added))
        };
        let points: Vec<(f64, f64)> = group.iter().filter_map(point).collect();
        let fit = affine(&points)?;
        let first = group[0];
        let mut said = format!(
            "{} µs per request + {} µs per KB (misses the worst by {})",
            number::three_digits(fit.per_call),
            number::three_digits(fit.per_byte * 1e3),
            number::percent(fit.worst_relative_error)
        );
        if let Some(handshake) = handshake(facts, first) {
            said +=
                &format!("; of it, the handshake as in memory: {} µs", number::three_digits(handshake.value));
        }
        let name = format!("{} {}", first.https.library(), labels.name(&first.https));
        Some(Row::plain(vec![Cell::text(name), Cell::text(said)]))
    };
    let rows: Vec<Row> = groups.iter().filter_map(row).collect();
    (!rows.is_empty()).then(|| Table {
        caption: "What HTTPS adds, fitted over the bodies".to_owned(),
        columns: vec![Column::label(""), Column::words("")],
        rows,
    })
}

/// The handshake that every request of the load begins with, as it was measured in memory.
fn handshake(facts: &Facts<'_>, pair: &Pair<'_>) -> Option<Quantity> {
    let load = pair.https.work;
    let requests = Some(load.requests_per_connection).filter(|&requests| requests > 0)?;
    let cost = in_memory(facts, pair.https.library(), pair.params, load.resumption)?;
    let each = f64::from(requests);
    Some(Quantity { value: cost.value / each, low: cost.low / each, high: cost.high / each, ..cost })
}
