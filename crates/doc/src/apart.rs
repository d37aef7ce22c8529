//! How far the cores of a load's two ends are apart, and in which windows they are as far as usual.

use std::collections::BTreeSet;

use tlstax_spec::Sample;
use tlstax_stats::{MIN_ROUNDS, lower_mode};

use crate::results::{Batch, Slice};

/// Round trips are of the same way if the logarithm of their ratio is less: readings differ by a tenth, or a fifth where the clock is slow
/// to rise; a way beyond the last-level cache takes twice as long and more.
const SAME_WAY: f64 = 0.4;

/// The shortest way counts if it was read at least so often, relative to the commonest one: enough windows of each case are then left.
const COMMON: f64 = 0.25;

/// What a cache line takes from the core of servers to that of clients and back. On a virtual machine it changes by a factor while the
/// reference kernels show nothing, and each request costs both ends more for it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Apart {
    /// Nanoseconds, of the shortest way that was common.
    pub usual: f64,
    /// The share of windows with a reading that had it.
    pub share: f64,
}

impl Apart {
    /// None where no window has a reading.
    pub fn of<'b>(batches: impl Iterator<Item = &'b Batch> + Clone) -> Option<Self> {
        let readings: Vec<f64> = batches.clone().flat_map(|batch| read(&batch.sample)).collect();
        let usual = lower_mode(&readings, SAME_WAY, COMMON, 1)?;
        let found = Self { usual, share: 1.0 };
        let windows: Vec<&Batch> = batches.filter(|batch| read(&batch.sample).next().is_some()).collect();
        let there = windows.iter().filter(|batch| found.is_usual(&batch.sample)).count();
        Some(Self { share: there as f64 / windows.len() as f64, ..found })
    }

    /// The batches between whose readings the ends were as far apart as usual, and those without readings; all of them where too few
    /// rounds would be left.
    pub fn usual<'b>(&self, batches: Vec<&'b Batch>, slices: &[Slice]) -> Vec<&'b Batch> {
        let left: Vec<&Batch> =
            batches.iter().copied().filter(|batch| self.is_usual(&batch.sample)).collect();
        let rounds = left.iter().filter_map(|batch| Some(slices.get(batch.slice as usize)?.round));
        if rounds.collect::<BTreeSet<u32>>().len() < MIN_ROUNDS { batches } else { left }
    }

    /// Whether some batches of a case were of another way, and count all the same, since too few are left without them.
    pub fn is_mixed(&self, batches: &[Batch], slices: &[Slice]) -> bool {
        let counted = self.usual(batches.iter().collect(), slices);
        counted.iter().any(|batch| !self.is_usual(&batch.sample))
    }

    fn is_usual(&self, sample: &Sample) -> bool {
        read(sample).all(|time| self.is_same(time))
    }

    /// Whether a round trip of so many nanoseconds goes the same way.
    pub fn is_same(&self, time: f64) -> bool {
        (time / self.usual).ln().abs() <= SAME_WAY
    }
}

fn read(sample: &Sample) -> impl Iterator<Item = f64> {
    sample.client_core.round_trip.iter().map(|time| time.0 as f64)
}

#[cfg(test)]
mod tests {
    use tlstax_spec::{ClientCore, Nanos};

    use super::*;

    /// A window in each round, between readings of so many nanoseconds.
    fn windows(readings: &[[u64; 2]]) -> (Vec<Batch>, Vec<Slice>) {
        let batch = |(at, read): (usize, &[u64; 2])| {
            let round_trip = read.map(Nanos).to_vec();
            let sample = Sample {
                client_core: ClientCore { round_trip, ..ClientCore::default() },
                ..Sample::default()
            };
            Batch { slice: at as u32, sample, observed: None, observed_server: None }
        };
        let slice = |round: usize| Slice {
            round: round as u32,
            sitting: 1,
            at_ms: 0,
            latency_ns: Nanos(1),
            throughput_ns: Nanos(1),
            steal_ns: Nanos(0),
            throttled_ns: Nanos(0),
        };
        (readings.iter().enumerate().map(batch).collect(), (0..readings.len()).map(slice).collect())
    }

    fn kept(readings: &[[u64; 2]]) -> (Option<Apart>, Vec<u32>) {
        let (batches, slices) = windows(readings);
        let apart = Apart::of(batches.iter());
        let kept = apart.map_or_else(Vec::new, |apart| apart.usual(batches.iter().collect(), &slices));
        (apart, kept.into_iter().map(|batch| batch.slice).collect())
    }

    #[test]
    fn windows_on_the_shortest_common_way_count() {
        let mut readings = vec![[360, 371]; 12];
        readings.extend([[56, 57]; 6]);
        readings.extend([[58, 365], [30, 57]]);
        let (apart, kept) = kept(&readings);
        assert_eq!(kept, (12..18).collect::<Vec<u32>>(), "{apart:?}");
        assert_eq!(apart.map(|apart| (apart.share * 20.0).round()), Some(6.0));
    }

    #[test]
    fn a_way_that_was_hardly_ever_taken_is_not_the_usual_one() {
        let mut readings = vec![[360, 360]; 40];
        readings.extend([[56, 56]; 8]);
        assert_eq!(kept(&readings).1, (0..40).collect::<Vec<u32>>());
    }

    #[test]
    fn all_windows_count_where_too_few_would_be_left_or_none_was_read() {
        let few = [[56, 57], [57, 56], [55, 55], [56, 56], [58, 57], [360, 360], [56, 360], [361, 360]];
        assert_eq!(kept(&few).1.len(), 8);
        let (enough, _) = ([[56, 56]; 6], ());
        assert_eq!(kept(&[&enough[..], &few[5..]].concat()).1.len(), 6);
        assert_eq!(Apart::of(windows(&[]).0.iter()), None);
        let (mut batches, slices) = windows(&[[56, 56]; 8]);
        batches[3].sample.client_core = ClientCore::default();
        let apart = Apart::of(batches.iter()).unwrap();
        assert_eq!((apart.share, apart.usual(batches.iter().collect(), &slices).len()), (1.0, 8));
    }
}
