//! Real servers that sent large bodies over loopback: their cost holds the kernel's part.

use tlstax_doc::model::Bounds;
use tlstax_doc::{LibraryKind, Metric};
use tlstax_spec::{Direction, Http, Load, Page, Suite, Workload};

use super::stream::{Basis, LARGEST, Stream, expansion};
use crate::figures::{Figures, Found, times};

/// Bodies below this many bytes say more of requests than of bytes.
const LEAST_BODY: u32 = 100_000;

/// A stream for each server and suite, and one without TLS, by the largest body that was sent.
pub(super) fn servers(figures: &Figures<'_>) -> Vec<Stream> {
    let mut largest: Vec<Found<'_, Load>> = Vec::new();
    for found in figures.all(load).filter(|found| is_stream(figures, found)) {
        match largest.iter_mut().find(|known| key(known) == key(&found)) {
            Some(known) if known.work.body < found.work.body => *known = found,
            Some(_) => {}
            None => largest.push(found),
        }
    }
    largest.iter().map(|found| server(figures, found)).collect()
}

const fn load(workload: &Workload) -> Option<&Load> {
    if let Workload::Load(load) = workload { Some(load) } else { None }
}

fn key<'a>(found: &Found<'a, Load>) -> (&'a str, Option<Suite>) {
    (found.library(), found.work.params.map(|params| params.suite))
}

/// Connections that are kept, over which nothing but large files goes.
fn is_stream(figures: &Figures<'_>, found: &Found<'_, Load>) -> bool {
    let work = found.work;
    figures.results.kind(found.library()) == LibraryKind::Server
        && work.direction == Direction::Download
        && work.http == Http::Http1
        && work.page == Page::Static
        && work.requests_per_connection == 0
        && work.body >= LEAST_BODY
}

fn server(figures: &Figures<'_>, found: &Found<'_, Load>) -> Stream {
    let each = |cost: Bounds| times(cost, f64::from(found.work.body).recip());
    let record = match found.work.tuning.tls_buffer {
        0 => LARGEST,
        bytes => bytes.min(LARGEST),
    };
    let suite = found.work.params.map(|params| params.suite);
    Stream {
        library: found.library().to_owned(),
        what: suite.map_or_else(|| "without TLS".to_owned(), |suite| suite.to_string()),
        basis: Basis::Server,
        sends: figures.cost(found, Metric::Server).map(each),
        receives: Err("a client on loopback is no client of this line".to_owned()),
        expansion: suite.map_or(1.0, |suite| expansion(suite, record)),
        is_interpolated: false,
    }
}
