//! The cost of a case in one run, and the ratio of two.

use std::collections::BTreeMap;

use crate::baseline::Baseline;
use crate::machine::Machine;
use crate::observation::{Basis, MIN_ROUNDS, Observation, Side};
use crate::order::{Interval, cautious_interval};
use crate::percent::HalfWidth;
use crate::reference::Reading;
use crate::rounds::Rounds;
use crate::shares::Shares;
use crate::undisturbed::Levels;

/// A cost with the interval that covers it in 95 of 100 runs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// In the unit of the observations: what the case costs while nobody disturbs the machine, as far as its basis goes.
    pub value: f64,
    pub low: f64,
    pub high: f64,
    pub basis: Basis,
    /// The rounds it was made from.
    pub kept: usize,
    pub total: usize,
    /// The same as it went: the mean over all batches, with all that disturbed them. Of a ratio, that of the two means.
    pub as_it_went: f64,
}

impl Estimate {
    /// Half the width of its interval, relative to its value. A case stops before its budget is spent where this is at
    /// most the precision that was asked for.
    pub fn half_width(&self) -> HalfWidth {
        HalfWidth::of(self.value, self.low, self.high)
    }

    /// The same with an interval that holds at the clock of another run too. An undisturbed cost is one at the usual clock of its
    /// run, and the next run has another; ratios and comparisons are at equal clock and need none of this.
    pub fn at_other_clocks(self, machine: &Machine) -> Self {
        if self.basis != Basis::Undisturbed {
            return self;
        }
        let Self { value, low, high, .. } = self;
        let clock = value * machine.wander;
        Self { low: value - (value - low).hypot(clock), high: value + (high - value).hypot(clock), ..self }
    }
}

/// The confidence of every interval of an estimate.
const CONFIDENCE: f64 = 0.95;

/// The cost of a case on the undisturbed machine. Where batches have parts, it is the median over sittings of the lower mode of
/// their parts at the usual clock of the run, in those sittings that have seen that mode.
///
/// Where there are no parts, or fewer than [`MIN_ROUNDS`] sittings have seen it: the median over quiet rounds, and where fewer
/// than [`MIN_ROUNDS`] are quiet, over all rounds. Several batches of one round count as one value, their median.
///
/// The interval holds what chance leaves open ([`crate::median_interval`] over sittings, each by the median of its
/// rounds; over rounds where there are fewer sittings than [`MIN_ROUNDS`]), and what is not known about
/// how the case follows the machine ([`Shares`]).
///
/// None where there are fewer rounds than [`MIN_ROUNDS`]. Observations whose cost is not above zero are neglected.
pub fn estimate(observations: &[Observation], baseline: Option<&Baseline>) -> Option<Estimate> {
    let as_it_went = mean(observations)?;
    let undisturbed = levels(observations, baseline).and_then(|levels| of_levels(&levels, CONFIDENCE));
    let found = undisturbed.or_else(|| of_batches(observations, baseline));
    found.map(|estimate| Estimate { as_it_went, ..estimate })
}

/// The undisturbed cost of a case by sittings.
fn levels(observations: &[Observation], baseline: Option<&Baseline>) -> Option<Levels> {
    Levels::of(observations, baseline?.machine.as_ref())
}

fn of_levels(levels: &Levels, confidence: f64) -> Option<Estimate> {
    let costs: Vec<f64> = levels.costs.values().copied().collect();
    let Interval { value, low, high } = cautious_interval(&costs, confidence)?;
    let Levels { kept, total, .. } = *levels;
    Some(Estimate { value, low, high, basis: Basis::Undisturbed, kept, total, as_it_went: value })
}

/// The mean cost of all batches; None where none has any.
fn mean(observations: &[Observation]) -> Option<f64> {
    let costs = || observations.iter().map(|o| o.cost).filter(|cost| cost.is_finite() && *cost > 0.0);
    let count = costs().count();
    (count > 0).then(|| costs().sum::<f64>() / count as f64)
}

fn of_batches(observations: &[Observation], baseline: Option<&Baseline>) -> Option<Estimate> {
    let rounds = Rounds::of(observations, baseline, origin(baseline));
    let followed = Followed::of(&rounds)?;
    followed.summarise(&rounds.levelled(followed.shares), &rounds, CONFIDENCE)
}

/// What case `a` costs as a multiple of case `b` of the same run: computed within each sitting in which both have seen the
/// undisturbed machine, or else within each round that has both, then summarised as in [`estimate`]. Each may have run on a core
/// of its own.
///
/// None where fewer than [`MIN_ROUNDS`] rounds have both.
pub fn ratio(a: Side<'_>, b: Side<'_>) -> Option<Estimate> {
    ratio_at(a, b, CONFIDENCE)
}

/// The same with an interval of another confidence, 0 to 1.
pub(crate) fn ratio_at(a: Side<'_>, b: Side<'_>, confidence: f64) -> Option<Estimate> {
    let as_it_went = mean(a.observations)? / mean(b.observations)?;
    let of = |side: Side<'_>| levels(side.observations, side.baseline);
    let levels = || of(a)?.relative_to(&of(b)?);
    let found = levels().and_then(|levels| of_levels(&levels, confidence));
    let found = found.or_else(|| ratio_of_batches(a, b, confidence));
    found.map(|estimate| Estimate { as_it_went, ..estimate })
}

fn ratio_of_batches(a: Side<'_>, b: Side<'_>, confidence: f64) -> Option<Estimate> {
    let quiet = |side: Side<'_>| Rounds::of(side.observations, side.baseline, origin(side.baseline));
    let disturbed =
        |side: Side<'_>| Rounds::disturbed(side.observations, side.baseline, origin(side.baseline));
    let of = |a: &Rounds, b: &Rounds| ratio_of(a, b, confidence);
    of(&quiet(a), &quiet(b)).or_else(|| of(&disturbed(a), &disturbed(b)))
}

/// The state that costs are brought to.
fn origin(baseline: Option<&Baseline>) -> Reading {
    baseline.map_or(Reading::NEUTRAL, |baseline| baseline.best)
}

fn ratio_of(a: &Rounds, b: &Rounds, confidence: f64) -> Option<Estimate> {
    let (followed_a, followed_b) = (Followed::of(a)?, Followed::of(b)?);
    let divisors = b.levelled(followed_b.shares);
    let quotient = |(round, cost)| Some((round, cost / divisors.get(&round)?));
    let quotients = a.levelled(followed_a.shares).into_iter().filter_map(quotient).collect();
    let weaker = if matches!(a.basis, Basis::Quiet { .. }) { b } else { a };
    followed_a.over(followed_b).summarise(&quotients, weaker, confidence)
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

    fn summarise(&self, values: &BTreeMap<u32, f64>, rounds: &Rounds, confidence: f64) -> Option<Estimate> {
        if values.len() < MIN_ROUNDS {
            return None;
        }
        let Interval { value, low, high } = cautious_interval(&rounds.independent(values), confidence)?;
        let (low, high) = (low * self.least, high * self.greatest);
        let (kept, total) = (values.len(), rounds.total);
        Some(Estimate { value, low, high, basis: rounds.basis, kept, total, as_it_went: value })
    }
}

/// The least and the greatest of some multiples of a value, which is among them.
pub(crate) fn reach(multiples: impl Iterator<Item = f64>) -> (f64, f64) {
    multiples.fold((1.0, 1.0), |(low, high), one| (one.min(low), one.max(high)))
}
