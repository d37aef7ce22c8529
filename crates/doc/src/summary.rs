//! Summaries, computed from the raw samples on reading and never stored.

use tlstax_stats::{Baseline, Estimate, Observation, Reading, count, estimate, ratio};

use crate::metric::Metric;
use crate::results::{Batch, Results, Slice};

#[derive(Debug)]
pub struct Summaries<'a> {
    results: &'a Results,
    baseline: Option<Baseline>,
}

impl<'a> Summaries<'a> {
    /// Reads the machine's own best and its quiet moments off the run's reference readings.
    pub fn of(results: &'a Results) -> Self {
        Self { results, baseline: baseline(&results.slices) }
    }

    /// The machine at its best in this run, and what counted as quiet; none without reference readings.
    pub fn baseline(&self) -> Option<&Baseline> {
        self.baseline.as_ref()
    }

    /// The cost of one iteration of a measurement, in nanoseconds or instructions; none for a hole or too few rounds.
    pub fn estimate(&self, measurement: usize, metric: Metric) -> Option<Estimate> {
        let observations = self.observations(measurement, metric);
        if metric.is_count() {
            return count(&observations);
        }
        estimate(&observations, self.baseline())
    }

    /// The cost of measurement `a` as a multiple of `b`, computed within rounds.
    pub fn ratio(&self, a: usize, b: usize, metric: Metric) -> Option<Estimate> {
        ratio(&self.observations(a, metric), &self.observations(b, metric), self.baseline())
    }

    /// The batches of a measurement, each with the machine's state around it.
    pub fn observations(&self, measurement: usize, metric: Metric) -> Vec<Observation> {
        let Some(measurement) = self.results.measurements.get(measurement) else { return Vec::new() };
        observations(measurement.batches(), &self.results.slices, metric)
    }
}

/// The machine at its best in these readings, and what counts as quiet.
pub fn baseline(slices: &[Slice]) -> Option<Baseline> {
    Baseline::of(&slices.iter().map(reading).collect::<Vec<_>>())
}

/// Batches, each with the machine's state around it; those that have no value of this metric are left out.
pub fn observations(batches: &[Batch], slices: &[Slice], metric: Metric) -> Vec<Observation> {
    let observation = |batch: &Batch| {
        let before = slices.get(batch.slice as usize)?;
        let after = slices.get(batch.slice as usize + 1).map_or_else(Reading::default, reading);
        let cost = metric.cost(&batch.sample)?;
        Some(Observation {
            round: before.round,
            sitting: before.sitting,
            cost,
            before: reading(before),
            after,
        })
    };
    batches.iter().filter_map(observation).collect()
}

fn reading(slice: &Slice) -> Reading {
    Reading { latency: slice.latency_ns.0 as f64, throughput: slice.throughput_ns.0 as f64 }
}
