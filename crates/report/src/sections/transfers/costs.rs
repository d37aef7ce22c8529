//! What a gigabyte costs each side, and what that is beside plain HTTP.

use tlstax_doc::Metric;
use tlstax_spec::Load;

use crate::ask::Facts;
use crate::grid::{Grid, Measure};
use crate::label::Labels;
use crate::loads::{Found, multiple, plain};
use crate::model::{Quantity, Table};

/// CPU seconds for a gigabyte, and as a multiple of plain HTTP with and without sendfile, where that was measured.
pub(super) fn table(
    facts: &Facts<'_>,
    items: &[Found<'_>],
    labels: &Labels<Load>,
    server: &str,
) -> Option<Table> {
    let cost = |metric| move |item: &Found<'_>| per_gigabyte(facts, item, metric);
    let ratio = |side: &str, name: &str, sendfile, metric| {
        let cell = move |item: &Found<'_>| multiple(facts, item, &base(items, item, sendfile)?, metric);
        let is_there = items.iter().any(|item| base(items, item, sendfile).is_some());
        is_there.then(|| Measure::quantity(format!("{side}: of {name}"), "x", cell))
    };
    Grid::new(["transfer"], labels.rows(items))
        .measure(Measure::quantity("client", "s/GB", cost(Metric::Client)))
        .measure(Measure::quantity("server", "s/GB", cost(Metric::Server)))
        .measures(ratio("client", "HTTP", true, Metric::Client))
        .measures(ratio("server", "HTTP", true, Metric::Server))
        .measures(ratio("server", "HTTP, no sendfile", false, Metric::Server))
        .table(format!("{server} as the server: CPU seconds for a gigabyte, and as a multiple of plain HTTP"))
}

/// The plain transfer that another is a multiple of; none for itself.
fn base<'a>(items: &[Found<'a>], item: &Found<'_>, sendfile: bool) -> Option<Found<'a>> {
    plain(items, item, sendfile).filter(|base| base.index != item.index)
}

/// CPU seconds of one side for a gigabyte of body.
pub(super) fn per_gigabyte(facts: &Facts<'_>, item: &Found<'_>, metric: Metric) -> Result<Quantity, String> {
    facts.per_gigabyte(item.index, metric, item.work.body)
}
