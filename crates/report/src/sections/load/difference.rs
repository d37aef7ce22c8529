//! What HTTPS adds to HTTP on the server, with libraries beside each other.

use tlstax_doc::Metric;

use crate::ask::Facts;
use crate::grid::{Cross, Measure};
use crate::loads::{Found, Pair, labels};
use crate::model::Table;

/// The difference and the ratio of each request with each library.
pub(super) fn table(facts: &Facts<'_>, pairs: &[Pair<'_>], libraries: &[&str]) -> Option<Table> {
    let https: Vec<Found<'_>> = pairs.iter().map(|pair| pair.https).collect();
    let labels = labels(&https, &[]);
    let requests = first_of_each(pairs).into_iter().map(|pair| ([labels.name(&pair.https)], pair));
    let find = |library: &str, like: &Pair<'_>| like.with_library(library, pairs).copied();
    Cross::new("requests", requests, libraries, find)
        .measure(Measure::quantity("{} adds", "µs", |pair: &Pair<'_>| pair.added(facts)))
        .measure(Measure::quantity("ratio", "x", |pair: &Pair<'_>| {
            facts.times(pair.https.index, pair.http.index, Metric::Server)
        }))
        .table("What HTTPS adds to the server's CPU time of one request, and the ratio of HTTPS to HTTP")
}

/// One pair of each request, whichever library serves it.
fn first_of_each<'a>(pairs: &[Pair<'a>]) -> Vec<Pair<'a>> {
    let mut found: Vec<Pair<'_>> = Vec::new();
    for pair in pairs {
        if !found.iter().any(|known| known.alike(pair)) {
            found.push(*pair);
        }
    }
    found
}
