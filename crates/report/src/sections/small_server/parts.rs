//! What HTTPS adds to a request, taken apart by what was measured: the handshake, the loss of sendfile, the records.

use tlstax_doc::Metric;
use tlstax_spec::{Direction, Page};

use crate::grid::{Grid, Measure};
use crate::label::{CLIENT, LOAD, Labels, SCHEME};
use crate::loads::{Ends, Found, Pair};
use crate::model::{Quantity, Table};

/// What HTTPS adds, and the parts of it that follow from differences of rows.
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
pub(super) fn table<'a>(pairs: &[Pair<'a>], ends: &Ends<'_>) -> Option<Table> {
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
