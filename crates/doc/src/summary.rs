//! Summaries, computed from the raw samples on reading and never stored.

use tlstax_stats::{Baseline, Estimate, count, estimate, ratio};

use crate::apart::Apart;
use crate::cores::{Cores, Observed, reading};
use crate::metric::Metric;
use crate::results::{Batch, Measurement, Results};

#[derive(Debug)]
pub struct Summaries<'a> {
    results: &'a Results,
    cores: Cores,
}

impl<'a> Summaries<'a> {
    /// Reads the machine's own best and its quiet moments off the run's reference readings.
    pub fn of(results: &'a Results) -> Self {
        let batches = results.measurements.iter().map(Measurement::batches);
        Self { results, cores: Cores::of(&results.slices, batches) }
    }

    /// The measuring core at its best in this run, and what counted as quiet; none without reference readings.
    pub fn baseline(&self) -> Option<&Baseline> {
        self.cores.measuring()
    }

    /// How far both ends of loads were apart; none without readings of it.
    pub fn apart(&self) -> Option<Apart> {
        self.cores.apart()
    }

    /// The cost of one iteration of a measurement, in nanoseconds or instructions; none for a hole or too few rounds.
    /// The interval of a time holds at the clock of another run too.
    pub fn estimate(&self, measurement: usize, metric: Metric) -> Option<Estimate> {
        let seen = self.observed(measurement, metric)?;
        if metric.is_count() {
            return count(&seen.observations);
        }
        let found = estimate(&seen.observations, seen.baseline)?;
        let machine = seen.baseline.and_then(|baseline| baseline.machine.as_ref());
        Some(machine.map_or(found, |machine| found.at_other_clocks(machine)))
    }

    /// The cost of measurement `a` as a multiple of `b`, computed within rounds.
    pub fn ratio(&self, a: usize, b: usize, metric: Metric) -> Option<Estimate> {
        self.quotient((a, metric), (b, metric))
    }

    /// One metric of a measurement as a multiple of another, computed within rounds.
    pub fn share(&self, measurement: usize, part: Metric, whole: Metric) -> Option<Estimate> {
        self.quotient((measurement, part), (measurement, whole))
    }

    /// Where too few rounds have both with their ends as far apart as usual, it is of all rounds: in each of them both are as far.
    fn quotient(&self, one: (usize, Metric), other: (usize, Metric)) -> Option<Estimate> {
        let (above, below) = (self.observed(one.0, one.1)?, self.observed(other.0, other.1)?);
        ratio(above.side(), below.side()).or_else(|| {
            let all = |(measurement, metric): (usize, Metric)| {
                let measurement = self.results.measurements.get(measurement)?;
                let (case, batches) = (&measurement.case, measurement.batches());
                Some(self.cores.observed_anywhere(case, batches, &self.results.slices, metric))
            };
            ratio(all(one)?.side(), all(other)?.side())
        })
    }

    /// The batches of a measurement, each with the state around it of the core that this metric was spent on; none where there is
    /// no such measurement.
    pub fn observed(&self, measurement: usize, metric: Metric) -> Option<Observed<'_>> {
        let measurement = self.results.measurements.get(measurement)?;
        Some(self.cores.observed(&measurement.case, measurement.batches(), &self.results.slices, metric))
    }

    /// Whether the measuring core was quiet before and after a batch.
    pub fn is_quiet(&self, batch: &Batch) -> bool {
        let at = |place: usize| self.results.slices.get(place).map(reading);
        let around = at(batch.slice as usize).zip(at(batch.slice as usize + 1));
        self.baseline()
            .zip(around)
            .is_some_and(|(baseline, (before, after))| baseline.is_quiet(before, after))
    }
}
