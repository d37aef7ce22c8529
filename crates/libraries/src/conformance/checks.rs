//! How checks are made, noted and counted.

use super::subject::{Miss, Subject};

/// How much of the suite is run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    Whole,
    /// Each suite, group and key in one handshake instead of all combinations, and no look at memory: for a worker that
    /// sanitizers watch, which slow it down and keep what is freed.
    Short,
}

/// How many checks came out which way.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Count {
    pub passed: u64,
    pub failed: u64,
    /// Checks that the worker's claims did not call for.
    pub skipped: u64,
    /// The lines of those that failed.
    pub failures: Vec<String>,
}

impl Count {
    /// The count of two parts of the suite.
    pub(crate) fn and(mut self, other: Self) -> Self {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped += other.skipped;
        self.failures.extend(other.failures);
        self
    }

    /// Notes how a check came out, in one line.
    pub(super) fn note(&mut self, name: &str, outcome: Result<(), Miss>, output: &mut dyn FnMut(&str)) {
        let line = match outcome {
            Ok(()) => {
                self.passed += 1;
                format!("ok    {name}")
            }
            Err(Miss::Failed(why)) => {
                self.failed += 1;
                self.failures.push(format!("FAIL  {name}: {why}"));
                format!("FAIL  {name}: {why}")
            }
            Err(Miss::Skipped(why)) => {
                self.skipped += 1;
                format!("skip  {name}: {why}")
            }
        };
        output(&line);
    }
}

/// A run of the suite.
pub(super) struct Checks<'a> {
    pub(super) subject: Subject<'a>,
    pub(super) extent: Extent,
    pub(super) count: Count,
    pub(super) output: &'a mut dyn FnMut(&str),
}

impl Checks<'_> {
    pub(super) fn check(&mut self, name: &str, act: impl FnOnce(&mut Subject<'_>) -> Result<(), Miss>) {
        if self.subject.is_given_up() {
            return;
        }
        let outcome = act(&mut self.subject);
        self.subject.drop_lost();
        self.count.note(name, outcome, self.output);
    }
}
