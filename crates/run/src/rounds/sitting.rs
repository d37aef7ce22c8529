//! How long a sitting lasts: until new processes tell more than further rounds of these.

use tlstax_doc::{Cores, Metric, Results, Use};
use tlstax_spec::Nanos;
use tlstax_stats::{MIN_ROUNDS, Observation, Scatter};

use crate::work::Work;

/// The rounds of the first sittings, of which there are as many as an interval needs, and of later ones where the data do not
/// say. Where code, stack and heap of a process come to lie shifts its costs for as long as it lives, mostly by tenths of a
/// percent, for short calls now and then by 10 %. So one process is one draw of that luck, and intervals are made over sittings.
const USUAL: u32 = 3;

/// A sitting has at least so many rounds: from single ones nobody could tell the luck of a process from noise.
const LEAST: u32 = 2;

/// And at most so many, however little processes differ. Intervals are made by ranks over sittings, and few sittings make those wide:
/// of eight an interval at 99 % is the whole range. With 24 rounds `bench/planted.py` found 1 % in 32 to 36 of 40 runs of 200 rounds, with
/// 12 in 38 to 40, with 6 in the same.
const MOST: u32 = 8;

/// None takes more than this part of the time that the rounds have.
const PART: u64 = 12;

/// The sitting that a run is in.
#[derive(Debug)]
pub(crate) struct Sitting {
    pub number: u32,
    /// The rounds that it has had.
    rounds: u32,
    /// The rounds that it is to have.
    wanted: u32,
    /// How many it may have beyond these while the machine is quiet: starting processes is better done at a busy time.
    grace: u32,
    /// The rounds of all sittings of this run, and what they took without preparations.
    all_rounds: u32,
    working: Nanos,
    /// Renewals of this run, and what the preparations after them took.
    renewals: u32,
    preparing: Nanos,
    scatter: Option<Scatter>,
    /// The scatter is taken again at this sitting.
    look_at: u32,
}

impl Sitting {
    pub fn new(number: u32) -> Self {
        Self {
            number,
            rounds: 0,
            wanted: USUAL,
            grace: 0,
            all_rounds: 0,
            working: Nanos(0),
            renewals: 0,
            preparing: Nanos(0),
            scatter: None,
            look_at: 0,
        }
    }

    pub fn note_preparation(&mut self, took: Nanos) {
        self.preparing += took;
    }

    /// Notes a round with the timed work and all else but preparations.
    pub fn note_round(&mut self, took: Nanos) {
        self.rounds += 1;
        self.all_rounds += 1;
        self.working += took;
    }

    /// Whether it has had its rounds.
    pub fn is_over(&self, disturbed: bool) -> bool {
        self.rounds >= self.wanted + if disturbed { 0 } else { self.grace }
    }

    /// Begins the next sitting, which is as long as the batches so far let it be; `whole` is the time that rounds have.
    pub fn next(&mut self, works: &[Work], results: &Results, cores: &Cores, whole: Nanos) {
        self.number += 1;
        self.renewals += 1;
        self.rounds = 0;
        if self.number as usize > MIN_ROUNDS && self.number >= self.look_at {
            self.scatter = scatter(works, results, cores);
            self.look_at = self.number + self.number / 4;
        }
        let wanted = self.scatter.and_then(|scatter| self.length(scatter, whole));
        self.wanted = wanted.unwrap_or(USUAL);
        self.grace = wanted.unwrap_or_default() / 4;
    }

    fn length(&self, scatter: Scatter, whole: Nanos) -> Option<u32> {
        // The first sitting was prepared before the first round.
        let renewal = self.preparing.0 as f64 / f64::from(self.renewals.saturating_sub(1).max(1));
        let round = self.working.0 as f64 / f64::from(self.all_rounds.max(1));
        let best = scatter.rounds_per_sitting(round, renewal)?;
        let longest = ((whole.0 / PART) as f64 / round) as u32;
        Some((best as u32).min(longest.max(USUAL)).clamp(LEAST, MOST))
    }
}

/// How costs scatter in the cases that are not done, by the first metric of each.
fn scatter(works: &[Work], results: &Results, cores: &Cores) -> Option<Scatter> {
    let of_one = |work: &Work| {
        let measurement = &results.measurements[work.index];
        let metric = Metric::of(&measurement.case, Use::StopRule).next()?;
        let seen = cores.observed(&measurement.case, measurement.batches(), &results.slices, metric);
        let (all, baseline) = (seen.observations, seen.baseline);
        let is_quiet =
            |seen: &&Observation| baseline.is_some_and(|known| known.is_quiet(seen.before, seen.after));
        let of = |seen: &Observation| (seen.sitting, seen.cost);
        Scatter::of(all.iter().filter(is_quiet).map(of)).or_else(|| Scatter::of(all.iter().map(of)))
    };
    let cases: Vec<Scatter> = works.iter().filter(|work| !work.done).filter_map(of_one).collect();
    Scatter::middle(&cases)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Nanos = Nanos::from_millis(1000);

    /// A run after ten sittings of rounds of a second, with renewals of so many milliseconds.
    fn sitting(renewal: u64) -> Sitting {
        Sitting {
            all_rounds: 30,
            working: Nanos(30 * SECOND.0),
            renewals: 11,
            preparing: Nanos::from_millis(10 * renewal),
            ..Sitting::new(11)
        }
    }

    fn length(renewal: u64, within: f64, between: f64, whole: u64) -> Option<u32> {
        sitting(renewal).length(Scatter { within, between }, Nanos(whole * SECOND.0))
    }

    #[test]
    fn a_sitting_is_as_long_as_the_data_say() {
        let hour = 3600;
        // sqrt(1 x 100 / 4), sqrt(2 x 100 / 4).
        assert_eq!(length(1000, 100.0, 4.0, hour), Some(5));
        assert_eq!(length(2000, 100.0, 4.0, hour), Some(7));
        assert_eq!(length(1000, 100.0, 400.0, hour), Some(LEAST), "much luck");
        assert_eq!(length(1000, 100.0, -1.0, hour), Some(MOST), "no luck");
        assert_eq!(length(1000, 0.0, 0.0, hour), None, "nothing varies");
    }

    #[test]
    fn no_sitting_takes_much_of_the_time() {
        assert_eq!(length(1000, 100.0, -1.0, 72), Some(6));
        assert_eq!(length(1000, 100.0, -1.0, 10), Some(USUAL));
    }

    #[test]
    fn a_sitting_that_is_over_waits_a_few_rounds_for_a_busy_time() {
        let mut sitting = Sitting { wanted: 4, grace: 2, ..Sitting::new(9) };
        let mut ends = |disturbed| {
            sitting.note_round(SECOND);
            sitting.is_over(disturbed)
        };
        assert_eq!([ends(true), ends(false), ends(false)], [false; 3]);
        assert!(!ends(false), "four rounds on a quiet machine");
        assert!(ends(true), "five on a busy one");
        assert!(ends(false), "six are enough on any");
    }
}
