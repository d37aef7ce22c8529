//! [`Bound`]: which side was the limit of a load, and what that means for its figures.

use tlstax_doc::Metric;
use tlstax_spec::Load;
use tlstax_stats::Ratio;

use super::item::Found;
use crate::grid::Measure;
use crate::model::{Column, Quantity};

/// A side that runs on its cores for at least this part of the elapsed time is the limit.
pub(crate) const SATURATED: Ratio = Ratio(0.95);

/// What has to be known of a figure whose server could have done more.
pub(crate) const NOT_THE_SERVER: &str =
    "the client was the limit, or on the server's cores: no figure of a busy server";

/// How busy each side was: the part of the elapsed time that it ran, on all cores that it had.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Bound {
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

    /// A column of both, for rows of which this is known.
    pub fn measure<'f, R: 'f>(bound: impl Fn(&R) -> Option<Self> + 'f) -> Measure<'f, R> {
        let column = Column { numeric: true, unit: "% s/c", ..Column::words("busy") };
        Measure::new(column, move |row| bound(row).map(Self::shown))
    }

    pub fn server(self) -> Ratio {
        self.server
    }
}

/// In percent, and not above 100: the two sides of the ratio are read from clocks that differ a little.
fn shown(busy: Ratio) -> f64 {
    busy.percent().0.min(100.0)
}

/// None where either side has no CPU time.
pub(crate) fn bound(item: &Found<'_>) -> Option<Bound> {
    let share = |metric| Some(item.share(metric, Metric::Wall)?.value);
    let (server, client) = (share(Metric::Server)?, share(Metric::Client)?);
    let workers = f64::from(item.work.tuning.workers.max(1));
    let cores = item.facts.cores().unwrap_or(workers);
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
pub(crate) fn has_own_core(load: &Load) -> bool {
    load.tuning.pinned && load.tuning.workers <= 1
}

/// Whether the client was the limit of any of these loads, so that their servers could have done more.
pub(crate) fn any_is_limited(items: &[Found<'_>]) -> bool {
    items.iter().any(|item| bound(item).is_some_and(Bound::is_not_the_server))
}

/// CPU microseconds of the server for one request, for tables without a column of who was the limit.
pub(crate) fn server_cost(item: &Found<'_>) -> Result<Quantity, String> {
    let cost = item.micros(Metric::Server)?;
    Ok(if any_is_limited(&[*item]) { cost.remarked(NOT_THE_SERVER) } else { cost })
}

/// What one load costs as a multiple of another, within rounds; with a remark where a client was the limit, unless it is
/// the client's cost.
pub(crate) fn multiple(item: &Found<'_>, base: &Found<'_>, metric: Metric) -> Option<Quantity> {
    let ratio = item.times(base, metric)?;
    let is_remarked = metric != Metric::Client && any_is_limited(&[*item, *base]);
    Some(if is_remarked { ratio.remarked(NOT_THE_SERVER) } else { ratio })
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
