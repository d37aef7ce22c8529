//! One case on its way through a run: how much of it makes a batch, and when it has had enough.

use tlstax_doc::{Batch, Cores, Metric, Note, Severity, Slice, Use};
use tlstax_peers::{Failure, Loss, Refused};
use tlstax_spec::{Case, Nanos, Proof, Sample, Workload};
use tlstax_stats::{HalfWidth, MIN_ROUNDS, Ratio, estimate};

use crate::attendance::Attendance;
use crate::batch::{Amount, Measured, whole_parts};
use crate::parts::{cycle, part};
use crate::pool::Pool;

/// The work in a batch of a primitive: short, so that a batch lies within one state of the machine.
const PRIMITIVE_BATCH: Nanos = Nanos::from_millis(2);

/// The work in a batch of handshakes or bulk data.
const MEMORY_BATCH: Nanos = Nanos::from_millis(4);

/// A window of load: long enough that filling and draining the connections does not show.
const LOAD_WINDOW: Nanos = Nanos::from_millis(40);

/// A case whose batch is still not settled after so many trials is measured by the last one.
const MAX_TRIALS: u32 = 8;

/// A trial of so small a part of the batch has outgrown the cost of the first calls.
const OUTGROWN: u64 = 10;

/// The same for a load: programs start, and all connections are opened, in each window.
const LOAD_OUTGROWN: u64 = 2;

/// One iteration in so many is run untimed before the others: the first ones after another case find cold caches.
const WARMUP_SHARE: u64 = 16;

/// A batch of iterations that are dear is made longer until it holds so many, or is so many times as long: of five timed
/// handshakes and an untimed one 22 % of the CPU time are lost, of eight 15 %.
const HELD: u64 = 8;
const LONGEST: u64 = 4;

/// After so many batches chance is a hundredth of what one of them leaves to it, and less; a document holds each of them.
const MOST_BATCHES: usize = 20_000;

/// A case survives the loss of so many of its processes; one that loses more crashes by itself, and is a failure.
const SURVIVED_LOSSES: u32 = 1;

#[derive(Debug, Clone)]
pub(crate) struct Work {
    /// Its place among the measurements, and its slot in the workers.
    pub index: usize,
    /// The batch that it gets in each round that it takes part in.
    pub amount: Amount,
    pub attendance: Attendance,
    /// The generation of the processes it was prepared in.
    pub generation: u32,
    /// Whether it gets no more batches.
    pub done: bool,
    pub losses: u32,
}

impl Work {
    pub fn new(index: usize, generation: u32) -> Self {
        let attendance = Attendance::default();
        Self { index, amount: Amount::trial(), attendance, generation, done: false, losses: 0 }
    }

    /// The timed work of a case that becomes sharp as soon as may be, as far as its kind tells.
    pub fn usual(case: &Case, pool: &Pool<'_>) -> Nanos {
        let window = pool.window(case).unwrap_or_else(|| target(case));
        Nanos(window.0 * least_rounds(case) as u64)
    }

    /// The slot under which the workers know the case.
    pub fn slot(&self) -> u32 {
        u32::try_from(self.index).unwrap_or_else(|_| unreachable!("a study has fewer cases than that"))
    }

    /// Gets the case ready in its processes and finds out how much of it makes a batch.
    ///
    /// # Errors
    /// The case cannot be done, a process fails, or the user interrupts.
    pub fn prepare(&mut self, case: &Case, pool: &mut Pool<'_>) -> Result<Proof, Refused> {
        let proof = pool.prepare(self.slot(), case)?;
        self.generation = pool.generation(case);
        let target = pool.window(case).unwrap_or_else(|| target(case));
        self.amount.expected = self.amount.expected.max(Amount::trial_of(case).expected);
        for _ in 0..MAX_TRIALS {
            let trial = pool.run(self.slot(), case, self.amount)?;
            if !self.calibrate(case, &trial.sample, target) {
                break;
            }
        }
        Ok(proof)
    }

    /// Whether it was prepared in the processes that it would run in.
    pub fn is_ready(&self, case: &Case, pool: &Pool<'_>) -> bool {
        pool.generation(case) == self.generation
    }

    /// Prepares the case again if its processes were replaced since.
    ///
    /// # Errors
    /// The case cannot be done any more, a process fails, or the user interrupts.
    pub fn prepare_again(&mut self, case: &Case, pool: &mut Pool<'_>) -> Result<(), Refused> {
        if !self.is_ready(case, pool) {
            pool.prepare(self.slot(), case)?;
            self.generation = pool.generation(case);
        }
        Ok(())
    }

    /// Counts a process that was lost in the middle of something, and notes what that cost: the next one may do better.
    ///
    /// # Errors
    /// The case has lost more processes than it survives.
    pub fn survive(&mut self, mut failure: Failure, loss: Loss, cost: &str) -> Result<Note, Refused> {
        self.losses += 1;
        if self.losses > SURVIVED_LOSSES {
            failure.message += &format!("; this case has lost {} processes", self.losses);
            return Err(Refused::Lost(failure, loss));
        }
        let Failure { stage, message, stderr, .. } = failure;
        let words = if stderr.is_empty() { String::new() } else { format!("; its last words: {stderr}") };
        Ok(Note {
            severity: Severity::Warning,
            what: format!("lost a process once ({stage}): {message}; {cost}"),
            remedy: format!("if nobody killed it, look for the kernel's out-of-memory killer: dmesg{words}"),
        })
    }

    /// Runs one batch.
    ///
    /// # Errors
    /// A process fails or contradicts the case, or the user interrupts.
    pub fn run(&self, case: &Case, pool: &mut Pool<'_>) -> Result<Measured, Refused> {
        pool.run(self.slot(), case, self.amount)
    }

    /// Chooses how many iterations make a batch, from a trial. Returns whether another trial would tell better.
    fn calibrate(&mut self, case: &Case, trial: &Sample, target: Nanos) -> bool {
        if let Workload::Idle(_) = &case.workload {
            self.amount.expected = trial.wall;
            return false;
        }
        let iterations = trial.iterations / u64::from(case.threads).max(1);
        let each = trial.wall.0.max(1) as f64 / iterations.max(1) as f64;
        let part = part(case, trial, each, target);
        let least = least(case, part);
        let target = stretched(case, each, target);
        let cycle = cycle(case, each, Nanos(target.0 * LONGEST));
        let wanted = whole_parts(((target.0 as f64 / each) as u64).max(least), part.max(cycle));
        self.amount = Amount {
            iterations: wanted,
            warmup: warmup(case, wanted),
            least,
            part,
            cycle,
            expected: Nanos((each * wanted as f64) as u64),
        };
        let outgrown = if matches!(case.workload, Workload::Load(_)) { LOAD_OUTGROWN } else { OUTGROWN };
        wanted > iterations.saturating_mul(outgrown)
    }

    /// Half the width of the widest interval among the figures that decide when a case is done; none where one of them is no
    /// figure yet.
    pub fn half_width(case: &Case, batches: &[Batch], slices: &[Slice], cores: &Cores) -> Option<HalfWidth> {
        let widest = |widest: HalfWidth, metric| {
            let seen = cores.observed(case, batches, slices, metric);
            let found = estimate(&seen.observations, seen.baseline)?.half_width();
            // What is not a number is wider than any.
            Some(if found <= widest { widest } else { found })
        };
        Metric::of(case, Use::StopRule)
            .filter(|metric| is_read(*metric, batches))
            .try_fold(HalfWidth(Ratio(0.0)), widest)
    }

    /// Whether a case with so many batches has had enough: its figures are as sharp as the study wants them, or what keeps
    /// them from it is nothing that more batches would average out.
    pub fn has_enough(
        case: &Case,
        batches: usize,
        half_width: Option<HalfWidth>,
        precision: HalfWidth,
    ) -> bool {
        let is_sharp = half_width.is_some_and(|found| found <= precision);
        batches >= MOST_BATCHES || (is_sharp && batches >= least_rounds(case))
    }
}

/// How long a batch should take.
fn target(case: &Case) -> Nanos {
    match &case.workload {
        Workload::Primitive(_) => PRIMITIVE_BATCH,
        Workload::Handshake(_) | Workload::Bulk(_) | Workload::Idle(_) => MEMORY_BATCH,
        Workload::Load(_) => LOAD_WINDOW,
    }
}

/// The time of a batch whose iterations take so many nanoseconds. Where none is untimed, nothing is lost.
fn stretched(case: &Case, each: f64, target: Nanos) -> Nanos {
    let held = Nanos((each * HELD as f64) as u64);
    if warmup(case, 1) == 0 { target } else { held.clamp(target, Nanos(target.0 * LONGEST)) }
}

/// The fewest iterations of a batch: each connection of a load takes part in each window, and there is a part between the first and
/// the last one.
fn least(case: &Case, part: u64) -> u64 {
    match &case.workload {
        Workload::Load(load) => (2 * u64::from(load.connections)).max(3 * part),
        _ => 1,
    }
}

/// The untimed iterations before a batch. A load has none: the server, read from outside, cannot leave them out, and a
/// window of it is long enough that its first requests do not show.
fn warmup(case: &Case, iterations: u64) -> u64 {
    match &case.workload {
        Workload::Load(_) => 0,
        // At least one: without it a costly operation is timed on what the case before it left in the caches, and a
        // handshake of 300 us was 13 % dearer.
        _ => (iterations / WARMUP_SHARE).max(1),
    }
}

/// Sharp or not, a case is measured in so many rounds: they span six sittings, and an interval from fewer is itself
/// uncertain. Memory of idle connections has no noise that rounds would average out.
pub(crate) fn least_rounds(case: &Case) -> usize {
    match &case.workload {
        Workload::Idle(_) => MIN_ROUNDS,
        _ => 18,
    }
}

/// Whether a metric was read at all: a server whose processes are not known has no CPU time.
fn is_read(metric: Metric, batches: &[Batch]) -> bool {
    metric != Metric::Server || batches.iter().any(|batch| batch.sample.server.is_some())
}

#[cfg(test)]
mod tests;
