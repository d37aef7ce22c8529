//! How fast large files move: MiB in a second, by the clock and by the CPU time of each side.

use tlstax_doc::Metric;
use tlstax_spec::Load;
use tlstax_stats::Ratio;

use crate::ask::Facts;
use crate::grid::{Grid, Measure};
use crate::label::Labels;
use crate::loads::{Bound, Found, bound, user};
use crate::model::{Chart, Quantity, Table};

const MEBIBYTE: f64 = 1_048_576.0;

const UNIT: &str = "MiB/s";

/// As a table, and without the server's user space as a chart.
pub(super) fn speeds(
    facts: &Facts<'_>,
    items: &[Found<'_>],
    labels: &Labels<Load>,
    server: &str,
) -> (Option<Table>, Option<Chart>) {
    let caption = format!(
        "{server} as the server: speed of the transfer, and CPU speed of each side in user space and in all"
    );
    let [transfer, client_user, client, server_user, server] = measures(facts);
    let chart = Grid::new(["transfer"], labels.rows(items)).measures([
        transfer.clone(),
        client_user.clone(),
        client.clone(),
        server.clone(),
    ]);
    let table = Grid::new(["transfer"], labels.rows(items))
        .measure(transfer)
        .measure(Bound::measure(|item: &Found<'_>| bound(facts, item)))
        .measures([client_user, client, server_user, server]);
    (table.table(caption.clone()), chart.chart(caption, true))
}

fn measures<'f, 'a: 'f>(facts: &'f Facts<'a>) -> [Measure<'f, Found<'a>>; 5] {
    let all = |metric| move |item: &Found<'_>| speed(facts, item, metric);
    let user = |metric| move |item: &Found<'_>| in_user_space(facts, item, metric);
    [
        Measure::quantity("transfer", UNIT, all(Metric::Wall)),
        Measure::plain("client, user", UNIT, user(Metric::Client)),
        Measure::plain("client, all", UNIT, all(Metric::Client)),
        Measure::plain("server, user", UNIT, user(Metric::Server)),
        Measure::plain("server, all", UNIT, all(Metric::Server)),
    ]
}

/// MiB of body in a second of this.
fn speed(facts: &Facts<'_>, item: &Found<'_>, metric: Metric) -> Result<Quantity, String> {
    let cost = facts.cost(item.index, metric)?;
    Ok(Quantity::rate(f64::from(item.work.body) / MEBIBYTE * 1e9, &cost, UNIT))
}

/// MiB of body in a second of one side's CPU time in user space.
fn in_user_space(facts: &Facts<'_>, item: &Found<'_>, metric: Metric) -> Result<Quantity, String> {
    let speed = speed(facts, item, metric)?;
    let Ratio(user) = user(item, metric)?;
    Ok(Quantity { value: speed.value / user, low: speed.low / user, high: speed.high / user, ..speed })
}
