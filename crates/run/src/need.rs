//! How long a run takes: what its cases let expect, and what it would have needed where its budget was too short.

use std::collections::BTreeSet;

use tlstax_doc::{Measurement, Note, Outcome, Severity};
use tlstax_measure::clock;
use tlstax_spec::{Case, Nanos};
use tlstax_stats::MIN_ROUNDS;

use crate::pool::Pool;
use crate::work::{Work, least_rounds};

/// Why a case was not even prepared.
pub(crate) const UNPREPARED: &str = "the budget was over before it was prepared";

/// Untimed iterations, requests, and readings of the references come on top of the timed work.
const OVERHEAD: f64 = 1.5;

/// Preparing all cases once and then again, without trials, in the processes of the later sittings.
const PREPARATIONS: f64 = 2.5;

/// A budget that was too short is advised to be raised by this at least.
const LEAST_RAISE: f64 = 1.25;

/// No study may have more, see `study/limits.rs`.
const MOST_SECONDS: u64 = 86_400;

/// What a run lets expect before its first case is prepared.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Outlook {
    pub cases: usize,
    pub libraries: usize,
    /// What they take on a quiet machine, in seconds.
    pub about_s: u64,
    /// What the run may take, in seconds.
    pub budget_s: u64,
}

/// What a run has shown of the time that it needs.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Pace {
    begun: Nanos,
    budget: Nanos,
    pub outlook: Outlook,
    /// From its begin until it knew its libraries.
    started: Nanos,
    preparing: Nanos,
    /// How long it went round.
    rounds: Nanos,
    ready: usize,
    /// Batches that each of these got, on average.
    batches: f64,
    /// The timed work that makes them sharp at best.
    work: Nanos,
    /// The same as far as their kinds tell.
    usual: Nanos,
    /// And of the cases that were not prepared for want of time.
    missing: Nanos,
}

impl Pace {
    /// A run whose libraries are known: the control row is none of them.
    pub fn begin(
        begun: Nanos,
        deadline: Nanos,
        measurements: &[Measurement],
        done: &[usize],
        control_row: Option<&str>,
        pool: &Pool<'_>,
    ) -> Self {
        let is_open = |(index, measurement): &(usize, &Measurement)| {
            matches!(measurement.outcome, Outcome::Measured { .. }) && !done.contains(index)
        };
        let open = measurements.iter().enumerate().filter(is_open).map(|(_, measurement)| &measurement.case);
        let cases: Vec<&Case> = open.collect();
        let usual: Nanos = cases.iter().map(|case| Work::usual(case, pool)).sum();
        let libraries: BTreeSet<&str> = cases
            .iter()
            .map(|case| case.library.as_str())
            .filter(|library| Some(*library) != control_row)
            .collect();
        let (started, budget) = (clock::monotonic().since(begun), deadline.since(begun));
        let outlook = Outlook {
            cases: cases.len(),
            libraries: libraries.len(),
            about_s: seconds(nanos(started) + nanos(usual) * OVERHEAD),
            budget_s: budget.as_secs().ceil() as u64,
        };
        Self { begun, budget, outlook, started, missing: usual, ..Self::default() }
    }

    /// Notes how long the cases took to be prepared, and how much work these make.
    pub fn note_preparation(&mut self, works: &[Work], measurements: &[Measurement], pool: &Pool<'_>) {
        let of_one = |work: &Work| {
            let rounds = least_rounds(&measurements[work.index].case) as u64;
            work.amount.expected.0.saturating_mul(rounds)
        };
        self.preparing = clock::monotonic().since(self.begun + self.started);
        self.work = Nanos(works.iter().map(of_one).fold(0, u64::saturating_add));
        self.ready = works.len();
        self.usual = works.iter().map(|work| Work::usual(&measurements[work.index].case, pool)).sum();
        self.missing = unprepared(measurements).map(|found| Work::usual(&found.case, pool)).sum();
    }

    pub fn note_rounds(&mut self, measurements: &[Measurement]) {
        let batches: usize = measurements.iter().map(|measurement| measurement.batches().len()).sum();
        self.rounds = clock::monotonic().since(self.begun + self.started + self.preparing);
        self.batches = batches as f64 / self.ready.max(1) as f64;
    }

    /// The seconds that would have held all cases: by the work that is known, and by how far the rounds came.
    fn needed_s(&self) -> u64 {
        let by_work = match self.ready {
            0 => nanos(self.missing) * OVERHEAD,
            _ => {
                let whole = 1.0 + nanos(self.missing) / nanos(self.usual).max(1.0);
                whole * (nanos(self.preparing) * PREPARATIONS + nanos(self.work) * OVERHEAD)
            }
        };
        let by_rounds = match self.batches >= 1.0 {
            true => nanos(self.preparing) + nanos(self.rounds) * 2.0 * MIN_ROUNDS as f64 / self.batches,
            false => 0.0,
        };
        let whole = nanos(self.started) + by_work.max(by_rounds);
        seconds(whole.max(nanos(self.budget) * LEAST_RAISE))
    }

    /// That the budget was too short for so many cases, and what would do.
    pub fn note(&self, short: usize) -> Note {
        let (needed, budget) = (self.needed_s(), self.budget.as_secs());
        Note {
            severity: Severity::Problem,
            what: format!(
                "the budget of {budget:.0} s was too short for {short} of {} cases: this needs about {needed} s",
                self.outlook.cases
            ),
            remedy: format!("--budget {needed}s, or fewer cases: --list shows them"),
        }
    }
}

/// The cases that there was no time to prepare.
pub(crate) fn unprepared(measurements: &[Measurement]) -> impl Iterator<Item = &Measurement> {
    let is_unprepared =
        |found: &&Measurement| matches!(&found.outcome, Outcome::Skipped { why } if why == UNPREPARED);
    measurements.iter().filter(is_unprepared)
}

fn nanos(time: Nanos) -> f64 {
    time.0 as f64
}

/// Whole seconds, rounded up, with no more digits than such a guess has.
fn seconds(nanos: f64) -> u64 {
    let whole = (nanos / 1e9).ceil() as u64;
    let step = match whole {
        0..20 => 1,
        20..100 => 5,
        100..1000 => 20,
        _ => 300,
    };
    whole.max(1).next_multiple_of(step).min(MOST_SECONDS)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Nanos = Nanos::from_millis(1000);

    fn times(count: u64) -> Nanos {
        Nanos(count * SECOND.0)
    }

    /// A run of 40 cases with nothing behind it.
    fn pace(budget: u64) -> Pace {
        let outlook = Outlook { cases: 40, libraries: 1, about_s: 1, budget_s: budget };
        Pace { budget: times(budget), outlook, ..Pace::default() }
    }

    #[test]
    fn d39_what_is_needed_grows_with_the_cases_whose_turn_never_came() {
        let (usual, missing) = (times(5), times(5));
        let half = Pace { preparing: times(10), ready: 20, work: times(4), usual, missing, ..pace(10) };
        // Twice 10 s of preparation, again in later sittings, and twice 4 s of work.
        assert_eq!(half.needed_s(), 65);
        let none = Pace { started: times(2), missing: times(6), ..pace(1) };
        assert_eq!(none.needed_s(), 11, "what is usual, where nothing was prepared");
    }

    #[test]
    fn d39_rounds_that_came_less_far_than_their_work_let_expect_decide() {
        let slow = Pace { rounds: times(10), ready: 40, batches: 3.0, ..pace(10) };
        assert_eq!(slow.needed_s(), 40, "12 rounds of 10 / 3 s each");
        assert_eq!(Pace { rounds: SECOND, ..slow }.needed_s(), 13, "never less than what was too short");
    }

    #[test]
    fn d39_the_advice_names_the_seconds_once() {
        let note = Pace { missing: times(6), ..pace(1) }.note(40);
        assert_eq!(note.what, "the budget of 1 s was too short for 40 of 40 cases: this needs about 9 s");
        assert!(note.remedy.starts_with("--budget 9s"), "{}", note.remedy);
    }

    #[test]
    fn seconds_have_few_digits_and_a_limit() {
        let shown = [0.2, 14.1, 61.0, 101.0, 1001.0, 1e9].map(|guess| seconds(guess * 1e9));
        assert_eq!(shown, [1, 15, 65, 120, 1200, MOST_SECONDS]);
    }
}
