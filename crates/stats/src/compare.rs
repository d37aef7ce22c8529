//! The same case in two runs, between which the machine may have changed.

use crate::estimate::{Estimate, ratio_at, reach};
use crate::machine::Machine;
use crate::observation::{MIN_ROUNDS, Side};
use crate::order::{Interval, cautious_interval};
use crate::percent::Ratio;
use crate::reference::Reading;
use crate::rounds::Rounds;
use crate::shares::Shares;
use crate::undisturbed::Levels;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settings {
    /// The smallest change that differs from the luck of a process, as a part of the cost: where its code, stack and heap
    /// come to lie changes costs (Mytkowicz and others, "Producing wrong data without doing anything obviously
    /// wrong", 2009). Sittings draw that luck anew and the interval is made over them; the default is what is left of it
    /// between runs of the same build.
    pub floor: Ratio,
    /// The widest change, as a part of the cost, that may be called "the same".
    pub same_within: Ratio,
    /// The confidence of the interval of the ratio, 0 to 1. Higher than an estimate's by default: a comparison
    /// makes a claim about every case of a study, and 22 recorded runs of one build gave more than twice as many
    /// false claims at 95 %.
    pub confidence: f64,
    /// What differs from run to run beside the intervals of both, as a part of the cost, because neither the rounds of a run nor the
    /// reference kernels show it: 0 for work that lies in the core and its caches.
    pub left_open: Ratio,
}

impl Default for Settings {
    fn default() -> Self {
        Self { floor: Ratio(0.003), same_within: Ratio(0.03), confidence: 0.99, left_open: Ratio(0.0) }
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Verdict {
    /// The new run costs less, by more than the floor.
    Faster,
    /// The new run costs more, by more than the floor.
    Slower,
    /// The cost changed by no more than `within`, a part of it.
    Same {
        /// The largest change that the interval or the floor leaves room for.
        within: Ratio,
    },
    CannotTell,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    Interval,
    /// Fewer than [`MIN_ROUNDS`] rounds on one of the sides.
    TooFewRounds,
    /// No references on one of the sides, so that a change of the machine would look like one of the case.
    NoReferences,
    /// The machine changed between the runs, and the runs do not show how the case follows it.
    MachineChanged,
    /// Too much noise for so few rounds.
    Noise,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Comparison {
    pub verdict: Verdict,
    /// New cost / old cost, with all that the machine's change leaves open; none where there are too few rounds.
    pub ratio: Option<Interval>,
    /// The references of the new run as multiples of the old run's, in the rounds compared.
    pub machine: Option<Reading>,
    pub why: Reason,
}

/// Compares the same case in two runs.
///
/// Each side is its undisturbed cost by sittings, at equal clock. Where one has none, each side is the median over its rounds (quiet
/// ones where there are enough). The two are independent, so their
/// intervals are joined in logarithms by their squares (MOVER: Donner and Zou, "Closed-form confidence intervals for
/// functions of the normal mean and standard deviation", 2012).
///
/// The machine may have changed between the runs, and how the case follows the machine is not known beforehand: every
/// pair of [`Shares`] gives a ratio of its own. Those that the rounds of the two runs refute are dropped, and the
/// interval reaches over all others. So if the machine changed in a way the runs themselves never showed, the
/// interval is wide, and the verdict is "cannot tell".
pub fn compare(old: Side<'_>, new: Side<'_>, settings: &Settings) -> Comparison {
    undisturbed(old, new, settings).unwrap_or_else(|| of_batches(old, new, settings))
}

/// Compares two cases of the same run, as of two builds of one library: their [`crate::ratio`], within sittings or rounds, so that
/// whatever the machine did it did to both.
pub fn compare_within(old: Side<'_>, new: Side<'_>, settings: &Settings) -> Comparison {
    let Some(Estimate { value, low, high, .. }) = ratio_at(new, old, settings.confidence) else {
        return undecided(Reason::TooFewRounds, None);
    };
    let ratio = Interval { value, low, high };
    let verdict = verdict(ratio, settings);
    Comparison { verdict, ratio: Some(ratio), machine: None, why: Reason::Interval }
}

/// Compares what the case costs on the undisturbed machine, clock cycle by clock cycle. None where a side has no such cost, or
/// where the machine of one of the runs was disturbed from its beginning to its end, as the balance of its kernels shows.
fn undisturbed(old: Side<'_>, new: Side<'_>, settings: &Settings) -> Option<Comparison> {
    let machines = [old.baseline?.machine.as_ref()?, new.baseline?.machine.as_ref()?];
    let [clock, balance] =
        [|m: &Machine| m.clock, |m: &Machine| m.balance].map(|of| of(machines[1]) / of(machines[0]));
    if balance.ln().abs() > SAME_BALANCE {
        return None;
    }
    let levels = |side: Side<'_>, machine| Levels::of(side.observations, Some(machine));
    let logs = |levels: Levels| levels.costs.values().map(|cost| cost.ln()).collect::<Vec<_>>();
    let [old, new] = [logs(levels(old, machines[0])?), logs(levels(new, machines[1])?)];
    let Interval { value, low, high } = between(&old, &new, settings)?;
    let unknown = (clock.ln().abs() * CLOCK_UNKNOWN).exp() * (1.0 + settings.left_open.0);
    let ratio = Interval { value: value / clock, low: low / clock / unknown, high: high / clock * unknown };
    let verdict = verdict(ratio, settings);
    let why = if verdict == Verdict::CannotTell { Reason::Noise } else { Reason::Interval };
    let machine = Some(Reading { latency: clock, throughput: clock * balance });
    Some(Comparison { verdict, ratio: Some(ratio), machine, why })
}

/// By how much the balance of the kernels may differ (in logarithms) between two runs that were both undisturbed at times: it
/// differed by 0.1 % between twenty runs on one machine.
const SAME_BALANCE: f64 = 0.01;

/// What is left open of a change of the clock, as a share of it: work that waits for memory follows the clock less.
const CLOCK_UNKNOWN: f64 = 0.1;

fn of_batches(old: Side<'_>, new: Side<'_>, settings: &Settings) -> Comparison {
    let origin = old.baseline.or(new.baseline).map_or(Reading::NEUTRAL, |baseline| baseline.best);
    let [old, new] = [old, new].map(|side| Rounds::of(side.observations, side.baseline, origin));
    if old.kept.len().min(new.kept.len()) < MIN_ROUNDS {
        return undecided(Reason::TooFewRounds, None);
    }
    let machine = old.state().zip(new.state()).map(|(old, new)| new.relative_to(old));
    let (false, false, Some(machine)) = (old.all.is_empty(), new.all.is_empty(), machine) else {
        return undecided(Reason::NoReferences, by_chance(Shares::default(), &old, &new, settings));
    };
    let possible = Shares::possible(&[&old.all, &new.all]);
    let Some(likely) = by_chance(possible[0], &old, &new, settings) else {
        return undecided(Reason::TooFewRounds, None);
    };
    let ratios =
        possible.iter().filter_map(|shares| Some(new.level(*shares)? / old.level(*shares)? / likely.value));
    let (least, greatest) = reach(ratios);
    let mixture =
        ((machine.latency / machine.throughput).ln().abs() * MIXTURE).exp() * (1.0 + settings.left_open.0);
    let ratio =
        Interval { low: likely.low * least / mixture, high: likely.high * greatest * mixture, ..likely };
    let verdict = verdict(ratio, settings);
    let why = match verdict {
        Verdict::CannotTell if self::verdict(likely, settings) != verdict => Reason::MachineChanged,
        Verdict::CannotTell => Reason::Noise,
        _ => Reason::Interval,
    };
    Comparison { verdict, ratio: Some(ratio), machine: Some(machine), why }
}

/// What is left open, as a share of the difference between the kernels' changes, because it is not known how a case
/// between the kernels mixes them: the sum of times and the geometric mean differ by up to so much while the
/// kernels' changes differ by less than a factor of 1.5.
const MIXTURE: f64 = 0.05;

pub(crate) fn verdict(ratio: Interval, settings: &Settings) -> Verdict {
    let floor = settings.floor.0;
    let within = Ratio((ratio.high - 1.0).max(1.0 / ratio.low - 1.0).max(floor));
    if ratio.low > 1.0 + floor {
        Verdict::Slower
    } else if ratio.high < 1.0 / (1.0 + floor) {
        Verdict::Faster
    } else if within <= settings.same_within {
        Verdict::Same { within }
    } else {
        Verdict::CannotTell
    }
}

fn undecided(why: Reason, ratio: Option<Interval>) -> Comparison {
    Comparison { verdict: Verdict::CannotTell, ratio, machine: None, why }
}

/// New / old with the machine taken out by these shares, and the interval that chance leaves open.
fn by_chance(shares: Shares, old: &Rounds, new: &Rounds, settings: &Settings) -> Option<Interval> {
    let logs = |rounds: &Rounds| {
        rounds.independent(&rounds.levelled(shares)).into_iter().map(f64::ln).collect::<Vec<_>>()
    };
    between(&logs(old), &logs(new), settings)
}

/// New / old of the medians of independent logarithms.
fn between(old: &[f64], new: &[f64], settings: &Settings) -> Option<Interval> {
    let side = |logs| cautious_interval(logs, settings.confidence);
    Some(joined(side(old)?, side(new)?))
}

/// New / old, from the intervals of the logarithms of both.
pub(crate) fn joined(old: Interval, new: Interval) -> Interval {
    let log = new.value - old.value;
    let down = (new.value - new.low).hypot(old.high - old.value);
    let up = (new.high - new.value).hypot(old.value - old.low);
    Interval { value: log.exp(), low: (log - down).exp(), high: (log + up).exp() }
}
