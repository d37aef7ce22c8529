//! [`explain`]: which changes of the traffic explain how much of a rise of CPU time, and what is left.
//!
//! The traffic before is turned into that after one dimension at a time, in every order; what a dimension explains is the mean over
//! all orders of what its step adds (the value of Shapley, "A value for n-person games", 1953). So the parts add up, whatever the
//! order, and two changes that work together share what neither does alone.

mod couple;
mod dimension;
mod orders;
mod words;

use std::collections::BTreeMap;

use tlstax_doc::model::{Bounds, Term};
use tlstax_doc::plan::{Explained, Explanation, Risen};

use self::couple::{Pair, couple};
use self::orders::{Orders, Step};
use crate::costs::Costs;
use crate::demand::Demand;
use crate::predict::prices::Prices;
use crate::work::{Setup, Work};

/// A rise of CPU time that was measured.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Rise {
    /// The CPU time after is so many times that before; above nothing.
    Times(f64),
    /// Cores before and after.
    Cores { before: f64, after: f64 },
}

/// Why nothing can be explained.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ExplainError {
    #[error(
        "the workload {0} has neither connections nor requests: there is nothing that could cost anything"
    )]
    Nothing(&'static str),
    #[error("the model knows no cost of the workload before: calibrate with loads that are like it")]
    NoCost,
    #[error(
        "the measured rise is no rise of CPU time: give a factor above 0 (5.5x), or what was measured before (above 0) and after"
    )]
    NoRise,
}

/// What changes between two workloads explain of a rise.
///
/// # Errors
/// A workload asks for nothing, the model has no cost of the first, or the rise cannot be.
pub fn explain(
    before: &[Demand],
    after: &[Demand],
    costs: &Costs<'_>,
    setup: Setup,
    rise: Option<Rise>,
) -> Result<Explanation, ExplainError> {
    if rise.is_some_and(|rise| !rise.can_be()) {
        return Err(ExplainError::NoRise);
    }
    if asks_for_nothing(before) {
        return Err(ExplainError::Nothing("before"));
    }
    if asks_for_nothing(after) {
        return Err(ExplainError::Nothing("after"));
    }
    let pairs = couple(before, after);
    let prices = &Prices::of(costs);
    let orders = Orders::of(&pairs, prices, setup);
    let (first, last) = (orders.before(), orders.after());
    if prices.likely(first) <= 0.0 {
        return Err(ExplainError::NoCost);
    }
    let mut parts: Vec<Explained> =
        orders.steps(prices).iter().filter_map(|step| explained(step, &pairs, prices, first)).collect();
    parts.sort_by(|one, other| other.cores.value.abs().total_cmp(&one.cores.value.abs()));
    let change = last.minus(first);
    Ok(Explanation {
        before: cores(prices.cost(first)),
        after: cores(prices.cost(last)),
        parts,
        explained: cores(prices.difference(&change)),
        rise: rise.map(|rise| rise.risen(first, last, prices)),
        missing: missing(&orders, prices),
    })
}

fn asks_for_nothing(demands: &[Demand]) -> bool {
    demands.iter().all(|demand| demand.connections.value <= 0.0 && demand.requests <= 0.0)
}

fn explained(step: &Step, pairs: &[Pair<'_>], prices: &Prices<'_>, first: &Work) -> Option<Explained> {
    let core = |ns: f64| ns / SECOND;
    let [before, after] = words::of(step.dimension, pairs);
    Some(Explained {
        what: step.dimension.name().to_owned(),
        before,
        after,
        cores: cores(prices.difference(&step.work)),
        least: core(step.least),
        most: core(step.most),
        of_before: prices.ratio(&step.work, first)?,
    })
}

impl Rise {
    fn can_be(self) -> bool {
        match self {
            Self::Times(times) => times.is_finite() && times > 0.0,
            Self::Cores { before, after } => {
                before.is_finite() && after.is_finite() && before > 0.0 && after >= 0.0
            }
        }
    }

    fn risen(self, first: &Work, last: &Work, prices: &Prices<'_>) -> Risen {
        match self {
            Self::Times(times) => Risen {
                cores: prices.likely(first) * (times - 1.0) / SECOND,
                before: None,
                left: cores(prices.difference(&first.scaled(times).minus(last))),
            },
            Self::Cores { before, after } => {
                let explained = cores(prices.difference(&last.minus(first)));
                let rest = |of: f64| after - before - of;
                let left = Bounds {
                    value: rest(explained.value),
                    low: rest(explained.high),
                    high: rest(explained.low),
                };
                Risen { cores: after - before, before: Some(before), left }
            }
        }
    }
}

/// Nanoseconds of a second.
const SECOND: f64 = 1e9;

fn cores(ns: Bounds) -> Bounds {
    ns.scaled(1.0 / SECOND)
}

/// What the model has no cost of, of all that is between before and after.
fn missing(orders: &Orders, prices: &Prices<'_>) -> Vec<String> {
    let all = orders.works().iter().flat_map(|work| prices.missing_of(work));
    let by_term: BTreeMap<Term, String> = all.map(|missing| (missing.term, Prices::said(&missing))).collect();
    by_term.into_values().collect()
}

#[cfg(test)]
mod tests;
