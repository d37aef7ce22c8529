//! What HTTPS adds to HTTP on the server, and what that is made of.

use tlstax_doc::Metric;
use tlstax_spec::{Load, Params};
use tlstax_stats::{Estimate, affine};

use super::Found;
use crate::facts::Facts;
use crate::label::{LOAD, Labels, keeping};
use crate::number;
use crate::sections::handshakes::in_memory;
use crate::view::{Cell, Column, Quantity, Row, Table};

/// An HTTPS load with the HTTP load that is the same in all else.
struct Pair<'a> {
    https: Found<'a>,
    http: Found<'a>,
    params: Params,
}

/// What HTTPS adds per request: a table of differences, and a table of what they are made of.
pub(super) fn tables(facts: &Facts<'_>, items: &[Found<'_>], library: &str) -> Vec<Table> {
    let pairs = pairs(items);
    [differences(facts, &pairs, library), parts(facts, &pairs, library)].into_iter().flatten().collect()
}

/// One sentence per body size of kept connections, and one per way of making new ones.
pub(super) fn sentences(facts: &Facts<'_>, items: &[Found<'_>], library: &str) -> Vec<String> {
    let say = |pair: &Pair<'_>| {
        let (https, added) = (pair.https_cost(facts)?, pair.added(facts)?);
        // A difference that may be nothing, or of either sign, is not worth a sentence.
        (added.low > 0.0).then_some(())?;
        let body = number::bytes(pair.https.work.body.into());
        Some(format!(
            "Of the {} µs that {library} spends on a request of {body} over HTTPS ({}), about {} µs are what HTTPS adds \
             to HTTP.",
            number::supported(https.value, https.low, https.high),
            keeping(pair.https.work),
            number::supported(added.value, added.low, added.high),
        ))
    };
    pairs(items).iter().filter_map(say).collect()
}

fn pairs<'a>(items: &[Found<'a>]) -> Vec<Pair<'a>> {
    let pair = |https: &Found<'a>| {
        let params = https.work.params?;
        let wanted = |resumption| Load { params: None, resumption, ..https.work.clone() };
        // A plain connection has nothing to resume, whichever kind its case names.
        let is_it = |http: &&Found<'_>| {
            http.case.threads == https.case.threads && *http.work == wanted(http.work.resumption)
        };
        let http = items.iter().find(is_it).copied()?;
        Some(Pair { https: *https, http, params })
    };
    items.iter().filter_map(pair).collect()
}

impl Pair<'_> {
    fn https_cost(&self, facts: &Facts<'_>) -> Option<Quantity> {
        facts.cost(self.https.index, Metric::Server).ok().map(|cost| Quantity::scaled(&cost, 1e-3, "µs"))
    }

    fn http_cost(&self, facts: &Facts<'_>) -> Option<Quantity> {
        facts.cost(self.http.index, Metric::Server).ok().map(|cost| Quantity::scaled(&cost, 1e-3, "µs"))
    }

    fn added(&self, facts: &Facts<'_>) -> Option<Quantity> {
        Some(difference(&self.https_cost(facts)?, &self.http_cost(facts)?))
    }
}

/// The difference of two quantities, each with its own interval, joined by their squares (MOVER: Zou and Donner,
/// "Construction of confidence limits about effect measures", 2008).
fn difference(a: &Quantity, b: &Quantity) -> Quantity {
    let value = a.value - b.value;
    let low = value - (a.value - a.low).hypot(b.high - b.value);
    let high = value + (a.high - a.value).hypot(b.value - b.low);
    Quantity::between(value, low, high, a.unit)
}

fn differences(facts: &Facts<'_>, pairs: &[Pair<'_>], library: &str) -> Option<Table> {
    let https: Vec<Found<'_>> = pairs.iter().map(|pair| pair.https).collect();
    let labels = Labels::of(LOAD, &https);
    let mut columns = labels.columns();
    columns.extend([
        Column::quantity("HTTP", "µs"),
        Column::quantity("HTTPS", "µs"),
        Column::quantity("HTTPS adds", "µs"),
        Column::quantity("HTTPS / HTTP", "x"),
    ]);
    let row = |pair: &Pair<'_>| {
        let mut cells = labels.cells(&pair.https);
        let cost = |found: &Found<'_>| {
            Cell::of(facts.cost(found.index, Metric::Server).map(|cost| Quantity::scaled(&cost, 1e-3, "µs")))
        };
        cells.extend([cost(&pair.http), cost(&pair.https)]);
        cells.push(Cell::maybe(pair.added(facts)));
        let ratio: Option<Estimate> = facts.ratio(pair.https.index, pair.http.index, Metric::Server);
        cells.push(Cell::maybe(ratio.map(|ratio| Quantity::scaled(&ratio, 1.0, "x"))));
        Row::plain(cells)
    };
    let caption = labels.caption(&format!("{library}: CPU of the server for one request, HTTP and HTTPS"));
    (!pairs.is_empty()).then(|| Table { caption, columns, rows: pairs.iter().map(row).collect() })
}

/// What the difference is made of: a row per set of loads that differ in their bodies alone.
fn parts(facts: &Facts<'_>, pairs: &[Pair<'_>], library: &str) -> Option<Table> {
    let mut groups: Vec<Vec<&Pair<'_>>> = Vec::new();
    for pair in pairs {
        let alike = |group: &Vec<&Pair<'_>>| {
            let other = group[0].https;
            other.case.threads == pair.https.case.threads
                && Load { body: pair.https.work.body, ..other.work.clone() } == *pair.https.work
        };
        match groups.iter_mut().find(|group| alike(group)) {
            Some(group) => group.push(pair),
            None => groups.push(vec![pair]),
        }
    }
    let firsts: Vec<Found<'_>> = groups.iter().map(|group| Found { ..group[0].https }).collect();
    let labels = Labels::of(LOAD, &firsts).without("body");
    let mut columns = labels.columns();
    columns.extend([
        Column::plain("per request", "µs"),
        Column::plain("per KB", "µs"),
        Column::plain("fit misses by", "%"),
        Column::quantity("handshake in memory", "µs"),
    ]);
    let row = |group: &Vec<&Pair<'_>>| {
        let point = |pair: &&Pair<'_>| {
            let added = pair.added(facts)?.value;
            (added > 0.0).then(|| (f64::from(pair.https.work.body), added))
        };
        let points: Vec<(f64, f64)> = group.iter().filter_map(point).collect();
        let fit = affine(&points)?;
        let first = group[0];
        let mut cells = labels.cells(&first.https);
        cells.push(Cell::Quantity(Quantity::exact(fit.per_call, "µs")));
        cells.push(Cell::Quantity(Quantity::exact(fit.per_byte * 1e3, "µs")));
        cells.push(Cell::Quantity(Quantity::exact(fit.worst_relative_error * 100.0, "%")));
        cells.push(Cell::maybe(handshake(facts, first)));
        Some(Row::plain(cells))
    };
    let rows: Vec<Row> = groups.iter().filter_map(row).collect();
    let what = format!(
        "{library}: what HTTPS adds on the server, fitted over the bodies as per request + per KB; a new connection's \
         handshake is within its request"
    );
    (!rows.is_empty()).then(|| Table { caption: labels.caption(&what), columns, rows })
}

/// The handshake that every request of the load begins with, as it was measured in memory.
fn handshake(facts: &Facts<'_>, pair: &Pair<'_>) -> Option<Quantity> {
    let load = pair.https.work;
    let requests = Some(load.requests_per_connection).filter(|&requests| requests > 0)?;
    let cost = in_memory(facts, pair.https.library(), pair.params, load.resumption)?;
    let each = f64::from(requests);
    Some(Quantity { value: cost.value / each, low: cost.low / each, high: cost.high / each, ..cost })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_difference_of_overlapping_intervals_may_be_nothing() {
        let (a, b) = (Quantity::between(10.0, 8.0, 12.0, "µs"), Quantity::between(9.0, 7.0, 11.0, "µs"));
        let added = difference(&a, &b);
        assert!(added.low < 0.0 && added.high > 0.0);
        assert_eq!(added.value, 1.0);
        let sharp =
            difference(&Quantity::between(10.0, 9.7, 10.3, "µs"), &Quantity::between(5.0, 4.6, 5.4, "µs"));
        assert!((sharp.low - 4.5).abs() < 1e-9 && (sharp.high - 5.5).abs() < 1e-9, "{sharp:?}");
    }
}
