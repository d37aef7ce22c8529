//! A run that counts instructions: every case in processes of its own, until they agree. Nothing is timed, so neither references
//! nor rounds are needed, and other users of the machine change nothing.

use tlstax_doc::{Counted, CountedBy, Journal, Measurement, Outcome, Results, rfc3339};
use tlstax_libraries::{Entry, valgrind, verify};
use tlstax_measure::{clock, counter};
use tlstax_peers::Refused;
use tlstax_spec::{Case, Nanos, Workload};
use tlstax_stats::FEW_COUNTS;

use crate::error::{RunError, cores};
use crate::event::{Event, Observer};
use crate::pool::Pool;
use crate::run::{Plan, RunOutcome};
use crate::survey::probe;

mod batch;
mod libraries;
mod sittings;

use libraries::{counted_libraries, uncounted};
use sittings::Sittings;

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
