//! Counts: of instructions, which neither neighbours nor the frequency of the CPU change.

use crate::compare::{Comparison, Reason, Settings, Verdict, joined, verdict};
use crate::estimate::Estimate;
use crate::observation::{Basis, Observation};
use crate::order::{Interval, median};
use crate::percent::Ratio;

/// So many processes make a figure where they agree within [`AGREE`].
pub const FEW_COUNTS: usize = 3;

/// So many where they do not: that two runs of the same build are told apart by the ranges of six counts each has a probability
/// of 2 in 924.
pub const COUNTS: usize = 6;

/// Counts that reach no further, as a part of the least, agree.
const AGREE: f64 = 1e-4;

/// The smallest change of a count that is called one, as a part of it: the history of the heap and the alignment of buffers
/// move a count by up to some hundredths of a percent.
pub const COUNT_FLOOR: Ratio = Ratio(0.0005);

/// Whether so many counts make a figure.
pub fn is_counted(counts: &[f64]) -> bool {
    let agree = range(counts).is_some_and(|range| range.high <= range.low * (1.0 + AGREE));
    counts.len() >= if agree { FEW_COUNTS } else { COUNTS }
}

/// The count of a case: the median of its processes, with the range of all. None where there are fewer than [`FEW_COUNTS`].
pub fn count(observations: &[Observation]) -> Option<Estimate> {
    let costs: Vec<f64> = observations.iter().map(|observation| observation.cost).collect();
    if costs.len() < FEW_COUNTS {
        return None;
    }
    let Interval { value, low, high } = range(&costs)?;
    Some(Estimate {
        value,
        low,
        high,
        basis: Basis::Raw,
        kept: costs.len(),
        total: costs.len(),
        as_it_went: value,
    })
}

/// The same case in two runs that count. Nothing has to be known of the machine; the ranges of both are joined as the intervals of
/// times are.
pub fn compare_counts(old: &[Observation], new: &[Observation], settings: &Settings) -> Comparison {
    let (Some(old), Some(new)) = (count(old), count(new)) else {
        return Comparison {
            verdict: Verdict::CannotTell,
            ratio: None,
            machine: None,
            why: Reason::TooFewRounds,
        };
    };
    let logs =
        |found: Estimate| Interval { value: found.value.ln(), low: found.low.ln(), high: found.high.ln() };
    let ratio = joined(logs(old), logs(new));
    Comparison { verdict: verdict(ratio, settings), ratio: Some(ratio), machine: None, why: Reason::Noise }
}

fn range(counts: &[f64]) -> Option<Interval> {
    let value = median(counts)?;
    let (low, high) =
        counts.iter().fold((value, value), |(low, high), &count| (count.min(low), count.max(high)));
    Some(Interval { value, low, high })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reference::Reading;

    fn counts(costs: &[f64]) -> Vec<Observation> {
        let observation = |(at, &cost): (usize, &f64)| Observation {
            round: at as u32,
            sitting: at as u32,
            cost,
            before: Reading::default(),
            after: Reading::default(),
            ..Observation::default()
        };
        costs.iter().enumerate().map(observation).collect()
    }

    fn settings() -> Settings {
        Settings { floor: COUNT_FLOOR, ..Settings::default() }
    }

    #[test]
    fn three_processes_that_agree_are_enough() {
        assert!(!is_counted(&[1000.0, 1000.0]));
        assert!(is_counted(&[1_000_000.0, 1_000_003.0, 1_000_009.0]));
        assert!(!is_counted(&[1_000_000.0, 1_000_300.0, 1_000_900.0]));
        assert!(is_counted(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]));
    }

    #[test]
    fn a_count_is_the_median_with_the_range() {
        let found = count(&counts(&[30.0, 10.0, 20.0])).unwrap();
        assert_eq!((found.low, found.value, found.high), (10.0, 20.0, 30.0));
        assert_eq!(count(&counts(&[30.0, 10.0])), None);
    }

    #[test]
    fn a_thousandth_more_is_slower_and_the_same_again_is_the_same() {
        let once = counts(&[1_000_000.0, 1_000_010.0, 1_000_020.0]);
        let more = counts(&[1_001_000.0, 1_001_010.0, 1_001_020.0]);
        assert_eq!(compare_counts(&once, &more, &settings()).verdict, Verdict::Slower);
        assert_eq!(compare_counts(&more, &once, &settings()).verdict, Verdict::Faster);
        let same = compare_counts(&once, &once, &settings());
        assert_eq!(same.verdict, Verdict::Same { within: COUNT_FLOOR });
    }

    #[test]
    fn counts_that_spread_decide_nothing_small() {
        let (once, again) = (counts(&[100.0, 110.0, 105.0]), counts(&[104.0, 112.0, 108.0]));
        assert_eq!(compare_counts(&once, &again, &settings()).verdict, Verdict::CannotTell);
        assert_eq!(compare_counts(&once, &once[..2], &settings()).why, Reason::TooFewRounds);
    }
}
