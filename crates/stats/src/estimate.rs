//! The cost of a case in one run, and the ratio of two.

use std::collections::BTreeMap;

use crate::observation::{Basis, MIN_ROUNDS, Observation};
use crate::order::{Interval, cautious_interval};
use crate::percent::HalfWidth;
use crate::reference::{Baseline, Reading};
use crate::rounds::Rounds;
use crate::shares::Shares;

/// A cost with the interval that covers it in 95 of 100 runs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The median over rounds, in the unit of the observations.
    pub value: f64,
    pub low: f64,
    pub high: f64,
    pub basis: Basis,
    /// The rounds it was made from.
    pub kept: usize,
    pub total: usize,
}

impl Estimate {
    /// Half the width of its interval, relative to its value. A case stops before its budget is spent where this is at
    /// most the precision that was asked for.
    pub fn half_width(&self) -> HalfWidth {
        HalfWidth::of(self.value, self.low, self.high)
    }
}

/// The confidence of every interval of an estimate.
const CONFIDENCE: f64 = 0.95;

/// The cost of a case on the machine at its best: the median over quiet rounds, and where fewer than [`MIN_ROUNDS`]
/// are quiet, over all rounds. Several batches of one round count as one value, their median.
///
/// The interval holds what chance leaves open ([`crate::median_interval`] over sittings, each by the median of its
/// rounds; over rounds where there are fewer sittings than [`MIN_ROUNDS`]), and what is not known about
/// how the case follows the machine ([`Shares`]).
///
/// None where there are fewer rounds than [`MIN_ROUNDS`]. Observations whose cost is not above zero are neglected.
pub fn estimate(observations: &[Observation], baseline: Option<&Baseline>) -> Option<Estimate> {
    let rounds = Rounds::of(observations, baseline, origin(baseline));
    let followed = Followed::of(&rounds)?;
    followed.summarise(&rounds.levelled(followed.shares), &rounds)
}

/// What case `a` costs as a multiple of case `b` of the same run: computed within each round that has both, then
/// summarised as in [`estimate`].
///
/// None where fewer than [`MIN_ROUNDS`] rounds have both.
pub fn ratio(a: &[Observation], b: &[Observation], baseline: Option<&Baseline>) -> Option<Estimate> {
    let origin = origin(baseline);
    let quiet = || ratio_of(&Rounds::of(a, baseline, origin), &Rounds::of(b, baseline, origin));
    let disturbed =
        || ratio_of(&Rounds::disturbed(a, baseline, origin), &Rounds::disturbed(b, baseline, origin));
    quiet().or_else(disturbed)
}

/// The state that costs are brought to.
fn origin(baseline: Option<&Baseline>) -> Reading {
    baseline.map_or(Reading::NEUTRAL, |baseline| baseline.best)
}

fn ratio_of(a: &Rounds, b: &Rounds) -> Option<Estimate> {
    let (followed_a, followed_b) = (Followed::of(a)?, Followed::of(b)?);
    let divisors = b.levelled(followed_b.shares);
    let quotient = |(round, cost)| Some((round, cost / divisors.get(&round)?));
    let quotients = a.levelled(followed_a.shares).into_iter().filter_map(quotient).collect();
    let weaker = if matches!(a.basis, Basis::Quiet { .. }) { b } else { a };
    followed_a.over(followed_b).summarise(&quotients, weaker)
}

/// How a case follows the machine, and what it would cost if it followed in any other way that its rounds leave open.
#[derive(Clone, Copy)]
struct Followed {
    shares: Shares,
    /// The least and the greatest cost by any possible shares, as multiples of the cost by `shares`.
    least: f64,
    greatest: f64,
}

impl Followed {
    fn of(rounds: &Rounds) -> Option<Self> {
        let possible = Shares::possible(&[&rounds.all]);
        let shares = *possible.first()?;
        let cost = rounds.level(shares)?;
        let others = possible.into_iter().filter_map(|other| Some(rounds.level(other)? / cost));
        let (least, greatest) = reach(others);
        Some(Self { shares, least, greatest })
    }

    fn over(self, other: Self) -> Self {
        Self { least: self.least / other.greatest, greatest: self.greatest / other.least, ..self }
    }

    fn summarise(&self, values: &BTreeMap<u32, f64>, rounds: &Rounds) -> Option<Estimate> {
        if values.len() < MIN_ROUNDS {
            return None;
        }
        let Interval { value, low, high } = cautious_interval(&rounds.independent(values), CONFIDENCE)?;
        let (low, high) = (low * self.least, high * self.greatest);
        Some(Estimate { value, low, high, basis: rounds.basis, kept: values.len(), total: rounds.total })
    }
}

/// The least and the greatest of some multiples of a value, which is among them.
pub(crate) fn reach(multiples: impl Iterator<Item = f64>) -> (f64, f64) {
    multiples.fold((1.0, 1.0), |(low, high), one| (one.min(low), one.max(high)))
}
