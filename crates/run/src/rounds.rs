//! The rounds of a run: which case is next, when the references are read, and when it is enough.

use tlstax_doc::{Batch, Journal, Measurement, Outcome, Results, Slice, baseline};
use tlstax_measure::{clock, signal};
use tlstax_spec::Nanos;

use crate::event::{Event, Observer, Progress};
use crate::pool::Pool;
use crate::reference::Source;
use crate::run::RunError;
use crate::session::Refused;
use crate::work::Work;

/// The references are read again after so much work: states of the machine last longer, and a reading of 0.3 ms
/// then takes a few percent of the run.
const SLICE_WORK: Nanos = Nanos::from_millis(8);

/// After so many rounds all processes are replaced. Where code, stack and heap of a process come to lie shifts its costs
/// by some tenths of a percent for as long as it lives, so one process alone would give one draw of that luck.
const SITTING: u32 = 6;

/// A run should have so many rounds; where the budget does not allow them, batches are made shorter.
const WANTED_ROUNDS: u64 = 12;

/// Batches are not made shorter than this share of what was wanted.
const SHORTEST: f64 = 0.25;

/// What a run works on while it goes round.
pub(crate) struct Rounds<'r, 'p> {
    /// The results, growing.
    pub results: &'r mut Results,
    /// The cases that can be measured.
    pub works: Vec<Work>,
    /// The workers.
    pub pool: &'r mut Pool<'p>,
    /// Who reads the references.
    pub source: Source,
    /// Where everything is noted at once.
    pub journal: &'r mut Journal,
    /// When the run began.
    pub begun: Nanos,
    /// When its budget ends.
    pub deadline: Nanos,
}

impl Rounds<'_, '_> {
    /// Goes round until every case is done, the budget is spent, or the user interrupts.
    pub fn run(mut self, max_rounds: u32, observer: &mut dyn Observer) -> Result<(), RunError> {
        self.fit_budget();
        let first = self.results.slices.last().map_or(1, |slice| slice.round + 1);
        self.forget_unfinished_brackets();
        for round in first..first.saturating_add(max_rounds) {
            if (round - first) % SITTING == SITTING - 1 {
                self.pool.renew();
            }
            if !self.round(round, observer)? {
                break;
            }
        }
        self.slice(self.results.slices.last().map_or(1, |slice| slice.round))?;
        self.results.study.interrupted = signal::interrupted();
        Ok(self.journal.flush()?)
    }

    /// Makes batches shorter where the budget would not hold enough rounds of them.
    fn fit_budget(&mut self) {
        let round: u64 = self.works.iter().map(|work| work.amount.expected.0).sum();
        let budget = self.deadline.since(clock::monotonic()).0;
        let share = budget as f64 / (round.max(1) * WANTED_ROUNDS) as f64;
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
    fn round(&mut self, round: u32, observer: &mut dyn Observer) -> Result<bool, RunError> {
        let mut order: Vec<usize> = (0..self.works.len()).filter(|&at| !self.works[at].done).collect();
        if order.is_empty() {
            return Ok(false);
        }
        fastrand::Rng::with_seed(self.results.study.seed ^ (u64::from(round) << 32)).shuffle(&mut order);
        let mut since_slice = SLICE_WORK;
        for at in order {
            if signal::interrupted() || clock::monotonic() >= self.deadline {
                return Ok(false);
            }
            if since_slice >= SLICE_WORK {
                self.slice(round)?;
                since_slice = Nanos(0);
            }
            self.tell(at, round, observer);
            since_slice += self.batch(at, observer)?;
        }
        self.settle_done()?;
        self.journal.flush()?;
        Ok(true)
    }

    /// Reads the references and notes the state of the machine.
    fn slice(&mut self, round: u32) -> Result<(), RunError> {
        let (latency_ns, throughput_ns) = match self.source.read(self.pool) {
            Ok(reading) => reading,
            Err(Refused::Interrupted) => return Ok(()),
            Err(refused) => return Err(RunError::Reference(format!("{refused:?}"))),
        };
        let at_ms = clock::monotonic().since(self.begun).0 / 1_000_000;
        let slice = Slice { round, at_ms, latency_ns, throughput_ns, steal_ns: self.pool.steal() };
        self.journal.slice(&slice)?;
        self.results.slices.push(slice);
        Ok(())
    }

    /// Runs one batch of a case and notes it. Returns the work it was; nothing where it failed.
    fn batch(&mut self, at: usize, observer: &mut dyn Observer) -> Result<Nanos, RunError> {
        let slice = self.results.slices.len() as u32 - 1;
        let work = &mut self.works[at];
        let measurement = &mut self.results.measurements[work.index];
        let Outcome::Measured { proof, batches } = &mut measurement.outcome else { return Ok(Nanos(0)) };
        let measured = work.run(&measurement.case, self.pool).and_then(|measured| {
            let accepted = proof.accept(measured.proof.clone());
            accepted.map_err(|mismatch| Refused::failed("proof", mismatch.to_string()))?;
            Ok(measured)
        });
        match measured {
            Ok(measured) => {
                let took = measured.sample.wall;
                let batch = Batch { slice, sample: measured.sample, observed: measured.observed };
                self.journal.batch(work.index, &batch)?;
                batches.push(batch);
                Ok(took)
            }
            Err(Refused::Interrupted) => Ok(Nanos(0)),
            Err(refused) => {
                work.done = true;
                let outcome = refused.into_outcome();
                self.journal.hole(work.index, &outcome)?;
                observer.tell(Event::Hole { case: &measurement.case, outcome: &outcome });
                measurement.outcome = outcome;
                Ok(Nanos(0))
            }
        }
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

    fn tell(&self, at: usize, round: u32, observer: &mut dyn Observer) {
        let now = clock::monotonic();
        observer.tell(Event::Batch(Progress {
            case: &self.results.measurements[self.works[at].index].case,
            round,
            done: self.works.iter().filter(|work| work.done).count(),
            of: self.works.len(),
            elapsed: now.since(self.begun),
            left: self.deadline.since(now),
        }));
    }
}
