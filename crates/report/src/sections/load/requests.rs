//! The loads of one server with one client: the rate, who was the limit, and what a request costs each side.

use tlstax_doc::Metric;
use tlstax_spec::Load;
use tlstax_stats::Percent;

use super::latency::{Latencies, percentiles};
use crate::grid::{Grid, Measure};
use crate::label::Labels;
use crate::loads::{Bound, Ends, Found, bound, hit_rate, kernel, rate, resumes};
use crate::model::{Quantity, Table};

/// A load with what several of its cells need.
struct Request<'a> {
    item: Found<'a>,
    bound: Option<Bound>,
    latencies: Latencies,
}

pub(super) fn table<'a>(items: &[Found<'a>], ends: &Ends<'_>, labels: &Labels<Load>) -> Option<Table> {
    let request = |item: &Found<'a>| {
        let (bound, latencies) = (bound(item), Latencies::of(item));
        ([labels.name(item)], Request { item: *item, bound, latencies })
    };
    let rows: Vec<_> = items.iter().map(request).collect();
    let latencies: Vec<&Latencies> = rows.iter().map(|(_, request)| &request.latencies).collect();
    let percentiles = percentiles(&latencies, |request: &Request<'_>| &request.latencies);
    let resumed = || Measure::plain("resumed", "%", |request: &Request<'_>| hit_rate(&request.item));
    let cost = |metric| {
        move |Request { item, .. }: &Request<'_>| {
            let kernel = kernel(item, metric).map(|Percent(kernel)| format!("{kernel:.0}"));
            item.micros(metric).map(|cost| cost.aside(kernel))
        }
    };
    Grid::new(["requests"], rows)
        .measure(Measure::plain("offered", "req/s", |Request { item, .. }| offered(item)).where_found())
        .measure(Measure::plain("req/s", "", |Request { item, bound, .. }| rate(item, *bound)))
        .measure(Bound::measure(|request: &Request<'_>| request.bound))
        .measure(Measure::quantity("server (sys%)", "µs", cost(Metric::Server)))
        .measure(Measure::plain("client (sys%)", "µs", cost(Metric::Client)).ranked(1))
        .measures(items.iter().any(resumes).then(resumed))
        .measures(percentiles)
        .table(ends.caption())
}

/// The rate at which requests of an open loop are begun.
fn offered(item: &Found<'_>) -> Option<Quantity> {
    let rate = Some(item.work.rate).filter(|rate| *rate > 0)?;
    Some(Quantity::exact(rate.into(), "req/s"))
}
