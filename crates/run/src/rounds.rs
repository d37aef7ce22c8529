//! The rounds of a run: which case is next, when the references are read, and when it is enough.

use tlstax_doc::{Batch, Cores, Journal, Measurement, Note, Outcome, Results, Severity, Slice};
use tlstax_libraries::verify;
use tlstax_measure::{clock, signal};
use tlstax_peers::Refused;
use tlstax_spec::{Nanos, Parts, Stage};

use crate::attendance::share_rounds;
use crate::error::RunError;
use crate::event::{Event, Observer, Progress};
use crate::pool::Pool;
use crate::reference::Source;
use crate::work::Work;

mod bases;
mod course;
mod sitting;
mod state;

use bases::note_kinds;
use course::{Course, SLICE_WORK};

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

impl Rounds<'_, '_> {
    /// Goes round until every case is done, the budget is spent, the rounds of the study are over, or the user interrupts.
    ///
    /// # Errors
    /// The journal cannot be written, or the reference kernels cannot be read.
    pub fn run(mut self, max_rounds: u32) -> Result<(), RunError> {
        self.fit_budget();
        self.forget_unfinished_brackets();
        note_kinds(&mut self.works, self.results);
        let whole = self.deadline.since(clock::monotonic());
        let last = self.results.slices.last();
        let first = last.map_or(1, |slice| slice.round.saturating_add(1));
        let mut course = Course::after(last);
        for round in first..first.saturating_add(max_rounds) {
            if course.sitting.is_over(course.state.is_disturbed()) {
                course.sitting.next(&self.works, self.results, &course.state.cores, whole);
                self.pool.renew(course.sitting.number);
            }
            if !self.round(round, &mut course)? {
                break;
            }
        }
        self.slice(self.results.slices.last().map_or(first, |slice| slice.round), &mut course)?;
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

    /// One batch of every case that takes part in this round. Returns whether there is anything left to do.
    fn round(&mut self, round: u32, course: &mut Course) -> Result<bool, RunError> {
        let mut order = self.attending(round);
        fastrand::Rng::with_seed(self.results.study.seed ^ (u64::from(round) << 32)).shuffle(&mut order);
        // So that no batch of this round is bracketed by a reading of the last one.
        course.worked = SLICE_WORK;
        let mut took = Nanos(0);
        for (place, &at) in order.iter().enumerate() {
            if self.is_over() {
                return Ok(false);
            }
            self.report(at, round);
            if course.needs_reading() {
                self.slice(round, course)?;
            }
            self.prepare_ahead(&order[place..], round, course)?;
            if !self.prepare_again(at, course)? {
                continue;
            }
            if course.needs_reading() {
                self.slice(round, course)?;
            }
            let begun = clock::monotonic();
            let worked = self.batch(at)?;
            course.worked += worked;
            let spent = worked.max(clock::monotonic().since(begun));
            self.works[at].attendance.note(spent, 1);
            took += spent;
        }
        course.sitting.note_round(took);
        course.state.look(self.results);
        self.settle_done(&course.state.cores)?;
        self.journal.flush()?;
        Ok(self.works.iter().any(|work| !work.done))
    }

    fn is_over(&self) -> bool {
        signal::interrupted() || clock::monotonic() >= self.deadline
    }

    /// The cases that take part in a round, at least one of those that are not done.
    fn attending(&self, round: u32) -> Vec<usize> {
        let is_due = |at: &usize| {
            let work = &self.works[*at];
            let batches = self.results.measurements[work.index].batches().len();
            !work.done && work.attendance.is_due(round, batches)
        };
        (0..self.works.len()).filter(is_due).collect()
    }

    /// While somebody else is on the machine, gets cases ready whose processes were replaced: that has to be done at some
    /// time, and nobody times it.
    fn prepare_ahead(&mut self, later: &[usize], round: u32, course: &mut Course) -> Result<(), RunError> {
        let mut has_prepared = false;
        for &at in later {
            if self.is_over() || !course.state.is_disturbed() {
                break;
            }
            let work = &self.works[at];
            if work.is_ready(&self.results.measurements[work.index].case, self.pool) {
                continue;
            }
            self.prepare_again(at, course)?;
            has_prepared = true;
            match course.needs_reading() {
                true => self.slice(round, course)?,
                // Only to see whether it has become quiet.
                false => drop(self.read(course)?),
            }
        }
        if has_prepared { self.slice(round, course) } else { Ok(()) }
    }

    /// Prepares a case whose processes were replaced. Returns whether it can be run.
    fn prepare_again(&mut self, at: usize, course: &mut Course) -> Result<bool, RunError> {
        let work = &mut self.works[at];
        if work.done {
            return Ok(false);
        }
        let begun = clock::monotonic();
        let prepared = work.prepare_again(&self.results.measurements[work.index].case, self.pool);
        let took = clock::monotonic().since(begun);
        work.attendance.note(took, 0);
        course.sitting.note_preparation(took);
        match prepared {
            Ok(()) => Ok(true),
            Err(refused) => self.went_wrong(at, refused).map(|()| false),
        }
    }

    /// Reads the references into the results; an interruption leaves them unread.
    fn slice(&mut self, round: u32, course: &mut Course) -> Result<(), RunError> {
        let Some((latency_ns, throughput_ns)) = self.read(course)? else { return Ok(()) };
        course.note_slice();
        let at_ms = course.before_ms + course.slice_at.since(self.begun).0 / 1_000_000;
        let steal_ns = self.pool.steal();
        // What a script tells takes no time of ours.
        let throttled_ns = match self.source {
            Source::Kernels => self.pool.throttled(),
            Source::Script(_) => Nanos(0),
        };
        let sitting = course.sitting.number;
        let slice = Slice { round, sitting, at_ms, latency_ns, throughput_ns, steal_ns, throttled_ns };
        self.journal.slice(&slice)?;
        self.results.slices.push(slice);
        Ok(())
    }

    /// Reads the references and notes the state of the machine; none where the user interrupts.
    fn read(&mut self, course: &mut Course) -> Result<Option<(Nanos, Nanos)>, RunError> {
        match self.source.read(self.pool) {
            Ok((latency, throughput)) => {
                course.state.note(latency, throughput);
                Ok(Some((latency, throughput)))
            }
            Err(Refused::Interrupted) => Ok(None),
            Err(refused) => Err(RunError::Reference(refused.to_string())),
        }
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

    /// Cases whose figures are sharp get no more batches, and their workers forget them; the others share the rounds.
    fn settle_done(&mut self, cores: &Cores) -> Result<(), RunError> {
        let precision = self.results.study.precision;
        for work in self.works.iter_mut().filter(|work| !work.done) {
            let Measurement { case, outcome, .. } = &self.results.measurements[work.index];
            let Outcome::Measured { batches, .. } = outcome else { continue };
            if !work.attendance.is_worth_a_look(batches.len()) {
                continue;
            }
            let half_width = Work::half_width(case, batches, &self.results.slices, cores);
            work.attendance.note_look(batches.len(), half_width);
            if Work::has_enough(case, batches.len(), half_width, precision) {
                work.done = true;
                self.journal.done(work.index)?;
                self.pool.release(work.slot(), case);
            }
        }
        let open = self.works.iter_mut().filter(|work| !work.done);
        share_rounds(open.map(|work| &mut work.attendance));
        Ok(())
    }

    fn report(&mut self, at: usize, round: u32) {
        let now = clock::monotonic();
        let work = &self.works[at];
        let case = &self.results.measurements[work.index].case;
        self.observer.observe(Event::Batch(Progress {
            case,
            processes: self.pool.processes(work.slot(), case),
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
