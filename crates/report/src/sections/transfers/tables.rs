//! How fast large files move, by the clock and by the CPU time of each side, and what a gigabyte of them costs.

use tlstax_doc::Metric;
use tlstax_spec::Load;

use crate::grid::{Grid, Measure};
use crate::label::Labels;
use crate::loads::{Bound, Found, SPEED, bound, multiple, plain, speed, speed_in_user_space};
use crate::model::{Chart, Table};

/// As a table, and without the server's user space as a chart.
pub(super) fn speeds(
    items: &[Found<'_>],
    labels: &Labels<Load>,
    server: &str,
) -> (Option<Table>, Option<Chart>) {
    let caption = format!(
        "{server} as the server: speed of the transfer, and CPU speed of each side in user space and in all"
    );
    let transfer = || Measure::quantity("transfer", SPEED, |item: &Found<'_>| speed(item, Metric::Wall));
    let all = |title, metric| Measure::plain(title, SPEED, move |item: &Found<'_>| speed(item, metric));
    let user = |title, metric| {
        Measure::plain(title, SPEED, move |item: &Found<'_>| speed_in_user_space(item, metric)).ranked(1)
    };
    let client = || [user("client, user", Metric::Client), all("client, all", Metric::Client)];
    let in_all = || all("server, all", Metric::Server);
    let grid = || Grid::new(["transfer"], labels.rows(items)).measure(transfer());
    let chart = grid().measures(client()).measure(in_all());
    let table = grid()
        .measure(Bound::measure(bound))
        .measures(client())
        .measure(user("server, user", Metric::Server))
        .measure(in_all());
    (table.table(caption.clone()), chart.chart(caption, true))
}

/// CPU seconds for a gigabyte, and as a multiple of plain HTTP with and without sendfile, where that was measured.
pub(super) fn costs(items: &[Found<'_>], labels: &Labels<Load>, server: &str) -> Option<Table> {
    let cost = |metric| move |item: &Found<'_>| item.per_gigabyte(metric, item.work.body);
    let ratio = |side: &str, name: &str, sendfile, metric| {
        let cell = move |item: &Found<'_>| multiple(item, &base(items, item, sendfile)?, metric);
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
