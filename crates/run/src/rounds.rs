//! The rounds of a run: which case is next, when the references are read, and when it is enough.

use tlstax_doc::{Batch, Journal, Measurement, Note, Outcome, Results, Severity, Slice, baseline};
use tlstax_libraries::verify;
use tlstax_measure::{clock, signal};
use tlstax_peers::Refused;
use tlstax_spec::{Nanos, Parts, Stage};

use crate::error::RunError;
use crate::event::{Event, Observer, Progress};
use crate::pool::Pool;
use crate::reference::Source;
use crate::work::Work;

/// The references are read again after so much work: states of the machine last longer, and a reading of 0.3 ms
/// then takes a few percent of the run.
const SLICE_WORK: Nanos = Nanos::from_millis(8);

/// After so many rounds all processes are replaced: a sitting. Where code, stack and heap of a process come to lie
/// shifts its costs for as long as it lives, mostly by tenths of a percent, for short calls now and then by 10 %. So one
/// process is one draw of that luck, and intervals are made over sittings.
const SITTING: u32 = 3;

/// A run should have so many rounds; where the budget does not allow them, batches are made shorter.
const WANTED_ROUNDS: u64 = 12;

/// Batches are not made shorter than this share of what was wanted.
const SHORTEST: f64 = 0.25;

/// What the loss of a process costs while the rounds go on.
const COST_OF_LOSS: &str = "one batch is missing, a new process ran the others";

/// What a run works on while it goes round.
pub(crate) struct Rounds<'r, 'p> {
    pub results: &'r mut Results,
    /// The cases that can be measured.
    pub works: Vec<Work>,
    pub pool: &'r mut Pool<'p>,
    pub source: Source,
    /// Where everything is noted at once.
    pub journal: &'r mut Journal,
    pub begun: Nanos,
    pub deadline: Nanos,
    pub observer: &'r mut dyn Observer,
}

/// Where a run stands in time.
struct Clock {
    sitting: u32,
    /// What the run had lasted before it was gone on with.
    before_ms: u64,
    /// When the references were last read.
    slice_at: Nanos,
    /// The timed work since then: scripted workers take no time of ours.
    worked: Nanos,
}

impl Rounds<'_, '_> {
    /// Goes round until every case is done, the budget is spent, or the user interrupts.
    ///
    /// # Errors
    /// The journal cannot be written, or the reference kernels cannot be read.
    pub fn run(mut self, max_rounds: u32) -> Result<(), RunError> {
        self.fit_budget();
        self.forget_unfinished_brackets();
        let last = self.results.slices.last();
        let first = last.map_or(1, |slice| slice.round.saturating_add(1));
        let mut clock = Clock {
            sitting: last.map_or(1, |slice| slice.sitting.saturating_add(1)),
            before_ms: last.map_or(0, |slice| slice.at_ms),
            slice_at: Nanos(0),
            worked: Nanos(0),
        };
        for round in first..first.saturating_add(max_rounds) {
            if round > first && (round - first).is_multiple_of(SITTING) {
                clock.sitting += 1;
                self.pool.renew(clock.sitting);
            }
            if !self.round(round, &mut clock)? {
                break;
            }
        }
        self.slice(self.results.slices.last().map_or(first, |slice| slice.round), &mut clock)?;
        self.results.study.interrupted = signal::interrupted();
        Ok(self.journal.flush()?)
    }

    /// Makes batches shorter where the budget would not hold enough rounds of them.
    fn fit_budget(&mut self) {
        let round: Nanos = self.works.iter().map(|work| work.amount.expected).sum();
        let budget = self.deadline.since(clock::monotonic()).0;
        let share = budget as f64 / (round.0.max(1) as f64 * WANTED_ROUNDS as f64);
        if share < 1.0 {
            for work in &mut self.works {
                work.amount = work.amount.shortened(share.max(SHORTEST));
            }
        }
    }

    /// In a run that is gone on with, batches after the last reading have none that follows them.
    fn forget_unfinished_brackets(&mut self) {
        let last = self.results.slices.len();
        for measurement in &mut self.results.measurements {
            if let Outcome::Measured { batches, .. } = &mut measurement.outcome {
                batches.retain(|batch| batch.slice as usize + 1 < last);
            }
        }
    }

    /// One batch of every case that is not done. Returns whether there is anything left to do.
    fn round(&mut self, round: u32, clock: &mut Clock) -> Result<bool, RunError> {
        let mut order: Vec<usize> = (0..self.works.len()).filter(|&at| !self.works[at].done).collect();
        if order.is_empty() {
            return Ok(false);
        }
        fastrand::Rng::with_seed(self.results.study.seed ^ (u64::from(round) << 32)).shuffle(&mut order);
        // So that no batch of this round is bracketed by a reading of the last one.
        clock.worked = SLICE_WORK;
        for at in order {
            if signal::interrupted() || clock::monotonic() >= self.deadline {
                return Ok(false);
            }
            self.report(at, round);
            if !self.prepare_again(at)? {
                continue;
            }
            if clock.worked.max(clock::monotonic().since(clock.slice_at)) >= SLICE_WORK {
                self.slice(round, clock)?;
            }
            clock.worked += self.batch(at)?;
        }
        self.settle_done()?;
        self.journal.flush()?;
        Ok(true)
    }

    /// Prepares a case whose processes were replaced. Returns whether it can be run.
    fn prepare_again(&mut self, at: usize) -> Result<bool, RunError> {
        let work = &mut self.works[at];
        match work.prepare_again(&self.results.measurements[work.index].case, self.pool) {
            Ok(()) => Ok(true),
            Err(refused) => self.went_wrong(at, refused).map(|()| false),
        }
    }

    /// Reads the references and notes the state of the machine; an interruption leaves it unread.
    fn slice(&mut self, round: u32, clock: &mut Clock) -> Result<(), RunError> {
        let (latency_ns, throughput_ns) = match self.source.read(self.pool) {
            Ok(reading) => reading,
            Err(Refused::Interrupted) => return Ok(()),
            Err(refused) => return Err(RunError::Reference(refused.to_string())),
        };
        (clock.slice_at, clock.worked) = (clock::monotonic(), Nanos(0));
        let at_ms = clock.before_ms + clock.slice_at.since(self.begun).0 / 1_000_000;
        let steal_ns = self.pool.steal();
        // What a script tells takes no time of ours.
        let throttled_ns = match self.source {
            Source::Kernels => self.pool.throttled(),
            Source::Script(_) => Nanos(0),
        };
        let sitting = clock.sitting;
        let slice = Slice { round, sitting, at_ms, latency_ns, throughput_ns, steal_ns, throttled_ns };
        self.journal.slice(&slice)?;
        self.results.slices.push(slice);
        Ok(())
    }

    /// Runs one batch of a case and notes it. Returns the work it was; nothing where it failed.
    fn batch(&mut self, at: usize) -> Result<Nanos, RunError> {
        let Some(slice) = self.results.slices.len().checked_sub(1) else { return Ok(Nanos(0)) };
        let work = &self.works[at];
        let measurement = &mut self.results.measurements[work.index];
        let Outcome::Measured { proof, batches } = &mut measurement.outcome else { return Ok(Nanos(0)) };
        let measured = work.run(&measurement.case, self.pool).and_then(|measured| {
            let accepted = proof.accept(measured.proof.clone());
            accepted.map_err(|mismatch| Refused::failed(Stage::Proof, mismatch.to_string()))?;
            Ok(measured)
        });
        match measured {
            Ok(mut measured) => {
                let (case, amount) = (&measurement.case, work.amount);
                let told = verify::parts(case, amount.iterations, amount.part, &measured.sample);
                if let Err(problem) = told {
                    measured.sample.parts = Parts::default();
                    if let Some(note) = without_parts(&measurement.notes, problem) {
                        self.journal.note(work.index, &note)?;
                        measurement.notes.push(note);
                    }
                }
                let took = measured.sample.wall;
                let batch = Batch {
                    slice: slice as u32,
                    sample: measured.sample,
                    observed: measured.observed,
                    observed_server: measured.observed_server,
                };
                self.journal.batch(work.index, &batch)?;
                batches.push(batch);
                Ok(took)
            }
            Err(refused) => self.went_wrong(at, refused).map(|()| Nanos(0)),
        }
    }

    /// A batch that was lost with its process costs that batch: the next one is run in a new process, unless this happens
    /// again and again. Everything else that goes wrong is the end of the case.
    fn went_wrong(&mut self, at: usize, refused: Refused) -> Result<(), RunError> {
        let work = &mut self.works[at];
        let Refused::Lost(failure, loss) = refused else { return self.give_up(at, refused) };
        let note = match work.survive(failure, loss, COST_OF_LOSS) {
            Ok(note) => note,
            Err(refused) => return self.give_up(at, refused),
        };
        self.journal.note(work.index, &note)?;
        let measurement = &mut self.results.measurements[work.index];
        self.observer.observe(Event::Lost { case: &measurement.case, note: &note });
        measurement.notes.push(note);
        Ok(())
    }

    /// A case that went wrong gets no more batches, and what it had got is no figure. An interrupted one did not.
    fn give_up(&mut self, at: usize, refused: Refused) -> Result<(), RunError> {
        if refused == Refused::Interrupted {
            return Ok(());
        }
        let work = &mut self.works[at];
        work.done = true;
        let measurement = &mut self.results.measurements[work.index];
        self.pool.release(work.slot(), &measurement.case);
        let outcome = refused.into_outcome();
        self.journal.hole(work.index, &outcome)?;
        self.observer.observe(Event::Hole { case: &measurement.case, outcome: &outcome });
        measurement.outcome = outcome;
        Ok(())
    }

    /// Cases whose figures are sharp get no more batches, and their workers forget them.
    fn settle_done(&mut self) -> Result<(), RunError> {
        let baseline = baseline(&self.results.slices);
        let precision = self.results.study.precision;
        for work in self.works.iter_mut().filter(|work| !work.done) {
            let Measurement { case, outcome, .. } = &self.results.measurements[work.index];
            let Outcome::Measured { batches, .. } = outcome else { continue };
            if Work::is_sharp(case, batches, &self.results.slices, baseline.as_ref(), precision) {
                work.done = true;
                self.journal.done(work.index)?;
                self.pool.release(work.slot(), case);
            }
        }
        Ok(())
    }

    fn report(&mut self, at: usize, round: u32) {
        let now = clock::monotonic();
        self.observer.observe(Event::Batch(Progress {
            case: &self.results.measurements[self.works[at].index].case,
            round,
            done: self.works.iter().filter(|work| work.done).count(),
            of: self.works.len(),
            elapsed: now.since(self.begun),
            left: self.deadline.since(now),
        }));
    }
}

/// What the reader has to know where parts of a batch are not to be trusted; said once of a case.
fn without_parts(notes: &[Note], problem: String) -> Option<Note> {
    const REST: &str = "; such a batch counts as a whole";
    let is_said = notes.iter().any(|note| note.what.ends_with(REST));
    let remedy = "see docs/protocol.md, run, for whoever writes the worker".to_owned();
    (!is_said).then(|| Note { severity: Severity::Warning, what: problem + REST, remedy })
}

#[cfg(test)]
pub(crate) mod tests;
