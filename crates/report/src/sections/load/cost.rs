//! What one request costs each side, how many there are in a second, and who was the limit.

use tlstax_doc::{Batch, Metric};
use tlstax_spec::{Cpu, Load};
use tlstax_stats::{Percent, Ratio, median_interval};

use crate::ask::{Facts, Item};
use crate::model::{Quantity, Sign};

/// A load with its place among the measurements.
pub(in crate::sections) type Found<'a> = Item<'a, Load>;

/// A side that runs on its cores for at least this part of the elapsed time is the limit.
pub(in crate::sections) const SATURATED: Ratio = Ratio(0.95);

/// Requests that are answered at less than this part of the offered rate have fallen behind; the end of a window, when
/// the last answers are waited for, costs a little of it.
const KEPT_UP: Ratio = Ratio(0.95);

/// User time below this, in nanoseconds over a whole run, is a few ticks of the kernel's clock and no figure.
const TICKS: f64 = 20e6;

/// One side of a sample.
pub(in crate::sections) type Side = fn(&Batch) -> Option<Cpu>;

pub(in crate::sections) fn server(batch: &Batch) -> Option<Cpu> {
    batch.sample.server
}

pub(in crate::sections) fn client(batch: &Batch) -> Option<Cpu> {
    batch.sample.client
}

/// CPU microseconds of one side for one request.
pub(in crate::sections) fn cost(
    facts: &Facts<'_>,
    item: &Found<'_>,
    metric: Metric,
) -> Result<Quantity, String> {
    facts.cost(item.index, metric).map(|cost| Quantity::scaled(&cost, 1e-3, "µs"))
}

/// CPU microseconds of the server for one request, for tables that do not say who was the limit elsewhere.
pub(in crate::sections) fn of_server(facts: &Facts<'_>, item: &Found<'_>) -> Result<Quantity, String> {
    let cost = cost(facts, item, Metric::Server)?;
    Ok(match bound(facts, item) {
        Some(bound) if bound.is_not_the_server() => cost.remarked(NOT_THE_SERVER),
        _ => cost,
    })
}

/// What has to be known of a figure whose server could have done more.
pub(in crate::sections) const NOT_THE_SERVER: &str =
    "the client was the limit, or on the server's cores: no figure of a busy server";

/// Requests per second; marked where the server could have done more.
pub(super) fn rate(facts: &Facts<'_>, item: &Found<'_>, bound: Option<Bound>) -> Result<Quantity, String> {
    let wall = facts.cost(item.index, Metric::Wall)?;
    if item.work.rate > 0 {
        return achieved(item);
    }
    let rate = Quantity::rate(1e9, &wall, "");
    let sign = if bound.is_some_and(Bound::is_not_the_server) { Some(Sign::AtLeast) } else { rate.sign };
    Ok(Quantity { sign, ..rate })
}

/// Requests per second of an open loop: the clock sets the pace, so nothing is corrected for the state of the machine.
fn achieved(item: &Found<'_>) -> Result<Quantity, String> {
    let rate = |batch: &Batch| {
        let seconds = batch.sample.wall.as_secs();
        (seconds > 0.0).then(|| batch.sample.iterations as f64 / seconds)
    };
    let rates: Vec<f64> = item.measurement.batches().iter().filter_map(rate).collect();
    let found = median_interval(&rates, 0.95).ok_or_else(|| "too little was measured".to_owned())?;
    let achieved = Quantity::between(found.value, found.low, found.high, "");
    let offered = f64::from(item.work.rate);
    Ok(match achieved.high < offered * KEPT_UP.0 {
        true => achieved.remarked(
            "fell behind the offered rate: requests queued up, and their latency says how long the run was",
        ),
        false => achieved,
    })
}

/// The kernel's part of the CPU time of one side, where the kernel accounts for it.
pub(super) fn kernel(batches: &[Batch], side: Side) -> Option<Percent> {
    let (user, system) = parts(batches, side);
    (user + system > 0.0).then(|| Ratio(system / (user + system)).percent())
}

/// The part of the CPU time of one side that was spent in user space, or why it is not known.
pub(in crate::sections) fn user(batches: &[Batch], side: Side) -> Result<Ratio, String> {
    let (user, system) = parts(batches, side);
    if user + system <= 0.0 {
        return Err("the kernel did not tell user space and itself apart".to_owned());
    }
    if user < TICKS {
        let least = TICKS / 1e6;
        return Err(format!("less than {least:.0} ms in user space in the whole run: too little to tell"));
    }
    Ok(Ratio(user / (user + system)))
}

/// Nanoseconds in user space and in the kernel, of the batches that have both.
fn parts(batches: &[Batch], side: Side) -> (f64, f64) {
    let parts = batches.iter().filter_map(|batch| {
        let cpu = side(batch)?;
        Some((cpu.user?.0 as f64, cpu.system?.0 as f64))
    });
    parts.fold((0.0, 0.0), |sum, part| (sum.0 + part.0, sum.1 + part.1))
}

/// How busy each side was: the part of the elapsed time that it ran, on all cores that it had.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::sections) struct Bound {
    server: Ratio,
    client: Ratio,
    /// Whether both had the same cores and took all of them.
    is_full: bool,
}

impl Bound {
    /// Whether the server could have done more: the client was the limit, or took cores from it. A server that is as
    /// busy as the client is the limit too.
    pub fn is_not_the_server(self) -> bool {
        self.server < SATURATED && (self.client >= SATURATED || self.is_full)
    }

    /// Both in percent, with a mark at those that were the limit.
    pub fn shown(self) -> String {
        let side = |busy| format!("{:.0}{}", shown(busy), if busy >= SATURATED { "*" } else { "" });
        let (server, client) = (side(self.server), side(self.client));
        let full = if self.is_full && !server.ends_with('*') && !client.ends_with('*') { " all" } else { "" };
        format!("{server}/{client}{full}")
    }

    /// The part of the elapsed time that the server ran.
    pub fn server(self) -> Ratio {
        self.server
    }
}

/// In percent, and not above 100: the two sides of the ratio are read from clocks that differ a little.
fn shown(busy: Ratio) -> f64 {
    busy.percent().0.min(100.0)
}

pub(in crate::sections) fn bound(facts: &Facts<'_>, item: &Found<'_>) -> Option<Bound> {
    let share = |metric| Some(facts.share(item.index, metric, Metric::Wall)?.value);
    let (server, client) = (share(Metric::Server)?, share(Metric::Client)?);
    let workers = f64::from(item.work.tuning.workers.max(1));
    let cores = facts.cores().unwrap_or(workers);
    // Several threads of a client have all cores but the server's.
    let threads = f64::from(item.measurement.case.threads.max(1)).min((cores - 1.0).max(1.0));
    let client = client / threads;
    match has_own_core(item.work) {
        true => Some(Bound { server: Ratio(server), client: Ratio(client), is_full: false }),
        false => Some(Bound {
            server: Ratio(server / workers.min(cores)),
            client: Ratio(client),
            is_full: server + client * threads >= SATURATED.0 * cores,
        }),
    }
}

/// Whether the server is kept on a core of its own; several workers get all cores, the client's among them.
pub(super) fn has_own_core(load: &Load) -> bool {
    load.tuning.pinned && load.tuning.workers <= 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_busy_server_is_the_limit_even_beside_a_busy_client() {
        let of = |server, client| Bound { server: Ratio(server), client: Ratio(client), is_full: false };
        assert!(of(0.5, 0.99).is_not_the_server());
        assert!(!of(0.97, 0.99).is_not_the_server() && !of(0.5, 0.6).is_not_the_server());
        assert_eq!(of(0.97, 0.99).shown(), "97*/99*");
        assert_eq!(of(0.5, 0.6).shown(), "50/60");
        assert_eq!(of(1.004, 0.6).shown(), "100*/60");
    }

    #[test]
    fn two_sides_that_take_all_cores_together_are_the_limit_of_each_other() {
        let full = Bound { server: Ratio(0.6), client: Ratio(0.8), is_full: true };
        assert!(full.is_not_the_server());
        assert_eq!(full.shown(), "60/80 all");
        assert_eq!(Bound { client: Ratio(0.98), ..full }.shown(), "60/98*");
    }
}
