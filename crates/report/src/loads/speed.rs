//! How fast a file moves, by the clock and by the CPU time of one side.

use tlstax_doc::Metric;
use tlstax_stats::Ratio;

use super::cost::user;
use super::item::Found;
use crate::model::Quantity;

const MEBIBYTE: f64 = 1_048_576.0;

/// The unit of speeds.
pub(crate) const SPEED: &str = "MiB/s";

/// MiB of body in a second of this.
pub(crate) fn speed(item: &Found<'_>, metric: Metric) -> Result<Quantity, String> {
    let cost = item.cost(metric)?;
    Ok(Quantity::rate(f64::from(item.work.body) / MEBIBYTE * 1e9, &cost, SPEED))
}

/// MiB of body in a second of one side's CPU time in user space.
pub(crate) fn speed_in_user_space(item: &Found<'_>, metric: Metric) -> Result<Quantity, String> {
    let speed = speed(item, metric)?;
    let Ratio(user) = user(item, metric)?;
    Ok(Quantity { value: speed.value / user, low: speed.low / user, high: speed.high / user, ..speed })
}
