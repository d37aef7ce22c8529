//! The counts of all cases, sitting by sitting, until those of each case agree.

use tlstax_doc::{Batch, Journal, Outcome, Results, Slice};
use tlstax_measure::{clock, signal};
use tlstax_peers::Refused;
use tlstax_spec::{Nanos, Stage};
use tlstax_stats::{COUNTS, is_counted};

use super::batch::count_once;
use crate::error::RunError;
use crate::event::{Event, Observer, Progress};
use crate::pool::Pool;

/// What a run that counts works on.
pub(super) struct Sittings<'r, 'p> {
    pub results: &'r mut Results,
    pub pool: &'r mut Pool<'p>,
    pub journal: &'r mut Journal,
    pub begun: Nanos,
    pub deadline: Nanos,
}

impl Sittings<'_, '_> {
    /// One count of every case that needs more, in a process of its own, and again.
    pub fn run(mut self, observer: &mut dyn Observer) -> Result<(), RunError> {
        let mut iterations = vec![None; self.results.measurements.len()];
        for sitting in 1..=COUNTS as u32 {
            self.slice(sitting)?;
            for (index, iterations) in iterations.iter_mut().enumerate() {
                if signal::interrupted() || clock::monotonic() >= self.deadline {
                    break;
                }
                if self.wants(index) {
                    self.report(index, sitting, observer);
                    self.count(index, sitting, iterations, observer)?;
                }
            }
        }
        self.results.study.interrupted = signal::interrupted();
        Ok(self.journal.flush()?)
    }

    /// There are no readings of the references: they would say nothing of a count.
    fn slice(&mut self, sitting: u32) -> Result<(), RunError> {
        let at_ms = clock::monotonic().since(self.begun).0 / 1_000_000;
        let none = Nanos(0);
        let slice = Slice {
            round: sitting,
            sitting,
            at_ms,
            latency_ns: none,
            throughput_ns: none,
            steal_ns: none,
            throttled_ns: none,
        };
        self.journal.slice(&slice)?;
        self.results.slices.push(slice);
        Ok(())
    }

    fn wants(&self, index: usize) -> bool {
        let measurement = &self.results.measurements[index];
        let counts = |batch: &Batch| batch.sample.instructions.as_ref().map(|counted| counted.whole as f64);
        let counts: Vec<f64> = measurement.batches().iter().filter_map(counts).collect();
        measurement.outcome.hole().is_none() && !is_counted(&counts)
    }

    /// Every process does the same from its start to its end, so that what its history changes is the same in all.
    fn count(
        &mut self,
        index: usize,
        sitting: u32,
        iterations: &mut Option<u64>,
        observer: &mut dyn Observer,
    ) -> Result<(), RunError> {
        self.pool.renew(sitting);
        let case = self.results.measurements[index].case.clone();
        let batch = count_once(self.pool, index as u32, &case, iterations, sitting - 1);
        let measurement = &mut self.results.measurements[index];
        let Outcome::Measured { proof, batches } = &mut measurement.outcome else { return Ok(()) };
        let accepted = batch.and_then(|(batch, found)| match proof.accept(found) {
            Ok(_) => Ok(batch),
            Err(mismatch) => Err(Refused::failed(Stage::Proof, mismatch.to_string())),
        });
        match accepted {
            Ok(batch) => {
                self.journal.batch(index, &batch)?;
                batches.push(batch);
            }
            Err(Refused::Interrupted) => {}
            Err(refused) => {
                let outcome = refused.into_outcome();
                self.journal.hole(index, &outcome)?;
                observer.observe(Event::Hole { case: &case, outcome: &outcome });
                measurement.outcome = outcome;
            }
        }
        Ok(())
    }

    fn report(&self, index: usize, round: u32, observer: &mut dyn Observer) {
        let now = clock::monotonic();
        let of = self.results.measurements.len();
        observer.observe(Event::Batch(Progress {
            case: &self.results.measurements[index].case,
            // Under callgrind there is nothing to be seen of them.
            processes: Vec::new(),
            round,
            done: (0..of).filter(|&index| !self.wants(index)).count(),
            of,
            elapsed: now.since(self.begun),
            left: self.deadline.since(now),
        }));
    }
}
