//! The cores that a run worked on, and what was seen on each: the measuring core, and the one of clients of loads.

use std::collections::BTreeMap;

use tlstax_spec::{Case, Nanos, Sample, Workload};
use tlstax_stats::{Baseline, Observation, Reading, Side};

use crate::apart::Apart;
use crate::metric::Metric;
use crate::results::{Batch, Slice};
use crate::throttled::unthrottled;

/// Each core of a run at its best and from reading to reading.
#[derive(Debug, Default)]
pub struct Cores {
    measuring: Option<Baseline>,
    client: Client,
    apart: Option<Apart>,
}

/// The core of the clients of loads, where it is another one.
#[derive(Debug, Default)]
struct Client {
    baseline: Option<Baseline>,
    /// The place of the reading before a window among all of this core, by the place of the window's reading of the measuring
    /// core. The reading after the window is the next one.
    places: BTreeMap<u32, usize>,
}

/// Batches of a case, with the core on which a metric of theirs was spent.
#[derive(Debug)]
pub struct Observed<'c> {
    pub observations: Vec<Observation>,
    /// None where no references were read.
    pub baseline: Option<&'c Baseline>,
}

impl Observed<'_> {
    pub fn side(&self) -> Side<'_> {
        Side { observations: &self.observations, baseline: self.baseline }
    }
}

impl Cores {
    /// From the readings of a run, and from the batches of all its measurements.
    pub fn of<'b>(slices: &[Slice], batches: impl IntoIterator<Item = &'b [Batch]>) -> Self {
        let measuring = Baseline::of(&slices.iter().map(reading).collect::<Vec<_>>());
        let batches: Vec<&Batch> = batches.into_iter().flatten().collect();
        let apart = Apart::of(batches.iter().copied());
        Self { measuring, client: Client::of(batches.into_iter()), apart }
    }

    /// How far both ends of loads were apart; none without readings of it.
    pub fn apart(&self) -> Option<Apart> {
        self.apart
    }

    /// The measuring core; none without readings.
    pub fn measuring(&self) -> Option<&Baseline> {
        self.measuring.as_ref()
    }

    /// Batches of a case, each with the state of the core around it on which this metric was spent. Those that have no value of
    /// the metric are left out, those that a CPU quota fell into, and those of loads whose ends were not as far apart as usual.
    pub fn observed(&self, case: &Case, batches: &[Batch], slices: &[Slice], metric: Metric) -> Observed<'_> {
        let free = unthrottled(batches, slices);
        let usual = self.apart.map_or_else(|| free.clone(), |apart| apart.usual(free.clone(), slices));
        self.seen(case, &usual, slices, metric)
    }

    /// The same however far the ends of loads were apart.
    pub fn observed_anywhere(
        &self,
        case: &Case,
        batches: &[Batch],
        slices: &[Slice],
        metric: Metric,
    ) -> Observed<'_> {
        self.seen(case, &unthrottled(batches, slices), slices, metric)
    }

    fn seen(&self, case: &Case, batches: &[&Batch], slices: &[Slice], metric: Metric) -> Observed<'_> {
        let on_client = metric == Metric::Client
            && matches!(case.workload, Workload::Load(_))
            && batches.iter().all(|batch| around(&batch.sample).is_some());
        let baseline = if on_client { self.client.baseline.as_ref() } else { self.measuring() };
        let observation = |batch: &&Batch| {
            let before = slices.get(batch.slice as usize)?;
            let after = slices.get(batch.slice as usize + 1).map_or_else(Reading::default, reading);
            let (place, before_it, after_it) = match on_client.then(|| around(&batch.sample)).flatten() {
                Some([then, later]) => (self.client.place(batch), then, later),
                None => (batch.slice as usize, reading(before), after),
            };
            Some(Observation {
                round: before.round,
                sitting: before.sitting,
                cost: metric.cost(&batch.sample)?,
                before: before_it,
                after: after_it,
                reading: place,
                parts: parts(case, &batch.sample, metric),
            })
        };
        let observations = batches.iter().filter_map(observation).collect();
        Observed { observations, baseline }
    }
}

impl Client {
    fn of<'b>(batches: impl Iterator<Item = &'b Batch>) -> Self {
        let windows: BTreeMap<u32, [Reading; 2]> =
            batches.filter_map(|batch| Some((batch.slice, around(&batch.sample)?))).collect();
        let places = windows.keys().enumerate().map(|(rank, slice)| (*slice, 2 * rank)).collect();
        Self { baseline: Baseline::of(&windows.into_values().flatten().collect::<Vec<_>>()), places }
    }

    /// The place of the reading before a window; beyond all others where the window came after the last look.
    fn place(&self, batch: &Batch) -> usize {
        self.places.get(&batch.slice).copied().unwrap_or(2 * self.places.len())
    }
}

pub(crate) fn reading(slice: &Slice) -> Reading {
    Reading { latency: slice.latency_ns.0 as f64, throughput: slice.throughput_ns.0 as f64 }
}

/// What was read on the core of a load's client before the window and after it.
fn around(sample: &Sample) -> Option<[Reading; 2]> {
    let ([before, after], [then, later]) =
        (&sample.client_core.latency[..], &sample.client_core.throughput[..])
    else {
        return None;
    };
    let of = |latency: &Nanos, throughput: &Nanos| Reading {
        latency: latency.0 as f64,
        throughput: throughput.0 as f64,
    };
    Some([of(before, then), of(after, later)])
}

/// The cost of one iteration in each part of a batch.
fn parts(case: &Case, sample: &Sample, metric: Metric) -> Vec<f64> {
    let parts = metric.parts(sample);
    if matches!(case.workload, Workload::Load(_)) { level_ends(parts) } else { parts }
}

/// Gives the first and the last part the mean of both. While the first responses of a window are made others are begun, and while
/// the last ones are, none is: what is on its way is in the first part too much, and in the last too little.
fn level_ends(mut parts: Vec<f64>) -> Vec<f64> {
    if let [first, .., last] = parts.as_mut_slice() {
        let mean = f64::midpoint(*first, *last);
        (*first, *last) = (mean, mean);
    }
    parts
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use tlstax_spec::{ClientCore, Cpu, Id, Load, Parts};

    use super::*;

    fn slice(round: u32, latency: u64) -> Slice {
        Slice {
            round,
            sitting: round,
            at_ms: 0,
            latency_ns: Nanos(latency),
            throughput_ns: Nanos(2 * latency),
            steal_ns: Nanos(0),
            throttled_ns: Nanos(0),
        }
    }

    /// A window after so many readings of the measuring core, with these latencies of the client's core around it.
    fn window(slice: u32, core: &[u64], parts: &[u64]) -> Batch {
        let read = |factor| core.iter().map(|nanos| Nanos(factor * nanos)).collect();
        let total = Nanos(parts.iter().sum());
        let parts: Vec<Nanos> = parts.iter().copied().map(Nanos).collect();
        let side = Some(Cpu { total, ..Cpu::default() });
        let sample = Sample {
            iterations: 3,
            cpu: Cpu { total: total + total, ..Cpu::default() },
            client: side,
            server: side,
            client_core: ClientCore { latency: read(1), throughput: read(3), ..ClientCore::default() },
            parts: Parts { whole: Vec::new(), client: parts.clone(), server: parts },
            ..Sample::default()
        };
        Batch { slice, sample, observed: None, observed_server: None }
    }

    fn load() -> Case {
        let load = Load::new(Id::literal("a"), None);
        Case { library: Id::literal("a"), threads: 1, workload: Workload::Load(load) }
    }

    #[test]
    fn the_client_of_a_load_follows_its_own_core_and_the_server_the_measuring_core() {
        let slices = [slice(1, 50), slice(1, 60)];
        let of = |core: &[u64]| {
            let batches = [window(0, core, &[10, 10, 10])];
            let cores = Cores::of(&slices, [&batches[..]]);
            [Metric::Client, Metric::Server].map(|metric| {
                let seen = cores.observed(&load(), &batches, &slices, metric);
                let best = seen.baseline.unwrap().best.throughput / seen.baseline.unwrap().best.latency;
                let seen = &seen.observations[0];
                (best.round(), [seen.before, seen.after].map(|reading| reading.latency))
            })
        };
        let measuring = (2.0, [50.0, 60.0]);
        assert_eq!(of(&[70, 80]), [(3.0, [70.0, 80.0]), measuring]);
        // One reading is not known for both moments.
        for unread in [&[][..], &[70]] {
            assert_eq!(of(unread), [measuring; 2]);
        }
    }

    /// The measuring core keeps its clock and the client's becomes slower by a fifth in every other window; both ends do the same.
    #[test]
    fn parts_of_a_client_are_brought_to_the_clock_of_its_own_core() {
        let slices: Vec<Slice> = (0..41).map(|at| slice(1 + at / 2, 1000)).collect();
        let batch = |at: u32| {
            let cycle = if at.is_multiple_of(4) { 1000 } else { 1200 };
            window(at, &[cycle; 2], &[30 * cycle, 30 * cycle, 30 * cycle])
        };
        let batches: Vec<Batch> = (0..40).map(batch).collect();
        let cores = Cores::of(&slices, [&batches[..]]);
        let value = |metric| {
            let seen = cores.observed(&load(), &batches, &slices, metric);
            let found = tlstax_stats::estimate(&seen.observations, seen.baseline).unwrap();
            (found.low.round(), found.high.round())
        };
        // At the usual clock of the client's core, which is the slower one.
        assert_eq!(value(Metric::Client), (36_000.0, 36_000.0));
        assert_ne!(value(Metric::Server).0, value(Metric::Server).1);
    }

    #[test]
    fn the_ends_of_a_window_share_what_was_on_its_way() {
        let slices = [slice(1, 50), slice(1, 60)];
        let batches = [window(0, &[], &[13, 10, 7])];
        let cores = Cores::of(&slices, [&batches[..]]);
        let parts = |case: &Case| {
            cores.observed(case, &batches, &slices, Metric::Server).observations.remove(0).parts
        };
        assert_eq!(parts(&load()), [10.0; 3]);
        assert_eq!((level_ends(vec![7.0]), level_ends(Vec::new())), (vec![7.0], Vec::new()));
    }
}
