//! Preparing the cases of a run, before the first round.

use tlstax_doc::{Measurement, Note, Outcome};
use tlstax_measure::clock;
use tlstax_peers::{Loss, Refused};
use tlstax_spec::{Case, Nanos, Proof, Stage, Workload};

use crate::error::RunError;
use crate::event::{Event, Observer};
use crate::need::UNPREPARED;
use crate::pool::Pool;
use crate::work::Work;
use tlstax_libraries::verify;

/// What the loss of a process costs before the first round.
const COST_OF_LOSS: &str = "it was prepared anew in another one";

/// Gets every case ready and finds out how much of it makes a batch. What cannot be done, or not in time, becomes a hole.
pub(crate) fn prepare(
    pool: &mut Pool<'_>,
    measurements: &mut [Measurement],
    done: &[usize],
    deadline: Nanos,
    observer: &mut dyn Observer,
) -> Result<Vec<Work>, RunError> {
    refuse_for_want(measurements, done, observer);
    let of = measurements.len();
    let mut works = Vec::new();
    for (index, measurement) in measurements.iter_mut().enumerate() {
        let Outcome::Measured { proof, .. } = &mut measurement.outcome else { continue };
        if done.contains(&index) {
            continue;
        }
        if clock::monotonic() >= deadline {
            measurement.outcome = Outcome::Skipped { why: UNPREPARED.to_owned() };
            continue;
        }
        observer.observe(Event::Preparing { case: &measurement.case, done: index, of });
        let mut work = Work::new(index, 0);
        match prepare_one(&mut work, &measurement.case, &mut measurement.notes, pool, observer) {
            Ok(found) => {
                *proof = found;
                works.push(work);
            }
            Err(Refused::Interrupted) => return Err(RunError::Interrupted),
            Err(refused) => {
                let outcome = refused.into_outcome();
                observer.observe(Event::Hole { case: &measurement.case, outcome: &outcome });
                measurement.outcome = outcome;
            }
        }
    }
    Ok(works)
}

/// Refuses the loads that this machine has no room for, before anything is started for any case.
fn refuse_for_want(measurements: &mut [Measurement], done: &[usize], observer: &mut dyn Observer) {
    for (index, Measurement { case, outcome, .. }) in measurements.iter_mut().enumerate() {
        let (Workload::Load(load), Outcome::Measured { .. }) = (&case.workload, &*outcome) else { continue };
        if done.contains(&index) {
            continue;
        }
        if let Err(problem) = verify::resources(load) {
            *outcome = Refused::failed(Stage::Prepare, problem).into_outcome();
            observer.observe(Event::Hole { case, outcome });
        }
    }
}

/// Gets a case ready, in a new process where one ended.
fn prepare_one(
    work: &mut Work,
    case: &Case,
    notes: &mut Vec<Note>,
    pool: &mut Pool<'_>,
    observer: &mut dyn Observer,
) -> Result<Proof, Refused> {
    loop {
        match work.prepare(case, pool) {
            // One that fell silent has taken its time already, and the next would take as much of the budget.
            Err(Refused::Lost(failure, loss @ Loss::Ended)) => {
                let note = work.survive(failure, loss, COST_OF_LOSS)?;
                observer.observe(Event::Lost { case, note: &note });
                notes.push(note);
            }
            done => return done,
        }
    }
}
