//! What an idle connection takes of memory.

use tlstax_spec::{Idle, Side};

use crate::ask::{Item, memory};
use crate::grid::{Grid, Measure};
use crate::label::{IDLE, Labels};
use crate::model::{Quantity, Table};

type Found<'a> = Item<'a, Idle>;

/// Memory of one idle connection: a row for both sides of the same connections.
pub(super) fn table(items: &[Found<'_>]) -> Option<Table> {
    let labels = Labels::of(IDLE, items);
    let of_side = |item: &Found<'_>, side| item.partner(&Idle { side, ..*item.work }, items);
    let grown = |side| move |item: &Found<'_>| of_side(item, side).map(|item| kibibytes(&item));
    let leads = |item: &&Found<'_>| item.work.side == Side::Client || of_side(item, Side::Client).is_none();
    let rows: Vec<Found<'_>> = items.iter().filter(leads).copied().collect();
    Grid::new(["library"], labels.rows(&rows))
        .measure(Measure::quantity("client", "KiB", grown(Side::Client)))
        .measure(Measure::quantity("server", "KiB", grown(Side::Server)))
        .table(labels.caption("Memory of one idle connection"))
}

fn kibibytes(item: &Found<'_>) -> Result<Quantity, String> {
    let kib = |bytes: f64| bytes / 1024.0;
    let grown = memory(item.measurement).ok_or_else(|| {
        item.measurement.outcome.hole().unwrap_or_else(|| "nothing was measured".to_owned())
    })?;
    Ok(Quantity::between(kib(grown.value), kib(grown.low), kib(grown.high), "KiB"))
}
