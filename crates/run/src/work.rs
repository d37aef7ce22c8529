//! One case on its way through a run: how much of it makes a batch, and when it has had enough.

use tlstax_doc::{Batch, Metric, Note, Severity, Slice, Use, observations};
use tlstax_peers::{Failure, Loss, Refused};
use tlstax_spec::{Case, Nanos, Proof, Sample, Workload};
use tlstax_stats::{Baseline, HalfWidth, MIN_ROUNDS, Ratio, estimate};

use crate::attendance::Attendance;
use crate::batch::{Amount, Measured, whole_parts};
use crate::pool::Pool;

/// The work in a batch of a primitive: short, so that a batch lies within one state of the machine.
const PRIMITIVE_BATCH: Nanos = Nanos::from_millis(2);

/// The work in a batch of handshakes or bulk data.
const MEMORY_BATCH: Nanos = Nanos::from_millis(4);

/// The work in a part of a batch: states of the machine come and go in 10 us to some ms. Shorter parts would be told apart no
/// better, and each costs a reading of the clock.
const PART: Nanos = Nanos(150_000);

/// The work in a part of a window of load: a share of it, but no more than this, of which an end that is read from outside is read
/// several times.
const LOAD_PARTS: u64 = 8;
const LOAD_PART: Nanos = Nanos::from_millis(12);

/// The longest turn of all connections that is a part: shorter ones would hold whatever bursts the responses come in.
const LONGEST_TURN: Nanos = Nanos::from_millis(20);

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
        let wanted = whole_parts(((target.0 as f64 / each) as u64).max(least), part);
        self.amount = Amount {
            iterations: wanted,
            warmup: warmup(case, wanted),
            least,
            part,
            expected: Nanos((each * wanted as f64) as u64),
        };
        let outgrown = if matches!(case.workload, Workload::Load(_)) { LOAD_OUTGROWN } else { OUTGROWN };
        wanted > iterations.saturating_mul(outgrown)
    }

    /// Half the width of the widest interval among the figures that decide when a case is done; none where one of them is no
    /// figure yet.
    pub fn half_width(
        case: &Case,
        batches: &[Batch],
        slices: &[Slice],
        baseline: Option<&Baseline>,
    ) -> Option<HalfWidth> {
        let widest = |widest: HalfWidth, metric| {
            let found = estimate(&observations(batches, slices, metric), baseline)?.half_width();
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

/// How many iterations make a part of a batch, by a trial in which each took so many nanoseconds; 0 where parts cannot be told
/// apart. Those of several threads overlap.
fn part(case: &Case, trial: &Sample, each: f64, target: Nanos) -> u64 {
    let of_load = LOAD_PART.min(Nanos(target.0 / LOAD_PARTS));
    if case.threads > 1 {
        return 0;
    }
    match &case.workload {
        Workload::Primitive(_) | Workload::Handshake(_) | Workload::Bulk(_) => times(PART, each),
        // An open loop begins its requests one by one, by the clock.
        Workload::Load(load) if load.rate > 0 => times(of_load, each),
        Workload::Load(load) => load_part(of_load, load.connections, busier(trial).unwrap_or(each)),
        Workload::Idle(_) => 0,
    }
}

/// The same of a load. Its connections take turns, and all of them have equally many requests in a part: responses come in bursts of
/// as many as there are connections. A turn that takes longer than a part may, such as a large transfer, is read from outside.
fn load_part(time: Nanos, connections: u32, each: f64) -> u64 {
    let turn = each * f64::from(connections);
    if turn > LONGEST_TURN.0 as f64 { 0 } else { times(time, turn) * u64::from(connections) }
}

/// What a request of a trial cost the end that had more to do: that is what it takes where nothing has to wait.
fn busier(trial: &Sample) -> Option<f64> {
    let sides = [trial.client, trial.server].into_iter().flatten().map(|side| side.total);
    let most = sides.max().filter(|most| *most > Nanos(0))?;
    Some(most.0 as f64 / trial.iterations.max(1) as f64)
}

/// How often what takes so many nanoseconds fits into that time; once at the least.
fn times(time: Nanos, each: f64) -> u64 {
    ((time.0 as f64 / each).round() as u64).max(1)
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
mod tests {
    use super::*;
    use tlstax_spec::{Algorithm, Id, Load, Op, Pattern, Primitive};

    fn digest(threads: u16) -> Case {
        let primitive =
            Primitive { op: Op::Digest, algorithm: Algorithm::Md5, size: 64, pattern: Pattern::Tls };
        Case { library: Id::literal("a"), threads, workload: Workload::Primitive(primitive) }
    }

    fn http(connections: u32) -> Case {
        let load = Load { connections, ..Load::new(Id::literal("a"), None) };
        Case { library: Id::literal("a"), threads: 1, workload: Workload::Load(load) }
    }

    /// What becomes of the batch after a trial of so many iterations that took so long, and whether to try again.
    fn calibrated(case: &Case, iterations: u64, wall: u64) -> (Amount, bool) {
        let mut work = Work::new(0, 0);
        let trial = Sample { iterations, wall: Nanos(wall), ..Sample::default() };
        let again = work.calibrate(case, &trial, target(case));
        (work.amount, again)
    }

    #[test]
    fn a_batch_fills_its_time_with_a_warmup_before_it() {
        let (amount, again) = calibrated(&digest(1), 100, 100_000);
        // 13 parts of 150 us.
        assert_eq!((amount.iterations, amount.part, amount.warmup, amount.least), (1950, 150, 121, 1));
        assert_eq!(amount.expected, Nanos(1_950_000));
        assert!(again, "100 iterations tell too little of 2000");
        assert!(!calibrated(&digest(1), 200, 200_000).1);
    }

    #[test]
    fn a_batch_of_dear_iterations_is_longer_so_that_less_of_it_is_untimed() {
        let shape = |milliseconds: u64| {
            let (amount, _) = calibrated(&digest(1), 10, 10 * 100_000 * milliseconds);
            (amount.iterations, amount.warmup)
        };
        // Of 0.1, 0.3, 0.5, 1 and 3 ms, where 2 ms are usual and 8 the most.
        assert_eq!([1, 3, 5, 10, 30].map(shape), [(20, 1), (8, 1), (8, 1), (8, 1), (2, 1)]);
        let (load, _) = calibrated(&http(1), 10, 200_000_000);
        assert_eq!((load.iterations, load.warmup), (3, 0), "a load has nothing untimed, and three parts");
    }

    #[test]
    fn threads_share_the_iterations_of_a_trial() {
        assert_eq!(calibrated(&digest(4), 400, 100_000).0, calibrated(&digest(2), 200, 100_000).0);
    }

    #[test]
    fn what_takes_longer_than_a_batch_is_done_once() {
        let (amount, again) = calibrated(&digest(1), 1, 1_000_000_000);
        assert_eq!((amount.iterations, amount.warmup, again), (1, 1, false));
        assert_eq!(amount.expected, Nanos(1_000_000_000));
    }

    #[test]
    fn each_connection_takes_part_in_a_window_without_warmup() {
        let (amount, _) = calibrated(&http(16), 1, 10_000_000);
        assert_eq!((amount.iterations, amount.warmup, amount.part, amount.least), (32, 0, 0, 32));
        assert_eq!(amount.shortened(0.25).iterations, 32);
        let (amount, _) = calibrated(&http(1), 4, 1_000_000);
        assert_eq!((amount.iterations, amount.part, amount.shortened(0.1).iterations), (160, 20, 60));
    }

    #[test]
    fn a_part_of_a_load_has_equally_many_requests_of_each_connection() {
        // 32 us a request: a turn of 16 connections is half a millisecond.
        let load_part = |connections, each| load_part(Nanos::from_millis(5), connections, each);
        assert_eq!(load_part(16, 32_000.0), 10 * 16);
        assert_eq!((load_part(16, 1e6), load_part(1, 6e6)), (16, 1), "a turn is as short as a part can be");
        assert_eq!(
            (load_part(1000, 1e5), load_part(1, 5e8)),
            (0, 0),
            "what takes longer is read from outside"
        );
    }

    #[test]
    fn the_busier_end_of_a_load_decides_how_long_a_part_is() {
        let used = |nanos| Some(tlstax_spec::Cpu { total: Nanos(nanos), ..Default::default() });
        let waiting = Sample { iterations: 100, wall: Nanos(1_000_000_000), ..Sample::default() };
        let trial = Sample { client: used(2_000_000), server: used(5_000_000), ..waiting.clone() };
        // 50 us of 10 ms each: 100 requests of one connection are 5 ms of work.
        assert_eq!(
            (part(&http(1), &trial, 1e7, LOAD_WINDOW), part(&http(1), &waiting, 1e7, LOAD_WINDOW)),
            (100, 1)
        );
        let real = Nanos::from_millis(500);
        assert_eq!(part(&http(1), &trial, 1e7, real), 240, "12 ms in a window of any length");
        let mut open = http(1);
        if let Workload::Load(load) = &mut open.workload {
            load.rate = 1000;
        }
        assert_eq!(part(&open, &trial, 1e6, LOAD_WINDOW), 5, "an open loop is as slow as it is meant to be");
        let mut work = Work::new(0, 0);
        work.calibrate(&http(1), &trial, LOAD_WINDOW);
        assert_eq!(
            (work.amount.iterations, work.amount.part),
            (300, 100),
            "a window has three parts at least"
        );
    }

    #[test]
    fn a_trial_beyond_all_measure_is_no_crash() {
        for (iterations, wall) in [(0, 0), (u64::MAX, 0), (0, u64::MAX), (u64::MAX, u64::MAX)] {
            let (amount, _) = calibrated(&digest(1), iterations, wall);
            assert!(amount.iterations >= 1, "{amount:?}");
        }
    }

    #[test]
    fn a_shorter_batch_has_less_of_everything_but_never_nothing() {
        let whole = Amount { iterations: 100, warmup: 6, least: 1, part: 0, expected: Nanos(1000) };
        let half = Amount { iterations: 50, warmup: 3, least: 1, part: 0, expected: Nanos(500) };
        assert_eq!(whole.shortened(0.5), half);
        assert_eq!(whole.shortened(0.001).iterations, 1);
    }

    #[test]
    fn nothing_is_sharp_after_a_few_rounds_or_without_a_figure() {
        let (exact, precision) = (Some(HalfWidth(Ratio(0.0))), HalfWidth(Ratio(0.01)));
        assert!(!Work::has_enough(&digest(1), 17, exact, precision));
        assert!(Work::has_enough(&digest(1), 18, exact, precision));
        assert!(!Work::has_enough(&digest(1), 18, None, precision));
        assert!(!Work::has_enough(&digest(1), 18, Some(HalfWidth(Ratio(f64::NAN))), precision));
        assert!(!Work::has_enough(&digest(1), 10_000, None, precision));
        assert!(Work::has_enough(&digest(1), 20_000, None, precision), "they would help no more");
    }

    #[test]
    fn the_widest_figure_decides_and_one_that_is_missing_says_nothing() {
        let sample = |wall| Sample { iterations: 1, wall: Nanos(wall), ..Sample::default() };
        let batch = |wall| Batch { slice: 0, sample: sample(wall), observed: None, observed_server: None };
        let slice = |round| Slice {
            round,
            sitting: round,
            at_ms: 0,
            latency_ns: Nanos(0),
            throughput_ns: Nanos(0),
            steal_ns: Nanos(0),
            throttled_ns: Nanos(0),
        };
        let slices: Vec<Slice> = (1..=8).map(slice).collect();
        let batches: Vec<Batch> =
            (0..8).map(|at| Batch { slice: at, ..batch(1000 + u64::from(at)) }).collect();
        let found = Work::half_width(&digest(2), &batches, &slices, None).unwrap();
        assert!(found > HalfWidth(Ratio(0.001)) && found < HalfWidth(Ratio(0.01)), "{found:?}");
        assert_eq!(Work::half_width(&digest(2), &batches[..3], &slices, None), None);
    }
}
