//! One case in one run, gathered by rounds and cleaned: what estimates and comparisons are made from.

use std::collections::BTreeMap;

use crate::baseline::Baseline;
use crate::observation::{Basis, MIN_ROUNDS, Observation};
use crate::order::median;
use crate::reference::Reading;
use crate::shares::{Batch, Shares};

/// The batches of a case that are summarised, by round, and all that show how it follows the machine.
pub(crate) struct Rounds {
    /// The batches of the rounds that count.
    pub kept: BTreeMap<u32, Vec<Batch>>,
    /// All batches with readings, whether their rounds count or not.
    pub all: Vec<Batch>,
    pub total: usize,
    pub basis: Basis,
    sittings: BTreeMap<u32, u32>,
}

impl Rounds {
    /// The quiet rounds; all of them where too few are quiet. States are relative to `origin`.
    pub fn of(observations: &[Observation], baseline: Option<&Baseline>, origin: Reading) -> Self {
        let all = Self::disturbed(observations, baseline, origin);
        let Some((baseline, gate)) = baseline.and_then(|baseline| Some((baseline, baseline.gate?))) else {
            return all;
        };
        let quiet = usable(observations).filter(|o| baseline.is_quiet(o.before, o.after));
        let kept = by_round(quiet.filter_map(|o| Some((o.round, Batch::of(o, origin)?))));
        if kept.len() < MIN_ROUNDS { all } else { Self { kept, basis: Basis::Quiet { gate }, ..all } }
    }

    pub fn disturbed(observations: &[Observation], baseline: Option<&Baseline>, origin: Reading) -> Self {
        let raw = by_round(usable(observations).map(|o| (o.round, Batch::without_state(o))));
        let total = raw.len();
        let sittings: BTreeMap<u32, u32> = observations.iter().map(|o| (o.round, o.sitting)).collect();
        let read = || usable(observations).filter_map(|o| Some((o.round, Batch::of(o, origin)?)));
        let kept = by_round(read());
        if baseline.is_none() || kept.len() < MIN_ROUNDS {
            return Self { kept: raw, all: Vec::new(), total, basis: Basis::Raw, sittings };
        }
        Self { kept, all: read().map(|(_, batch)| batch).collect(), total, basis: Basis::Corrected, sittings }
    }

    /// The levelled cost of each round that counts.
    pub fn levelled(&self, shares: Shares) -> BTreeMap<u32, f64> {
        let value =
            |batches: &[Batch]| median(&batches.iter().map(|b| b.levelled(shares)).collect::<Vec<_>>());
        self.kept.iter().filter_map(|(round, batches)| Some((*round, value(batches)?))).collect()
    }

    /// What can be taken for independent draws among values of rounds: the median of each sitting, because rounds of one
    /// sitting share its luck; the values themselves where there are too few sittings for an interval.
    pub fn independent(&self, values: &BTreeMap<u32, f64>) -> Vec<f64> {
        let mut sittings: BTreeMap<u32, Vec<f64>> = BTreeMap::new();
        for (round, value) in values {
            let sitting = self.sittings.get(round).copied().unwrap_or(*round);
            sittings.entry(sitting).or_default().push(*value);
        }
        let medians: Vec<f64> = sittings.values().filter_map(|rounds| median(rounds)).collect();
        if medians.len() < MIN_ROUNDS { values.values().copied().collect() } else { medians }
    }

    /// The median over the rounds that count of the levelled cost.
    pub fn level(&self, shares: Shares) -> Option<f64> {
        median(&self.levelled(shares).into_values().collect::<Vec<_>>())
    }

    /// The median state of the machine in the rounds that count.
    pub fn state(&self) -> Option<Reading> {
        let kernel =
            |of: fn(&Batch) -> f64| median(&self.kept.values().flatten().map(of).collect::<Vec<_>>());
        Some(Reading { latency: kernel(|b| b.state.latency)?, throughput: kernel(|b| b.state.throughput)? })
    }
}

/// Observations whose cost is a number above zero.
fn usable(observations: &[Observation]) -> impl Iterator<Item = &Observation> {
    observations.iter().filter(|o| o.cost.is_finite() && o.cost > 0.0)
}

fn by_round(batches: impl Iterator<Item = (u32, Batch)>) -> BTreeMap<u32, Vec<Batch>> {
    let mut rounds: BTreeMap<u32, Vec<Batch>> = BTreeMap::new();
    for (round, batch) in batches {
        rounds.entry(round).or_default().push(batch);
    }
    rounds
}
