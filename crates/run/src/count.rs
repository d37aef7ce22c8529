//! A run that counts instructions: every case in processes of its own, until they agree. Nothing is timed, so neither references
//! nor rounds are needed, and other users of the machine change nothing.

use tlstax_doc::{
    Batch, Counted, CountedBy, Journal, Library, Measurement, Note, Outcome, Results, Severity, Slice,
    rfc3339,
};
use tlstax_libraries::{Counting, Entry, valgrind, verify};
use tlstax_measure::{clock, counter, signal};
use tlstax_peers::Refused;
use tlstax_spec::{Case, Instructions, Nanos, Proof, Stage, Workload};
use tlstax_stats::{COUNTS, FEW_COUNTS, is_counted};

use crate::batch::Amount;
use crate::error::{RunError, cores};
use crate::event::{Event, Observer, Progress};
use crate::pool::Pool;
use crate::run::{Plan, RunOutcome};
use crate::survey::probe;

/// Instructions in a batch: enough for what is random in some operations to average out, and done in seconds under callgrind.
const BATCH: u64 = 100_000_000;

/// The same of handshakes and bulk data, in which more is random: keys, signatures and their lengths, hashed maps.
const BATCH_OF_SIDES: u64 = 256_000_000;

/// No more iterations than this in a batch: by then what happens once a batch does not show.
const MOST_ITERATIONS: u64 = 1 << 14;

/// The same where there are sides: callgrind writes a file at each change of turn.
const MOST_ITERATIONS_OF_SIDES: u64 = 1 << 5;

/// One iteration in so many is run before those that are counted, beside the trial.
const WARMUP_SHARE: u64 = 8;

/// What counts in a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CountBy {
    /// The CPU's counter where there is one, else callgrind.
    Any,
    Callgrind,
}

/// Chooses what counts.
fn choose(by: CountBy) -> Result<Counted, RunError> {
    let counted = |by, version| Counted { what: "instructions".to_owned(), by, version };
    let hardware = match by {
        CountBy::Any => counter::hardware(),
        CountBy::Callgrind => Err(std::io::Error::other("not asked for")),
    };
    match (hardware, valgrind()) {
        (Ok(()), _) => Ok(counted(CountedBy::Hardware, None)),
        (Err(_), Some(version)) => Ok(counted(CountedBy::Callgrind, Some(version))),
        (Err(reason), None) => Err(RunError::NoCounter(reason.to_string())),
    }
}

/// Counts the instructions of every case of a study, in place of taking its times.
///
/// # Errors
/// Nothing can be counted, or the journal cannot be kept. A case that fails is a row.
pub fn count(
    plan: &Plan<'_>,
    by: CountBy,
    journal: Journal,
    observer: &mut dyn Observer,
) -> Result<RunOutcome, RunError> {
    let begun = clock::monotonic();
    if journal.is_begun() {
        return Err(RunError::Changed("a run that counts is not gone on with".to_owned()));
    }
    let cores = cores()?;
    plan.check(false)?;
    let counted = choose(by)?;
    let entries = plan.entries()?;
    let mut pool = Pool::new(plan.home, cores, &entries);
    let native = probe(&mut pool, &entries, observer)?;
    let start = |refused: Refused| RunError::Cores(refused.to_string());
    pool.count(counted.by == CountedBy::Hardware).map_err(start)?;
    let (libraries, notes) = counted_libraries(&mut pool, &entries, native)?;
    let (mut results, _) = plan.begin(libraries, cores, &journal)?;
    results.counted = Some(counted);
    results.notes.extend(notes);
    refuse(&mut results.measurements, &entries, observer);
    let deadline = begun + Nanos((plan.study.budget_s * 1e9) as u64);
    let mut journal = journal;
    journal.begin(&results)?;
    let counting =
        Sittings { results: &mut results, pool: &mut pool, journal: &mut journal, begun, deadline };
    let ended = counting.run(observer);
    pool.end();
    ended?;
    conclude(&mut results);
    Ok(RunOutcome { results, journal })
}

/// The libraries as they are where they are counted, with notes on what of the CPU they do not have there.
fn counted_libraries(
    pool: &mut Pool<'_>,
    entries: &[&Entry],
    native: Vec<Library>,
) -> Result<(Vec<Library>, Vec<Note>), RunError> {
    let (mut libraries, mut notes) = (Vec::new(), Vec::new());
    for (entry, native) in entries.iter().zip(native) {
        if native.unavailable.is_some() || uncounted(entry).is_some() {
            libraries.push(native);
            continue;
        }
        let library = pool.probe(entry).map_err(|_| RunError::Interrupted)?;
        notes.extend(lost_features(&native, &library));
        libraries.push(library);
    }
    Ok((libraries, notes))
}

/// Why no case of an entry can be counted.
fn uncounted(entry: &Entry) -> Option<String> {
    match entry.block() {
        Some(block) => Counting::check(block).err(),
        None => Some("instructions of servers and clients that people run are not counted".to_owned()),
    }
}

/// What a library does without where it is counted, as it says itself.
fn lost_features(native: &Library, counted: &Library) -> Option<Note> {
    let (native_hello, hello) = (native.hello.as_ref()?, counted.hello.as_ref()?);
    let lost: Vec<&str> = hello
        .without
        .iter()
        .filter(|feature| !native_hello.without.contains(feature))
        .map(String::as_str)
        .collect();
    if lost.is_empty() && native_hello.cpu == hello.cpu {
        return None;
    }
    let without = match lost.is_empty() {
        true => "uses the CPU in another way".to_owned(),
        false => format!("does without {}", lost.join(", ")),
    };
    Some(Note {
        severity: Severity::Warning,
        what: format!(
            "{} {without} under callgrind, whose CPU lacks what this one has: the code that is counted is not all the code that \
             runs here; it says {} there, {} here",
            native.id, hello.cpu, native_hello.cpu
        ),
        remedy: "compare counts with counts only; for what it takes here, measure without --count".to_owned(),
    })
}

/// Makes holes of the cases that cannot be counted.
fn refuse(measurements: &mut [Measurement], entries: &[&Entry], observer: &mut dyn Observer) {
    for measurement in measurements.iter_mut() {
        let case = &measurement.case;
        let entry = entries.iter().find(|entry| entry.id == case.library);
        let reason = entry.and_then(|entry| uncounted(entry)).or_else(|| uncountable(case));
        if let (Some(reason), Outcome::Measured { .. }) = (reason, &measurement.outcome) {
            measurement.outcome = Outcome::Unsupported { reason };
            observer.observe(Event::Hole { case, outcome: &measurement.outcome });
        }
    }
}

fn uncountable(case: &Case) -> Option<String> {
    match &case.workload {
        Workload::Load(_) => Some("instructions of loads are not counted: most are in the kernel".to_owned()),
        Workload::Idle(_) => Some("idle connections execute nothing that could be counted".to_owned()),
        _ if case.threads > 1 => Some("instructions are counted in one thread only".to_owned()),
        _ => None,
    }
}

/// What a run that counts works on.
struct Sittings<'r, 'p> {
    results: &'r mut Results,
    pool: &'r mut Pool<'p>,
    journal: &'r mut Journal,
    begun: Nanos,
    deadline: Nanos,
}

impl Sittings<'_, '_> {
    /// One count of every case that needs more, in a process of its own, and again.
    fn run(mut self, observer: &mut dyn Observer) -> Result<(), RunError> {
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
            round,
            done: (0..of).filter(|&index| !self.wants(index)).count(),
            of,
            elapsed: now.since(self.begun),
            left: self.deadline.since(now),
        }));
    }
}

/// Counts one batch of a case in a new process. The first one of the case finds out how many iterations it has.
fn count_once(
    pool: &mut Pool<'_>,
    slot: u32,
    case: &Case,
    iterations: &mut Option<u64>,
    slice: u32,
) -> Result<(Batch, Proof), Refused> {
    pool.prepare(slot, case)?;
    let trial = pool.run(slot, case, Amount { warmup: 1, ..Amount::trial() })?;
    let Some(counted) = trial.sample.instructions else {
        let reason = format!("the worker of {} does not count instructions", case.library);
        return Err(Refused::Unsupported(reason));
    };
    if counted.whole == 0 {
        return Err(Refused::failed(Stage::Run, "the worker says that a batch took no instruction"));
    }
    let iterations = *iterations.get_or_insert_with(|| fitting(&counted));
    let warmup = (iterations / WARMUP_SHARE).max(1);
    let measured = pool.run(slot, case, Amount { iterations, warmup, ..Amount::trial() })?;
    let batch = Batch { slice, sample: measured.sample, observed: measured.observed, observed_server: None };
    Ok((batch, measured.proof))
}

/// How many iterations make a batch: a power of two, so that two builds of a library have the same number in spite of a small
/// difference.
fn fitting(trial: &Instructions) -> u64 {
    let (batch, most) = match trial.client {
        Some(_) => (BATCH_OF_SIDES, MOST_ITERATIONS_OF_SIDES),
        None => (BATCH, MOST_ITERATIONS),
    };
    1 << (batch / trial.whole).clamp(1, most).ilog2()
}

/// Makes holes of what was counted too little.
fn conclude(results: &mut Results) {
    verify::answers(&mut results.measurements);
    for measurement in &mut results.measurements {
        let counts = measurement.batches().len();
        if matches!(measurement.outcome, Outcome::Measured { .. }) && counts < FEW_COUNTS {
            let why = match results.study.interrupted {
                true => "interrupted",
                false => "the budget was over",
            };
            let why = format!("{why} after {counts} counts, a figure needs {FEW_COUNTS}");
            measurement.outcome = Outcome::Skipped { why };
        }
    }
    results.study.rounds = results.slices.last().map_or(0, |slice| slice.round);
    results.ended = rfc3339(clock::wall());
}

#[cfg(test)]
mod tests {
    use tlstax_spec::Id;
    use tlstax_spec::wire::Hello;

    use super::*;

    #[test]
    fn a_batch_is_a_power_of_two_of_iterations() {
        let whole = |whole| Instructions { whole, ..Instructions::default() };
        assert_eq!(fitting(&whole(1_000_000)), 64);
        assert_eq!(fitting(&whole(1_001_000)), 64);
        assert_eq!(fitting(&whole(3)), MOST_ITERATIONS);
        assert_eq!(fitting(&whole(u64::MAX)), 1);
        let sides = Instructions { whole: 9, client: Some(4), server: Some(5) };
        assert_eq!(fitting(&sides), MOST_ITERATIONS_OF_SIDES);
    }

    #[test]
    fn what_the_other_cpu_lacks_is_said() {
        let library = |without: &[&str], cpu: &str| {
            let without = without.iter().map(|name| (*name).to_owned()).collect();
            let hello = Hello { without, cpu: cpu.to_owned(), ..Hello::default() };
            Library { hello: Some(hello), ..Library::new(Id::literal("openssl")) }
        };
        let note = lost_features(&library(&["sha"], "0xff"), &library(&["sha", "vaes"], "0x0f")).unwrap();
        assert!(note.what.contains("does without vaes under callgrind"), "{}", note.what);
        assert_eq!(lost_features(&library(&[], "0xff"), &library(&[], "0xff")), None);
    }
}
