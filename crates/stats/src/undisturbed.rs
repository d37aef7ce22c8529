//! The cost of a case while nobody disturbs the machine, from the parts of its batches.

use std::collections::BTreeMap;

use crate::machine::{During, Machine};
use crate::mode::{WINDOW, lower_mode};
use crate::observation::{MIN_ROUNDS, Observation};
use crate::order::{median, quantile};

/// What the lower mode of all parts of a case has at least of the parts in its fullest window: on a machine that is undisturbed
/// for 5 % of the time beside a neighbour whose cost varies by a third it has as many as any other.
const MODE_SHARE: f64 = 0.15;

/// The same for the parts of one sitting, of which there are few: a low share would be chance.
const SITTING_SHARE: f64 = 0.3;

/// So many parts within a window are a mode.
const MODE_PARTS: usize = 3;

/// A sitting with fewer parts has no mode of its own.
const FEW_PARTS: usize = 6;

/// How far the mode of a sitting may lie above that of the case and still be the same state of the machine: layouts of processes
/// differ by less in most cases, and what a neighbour adds is more.
const NEAR: f64 = 0.015;

/// The undisturbed cost of a case in each sitting that has seen it; in each round where there are too few sittings.
#[derive(Debug, Clone)]
pub(crate) struct Levels {
    /// In nanoseconds at the usual clock of the run, by sitting or round.
    pub costs: BTreeMap<u32, f64>,
    /// Rounds that are in them, and all.
    pub kept: usize,
    pub total: usize,
}

/// The lower mode of all parts of a case, and how wide it is.
#[derive(Clone, Copy)]
struct Lowest {
    mode: f64,
    window: f64,
}

/// A batch with its parts at the usual clock.
struct Parts {
    round: u32,
    sitting: u32,
    undisturbed: bool,
    costs: Vec<f64>,
}

impl Levels {
    /// None where batches have no parts, where there are no readings, or where fewer than [`MIN_ROUNDS`] sittings or rounds have
    /// seen the undisturbed machine.
    pub fn of(observations: &[Observation], machine: Option<&Machine>) -> Option<Self> {
        let machine = machine?;
        let batches: Vec<Parts> =
            observations.iter().filter(|o| !o.parts.is_empty()).map(|o| Parts::of(o, machine)).collect();
        let all: Vec<f64> = batches.iter().flat_map(|batch| &batch.costs).copied().collect();
        let window = window(&batches);
        let lowest = Lowest { mode: lower_mode(&all, window, MODE_SHARE, MODE_PARTS)?, window };
        Self::by(&batches, lowest, |batch| batch.sitting)
            .or_else(|| Self::by(&batches, lowest, |batch| batch.round))
    }

    fn by(batches: &[Parts], lowest: Lowest, key: fn(&Parts) -> u32) -> Option<Self> {
        let mut units: BTreeMap<u32, Vec<&Parts>> = BTreeMap::new();
        for batch in batches {
            units.entry(key(batch)).or_default().push(batch);
        }
        let level = |(key, batches): (&u32, &Vec<&Parts>)| Some((*key, level(batches, lowest)?));
        let costs: BTreeMap<u32, f64> = units.iter().filter_map(level).collect();
        let seen = |batch: &&Parts| costs.contains_key(&key(batch));
        let (kept, total) = (rounds(batches.iter().filter(seen)), rounds(batches.iter()));
        (costs.len() >= MIN_ROUNDS).then_some(Self { costs, kept, total })
    }

    /// Cost by cost as multiples of another case's, in the sittings or rounds that have both.
    pub fn relative_to(&self, other: &Self) -> Option<Self> {
        let quotient = |(key, cost): (&u32, &f64)| Some((*key, cost / other.costs.get(key)?));
        let costs: BTreeMap<u32, f64> = self.costs.iter().filter_map(quotient).collect();
        let (kept, total) = (self.kept.min(other.kept), self.total.min(other.total));
        (costs.len() >= MIN_ROUNDS).then_some(Self { costs, kept, total })
    }
}

impl Parts {
    fn of(observation: &Observation, machine: &Machine) -> Self {
        let Observation { round, sitting, reading, ref parts, .. } = *observation;
        let During { cycle, undisturbed } = machine.during(reading);
        Self { round, sitting, undisturbed, costs: parts.iter().map(|part| part / cycle).collect() }
    }
}

/// How wide a window has to be for undisturbed parts of this case: as wide as their middle half and half as much again, by the
/// quarter of its batches in which successive parts differ least. Successive parts see the same neighbour more often than not.
fn window(batches: &[Parts]) -> f64 {
    let step = |pair: &[f64]| (pair[1] / pair[0]).ln().abs();
    let steps: Vec<f64> = batches
        .iter()
        .filter_map(|batch| median(&batch.costs.windows(2).map(step).collect::<Vec<_>>()))
        .collect();
    // Of normal values the middle half is as wide as 1.41 medians of the difference of two.
    quantile(&steps, 0.25).map_or(WINDOW, |step| WINDOW.max(1.5 * 1.41 * step))
}

fn rounds<'p>(batches: impl Iterator<Item = &'p Parts>) -> usize {
    batches.map(|batch| batch.round).collect::<std::collections::BTreeSet<_>>().len()
}

/// The undisturbed cost in some batches of one process: their lower mode, where it is that of the case, or where the readings
/// around show that nobody disturbed them. Then it is the process that differs.
fn level(batches: &[&Parts], lowest: Lowest) -> Option<f64> {
    let all: Vec<f64> = batches.iter().flat_map(|batch| &batch.costs).copied().collect();
    let near = |cost: &f64| *cost <= lowest.mode * (1.0 + NEAR.max(lowest.window));
    let own = if all.len() < FEW_PARTS {
        median(&all.iter().copied().filter(near).collect::<Vec<_>>())
    } else {
        lower_mode(&all, lowest.window, SITTING_SHARE, MODE_PARTS).filter(near)
    };
    own.or_else(|| {
        let shown = batches.iter().filter(|batch| batch.undisturbed).flat_map(|batch| &batch.costs).copied();
        lower_mode(&shown.collect::<Vec<_>>(), lowest.window, SITTING_SHARE, MODE_PARTS.min(all.len()))
    })
}
