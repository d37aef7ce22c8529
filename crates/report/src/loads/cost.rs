//! How many requests there are in a second, and how the CPU time of a side divides between user space and the kernel.

use tlstax_doc::{Batch, Metric};
use tlstax_stats::{Percent, Ratio, median_interval};

use super::bound::Bound;
use super::item::Found;
use crate::model::{Quantity, Sign};

/// Requests that are answered at less than this part of the offered rate have fallen behind; the end of a window, when
/// the last answers are waited for, costs a little of it.
const KEPT_UP: Ratio = Ratio(0.95);

/// User time below this, in nanoseconds over a whole run, is a few ticks of the kernel's clock and no figure.
const TICKS: f64 = 20e6;

/// Requests per second; marked where the server could have done more.
pub(crate) fn rate(item: &Found<'_>, bound: Option<Bound>) -> Result<Quantity, String> {
    let wall = item.cost(Metric::Wall)?;
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
pub(crate) fn kernel(item: &Found<'_>, metric: Metric) -> Option<Percent> {
    let (user, system) = parts(item, metric);
    (user + system > 0.0).then(|| Ratio(system / (user + system)).percent())
}

/// The part of the CPU time of one side that was spent in user space, or why it is not known.
pub(crate) fn user(item: &Found<'_>, metric: Metric) -> Result<Ratio, String> {
    let (user, system) = parts(item, metric);
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
fn parts(item: &Found<'_>, metric: Metric) -> (f64, f64) {
    let parts = item.measurement.batches().iter().filter_map(|batch| {
        let cpu = match metric {
            Metric::Client => batch.sample.client,
            Metric::Server => batch.sample.server,
            _ => None,
        }?;
        Some((cpu.user?.0 as f64, cpu.system?.0 as f64))
    });
    parts.fold((0.0, 0.0), |sum, part| (sum.0 + part.0, sum.1 + part.1))
}
