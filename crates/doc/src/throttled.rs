//! Batches in which a CPU quota kept this process from running: what they took is the quota's, not the library's.

use std::collections::BTreeSet;

use tlstax_spec::Nanos;
use tlstax_stats::MIN_ROUNDS;

use crate::results::{Batch, Slice};

/// The batches between whose readings no quota stopped anything; all of them where too few rounds would be left.
pub fn unthrottled<'b>(batches: &'b [Batch], slices: &[Slice]) -> Vec<&'b Batch> {
    let left: Vec<&Batch> = batches.iter().filter(|batch| !is_throttled(batch, slices)).collect();
    let rounds = left.iter().filter_map(|batch| Some(slices.get(batch.slice as usize)?.round));
    match rounds.collect::<BTreeSet<u32>>().len() < MIN_ROUNDS {
        true => batches.iter().collect(),
        false => left,
    }
}

/// Whether the reading after a batch says that a quota stopped something since the one before it.
pub fn is_throttled(batch: &Batch, slices: &[Slice]) -> bool {
    let after = slices.get((batch.slice as usize).saturating_add(1));
    after.is_some_and(|slice| slice.throttled_ns > Nanos(0))
}

#[cfg(test)]
mod tests {
    use tlstax_spec::Sample;

    use super::*;

    /// Readings of a round each, of which some say that something was stopped before them.
    fn slices(throttled: &[u64]) -> Vec<Slice> {
        let slice = |(at, throttled): (usize, &u64)| Slice {
            round: at as u32,
            sitting: 1,
            at_ms: 0,
            latency_ns: Nanos(1),
            throughput_ns: Nanos(1),
            steal_ns: Nanos(0),
            throttled_ns: Nanos(*throttled),
        };
        throttled.iter().enumerate().map(slice).collect()
    }

    fn left(throttled: &[u64]) -> Vec<u32> {
        let slices = slices(throttled);
        let batch = |slice| Batch { slice, sample: Sample::default(), observed: None, observed_server: None };
        let batches: Vec<Batch> = (0..slices.len() as u32).map(batch).collect();
        unthrottled(&batches, &slices).iter().map(|batch| batch.slice).collect()
    }

    #[test]
    fn the_batch_before_a_reading_with_throttled_time_is_left_out() {
        let mut throttled = vec![0; MIN_ROUNDS + 2];
        let all: Vec<u32> = (0..throttled.len() as u32).collect();
        assert_eq!(left(&throttled), all);
        throttled[3] = 1;
        assert_eq!(left(&throttled), all.iter().copied().filter(|slice| *slice != 2).collect::<Vec<_>>());
        // What was stopped before the first reading was no batch.
        throttled[0] = 1;
        assert_eq!(left(&throttled).len(), all.len() - 1);
    }

    #[test]
    fn where_too_few_rounds_are_left_all_batches_count() {
        let few: Vec<u64> = (0..MIN_ROUNDS as u64 + 2).map(|at| u64::from(at % 2 == 1)).collect();
        assert_eq!(left(&few).len(), few.len());
        assert_eq!(left(&[]), [0; 0]);
    }
}
