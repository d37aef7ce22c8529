//! What HTTPS adds to a request, taken apart by what was measured: the handshake, the loss of sendfile, the records.

use tlstax_doc::Metric;
use tlstax_spec::{Direction, Page};

use crate::ask::Facts;
use crate::label::{CLIENT, LOAD, Labels, SCHEME};
use crate::model::{Cell, Column, Quantity, Row, Table};
use crate::sections::load::{Ends, Found, Pair, cost};

/// What HTTPS adds, and the parts of it that differences of rows tell.
struct Parts {
    added: Quantity,
    /// What it adds beyond the same request on a connection that is kept.
    handshake: Option<Quantity>,
    /// What HTTP would cost more without sendfile.
    sendfile: Option<Quantity>,
    /// What is left: records, bytes, and all that is not told apart.
    rest: Option<Quantity>,
}

impl Parts {
    fn of(facts: &Facts<'_>, pair: &Pair<'_>, pairs: &[Pair<'_>]) -> Option<Self> {
        let added = pair.added(facts)?;
        if pair.https.work.requests_per_connection == 0 {
            let sendfile = pair.sendfile(facts);
            let rest = sendfile.as_ref().map_or_else(|| added.clone(), |sendfile| added.minus(sendfile));
            return Some(Self { added, handshake: None, sendfile, rest: Some(rest) });
        }
        // Without the same request on a kept connection there is nothing to tell the handshake by.
        let Some(kept) = pair.kept(pairs).and_then(|kept| Self::of(facts, kept, pairs)) else {
            return Some(Self { added, handshake: None, sendfile: pair.sendfile(facts), rest: None });
        };
        let handshake = Some(added.minus(&kept.added));
        Some(Self { added, handshake, sendfile: kept.sendfile, rest: kept.rest })
    }
}

/// Whether plain HTTP sends this by sendfile.
fn is_sent_by_the_kernel(pair: &Pair<'_>) -> bool {
    pair.http.work.page == Page::Static && pair.http.work.direction == Direction::Download
}

/// A row for each pair; a part that no row tells has no column.
pub(super) fn table(facts: &Facts<'_>, pairs: &[Pair<'_>], ends: &Ends<'_>) -> Option<Table> {
    let https: Vec<Found<'_>> = pairs.iter().map(|pair| pair.https).collect();
    let labels = Labels::except(&[CLIENT, SCHEME], LOAD, &https);
    let rows: Vec<(&Pair<'_>, Parts)> =
        pairs.iter().filter_map(|pair| Some((pair, Parts::of(facts, pair, pairs)?))).collect();
    let has_handshake = rows.iter().any(|(_, parts)| parts.handshake.is_some());
    let has_sendfile = rows.iter().any(|(_, parts)| parts.sendfile.is_some());
    let mut columns =
        vec![Column::label("requests"), Column::quantity("HTTP", "µs"), Column::quantity("HTTPS adds", "µs")];
    columns.extend(has_handshake.then(|| Column::quantity("handshake", "µs")));
    columns.extend(has_sendfile.then(|| Column::quantity("lost sendfile", "µs")));
    let rest = if has_sendfile { "records, bytes" } else { "records, bytes, lost sendfile" };
    columns.push(Column::quantity(rest, "µs"));
    let row = |(pair, parts): (&Pair<'_>, Parts)| {
        // Without its own row of HTTP without sendfile, a file's records cannot be told from that loss.
        let is_told = !has_sendfile || parts.sendfile.is_some() || !is_sent_by_the_kernel(pair);
        let mut cells = vec![
            Cell::text(labels.name(&pair.https)),
            Cell::of(cost(facts, &pair.http, Metric::Server)),
            Cell::Quantity(parts.added),
        ];
        cells.extend(has_handshake.then(|| Cell::maybe(parts.handshake)));
        cells.extend(has_sendfile.then(|| Cell::maybe(parts.sendfile)));
        cells.push(Cell::maybe(parts.rest.filter(|_| is_told)));
        Row::plain(cells)
    };
    (!rows.is_empty()).then(|| Table {
        caption: format!("{}: what HTTPS adds to the server's CPU time of a request", ends.caption()),
        columns,
        rows: rows.into_iter().map(row).collect(),
    })
}
