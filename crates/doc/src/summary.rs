//! Summaries, computed from the raw samples on reading and never stored.

use tlstax_spec::{Nanos, Sample};
use tlstax_stats::{Baseline, Estimate, Observation, Reading, count, estimate, ratio};

use crate::metric::Metric;
use crate::results::{Batch, Results, Slice};
use crate::throttled::unthrottled;

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
    /// The interval of a time holds at the clock of another run too.
    pub fn estimate(&self, measurement: usize, metric: Metric) -> Option<Estimate> {
        let observations = self.observations(measurement, metric);
        if metric.is_count() {
            return count(&observations);
        }
        let found = estimate(&observations, self.baseline())?;
        let machine = self.baseline().and_then(|baseline| baseline.machine.as_ref());
        Some(machine.map_or(found, |machine| found.at_other_clocks(machine)))
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

/// Batches, each with the machine's state around it; those that have no value of this metric are left out,
/// and those that a CPU quota fell into.
pub fn observations(batches: &[Batch], slices: &[Slice], metric: Metric) -> Vec<Observation> {
    let observation = |batch: &Batch| {
        let before = slices.get(batch.slice as usize)?;
        let after = slices.get(batch.slice as usize + 1).map_or_else(Reading::default, reading);
        let cost = metric.cost(&batch.sample)?;
        let (before_it, after_it) = client_core(metric, &batch.sample).unwrap_or((reading(before), after));
        Some(Observation {
            round: before.round,
            sitting: before.sitting,
            cost,
            before: before_it,
            after: after_it,
            reading: batch.slice as usize,
            parts: metric.parts(&batch.sample),
        })
    };
    unthrottled(batches, slices).into_iter().filter_map(observation).collect()
}

fn reading(slice: &Slice) -> Reading {
    Reading { latency: slice.latency_ns.0 as f64, throughput: slice.throughput_ns.0 as f64 }
}

/// What was read beside a load on the core of its client, which is the one that the client's cost follows.
fn client_core(metric: Metric, sample: &Sample) -> Option<(Reading, Reading)> {
    let ([before, after], [then, later]) =
        (&sample.client_core.latency[..], &sample.client_core.throughput[..])
    else {
        return None;
    };
    let of = |latency: &Nanos, throughput: &Nanos| Reading {
        latency: latency.0 as f64,
        throughput: throughput.0 as f64,
    };
    (metric == Metric::Client).then(|| (of(before, then), of(after, later)))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use tlstax_spec::{ClientCore, Cpu};

    use super::*;

    #[test]
    fn the_client_of_a_load_follows_its_own_core_and_the_server_the_measuring_core() {
        let slice = |latency| Slice {
            round: 1,
            sitting: 1,
            at_ms: 0,
            latency_ns: Nanos(latency),
            throughput_ns: Nanos(2 * latency),
            steal_ns: Nanos(0),
            throttled_ns: Nanos(0),
        };
        let side = Some(Cpu { total: Nanos(10), ..Cpu::default() });
        let cpu = Cpu { total: Nanos(20), ..Cpu::default() };
        let of = |core: &[u64]| {
            let read = |factor| core.iter().map(|nanos| Nanos(factor * nanos)).collect();
            let client_core = ClientCore { latency: read(1), throughput: read(3) };
            let sample =
                Sample { iterations: 1, cpu, client: side, server: side, client_core, ..Sample::default() };
            let batch = Batch { slice: 0, sample, observed: None, observed_server: None };
            [Metric::Client, Metric::Server].map(|metric| {
                let seen = observations(std::slice::from_ref(&batch), &[slice(50), slice(60)], metric);
                [seen[0].before, seen[0].after].map(|reading| (reading.latency, reading.throughput))
            })
        };
        let measuring = [(50.0, 100.0), (60.0, 120.0)];
        assert_eq!(of(&[70, 80]), [[(70.0, 210.0), (80.0, 240.0)], measuring]);
        // One reading is not known for both moments.
        for unread in [&[][..], &[70]] {
            assert_eq!(of(unread), [measuring; 2]);
        }
    }
}
