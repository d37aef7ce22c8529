//! The run: from a study to its results.
//!
//! Prepare every case; then round after round, each case one short batch in an order shuffled anew, with readings of
//! the reference kernels between them; until every case is sharp or the budget is spent.

use std::collections::HashSet;

use tlstax_doc::{
    Journal, Library, Measurement, Note, Outcome, RESULTS_VERSION, Results, Severity, StudyFacts, Tool,
    Unfinished, read_journal, rfc3339,
};
use tlstax_libraries::{Entry, Home, Registry, library, verify};
use tlstax_measure::pin::{self, Cores};
use tlstax_measure::{clock, host, reference, sockets};
use tlstax_spec::{Case, Id, Nanos, Workload};
use tlstax_stats::MIN_ROUNDS;

use crate::awake::awake;
use crate::checkup;
use crate::error::{RunError, cores};
use crate::event::{Event, Observer};
use crate::need::{self, Pace};
use crate::pool::Pool;
use crate::preparation::prepare;
use crate::reference::Source;
use crate::rounds::Rounds;
use crate::study::{Cast, LEAN, Study};
use crate::survey::probe;
use crate::work::Work;

/// What to run, and where the results go.
#[derive(Debug)]
pub struct Plan<'a> {
    pub home: &'a Home,
    pub registry: &'a Registry,
    pub study: Study,
    /// The libraries to measure; the registry's default ones if none are named.
    pub libraries: Vec<Id>,
    /// The seed of the order of batches.
    pub seed: u64,
    /// The version of the program, for the results.
    pub version: String,
}

/// The results of a run, and the journal that they were kept in.
#[derive(Debug)]
pub struct RunOutcome {
    /// The results, complete or not.
    pub results: Results,
    /// The journal, to be removed when the results are written; or kept, to go on with.
    pub journal: Journal,
}

/// Runs a study to its end, its budget's end, or the user's interruption. A journal that holds a run is gone on with.
///
/// # Errors
/// Nothing can be measured, or the journal cannot be kept. A case that fails is a row.
pub fn run(
    plan: Plan<'_>,
    mut journal: Journal,
    observer: &mut dyn Observer,
) -> Result<RunOutcome, RunError> {
    let (begun, begun_wall) = (clock::monotonic(), clock::wall());
    let cores = cores()?;
    plan.check(journal.is_begun())?;
    let deadline = begun + Nanos((plan.study.budget_s * 1e9) as u64);
    let entries = plan.entries()?;
    let mut pool = Pool::new(plan.home, cores, &entries);
    pin::pin_thread(cores.measure).map_err(|error| RunError::Cores(error.to_string()))?;
    let libraries = probe(&mut pool, &entries, observer)?;
    let source = Source::choose(&libraries);
    let (mut results, done) = plan.begin(libraries, cores, &journal)?;
    let control_row = plan.registry.control_row().map(|entry| entry.id.as_str());
    let mut pace = Pace::begin(begun, deadline, &results.measurements, &done, control_row, &pool);
    observer.observe(Event::Begins(pace.outlook));
    let works = prepare(&mut pool, &mut results.measurements, &done, deadline, observer)?;
    pace.note_preparation(&works, &results.measurements, &pool);
    match journal.is_begun() {
        true => note_losses(&works, &results.measurements, &mut journal)?,
        false => journal.begin(&results)?,
    }
    let (_awake, awake_note) = awake(&results, &source);
    let rounds = Rounds {
        results: &mut results,
        works,
        pool: &mut pool,
        source,
        journal: &mut journal,
        begun,
        deadline,
        observer,
    };
    let ended = rounds.run(plan.study.max_rounds.unwrap_or(StudyFacts::ANY_ROUNDS));
    pool.end();
    ended?;
    pace.note_rounds(&results.measurements);
    conclude(&mut results, &pace);
    results.notes.extend(pool.kept().map(kept).chain(awake_note));
    results.ended = end_of(&results.started, begun_wall, clock::monotonic().since(begun));
    Ok(RunOutcome { results, journal })
}

/// Prepares every case of a study and runs one iteration of each, measuring nothing: what would work, and what not?
///
/// # Errors
/// Nothing can be measured. A case that fails is a row.
pub fn verify_study(plan: &Plan<'_>, observer: &mut dyn Observer) -> Result<Vec<Measurement>, RunError> {
    plan.check(false)?;
    let entries = plan.entries()?;
    let mut pool = Pool::new(plan.home, cores()?, &entries);
    let libraries = probe(&mut pool, &entries, observer)?;
    let mut measurements = plan.measurements(&libraries)?;
    prepare(&mut pool, &mut measurements, &[], Nanos(u64::MAX), observer)?;
    pool.end();
    verify::answers(&mut measurements);
    Ok(measurements)
}

impl<'a> Plan<'a> {
    /// The libraries that are measured, then those that take part beside them: the control, and clients of loads.
    pub(crate) fn entries(&self) -> Result<Vec<&'a Entry>, RunError> {
        let mut entries = self.registry.choose(&self.libraries)?;
        let wants_control_row = !self.study.handshake.is_empty() || !self.study.bulk.is_empty();
        entries.extend(self.registry.control_row().filter(|_| wants_control_row));
        for taking_part in self.study.clients().chain(self.study.servers()) {
            entries.push(self.registry.entry(taking_part)?);
        }
        if entries.iter().any(|entry| entry.is_peer()) {
            entries.extend(self.registry.entry(&LEAN).ok());
        }
        let mut seen = HashSet::new();
        entries.retain(|entry| seen.insert(entry.id.as_str()));
        Ok(entries)
    }

    /// The results before the first batch, and the indices of measurements that are done already.
    pub(crate) fn begin(
        &self,
        libraries: Vec<Library>,
        cores: Cores,
        journal: &Journal,
    ) -> Result<(Results, Vec<usize>), RunError> {
        let mut host = host::read();
        if journal.is_begun() {
            let Unfinished { results, done } = read_journal(journal.path())?;
            if results.host.cpu != host.cpu {
                return Err(RunError::Changed("it was begun on another kind of machine".to_owned()));
            }
            if results.host.kernel != host.kernel {
                return Err(RunError::Changed("it was begun under another kernel".to_owned()));
            }
            if results.tool.reference_kernels != reference::VERSION {
                return Err(RunError::Changed("its reference kernels are of another version".to_owned()));
            }
            if let Some(difference) = library::difference(&results.libraries, &libraries) {
                return Err(RunError::Changed(difference));
            }
            return Ok((results, done));
        }
        if !self.study.idle.is_empty() {
            host.sockets = Some(sockets::probe());
        }
        let results = Results {
            schema: RESULTS_VERSION,
            tool: Tool {
                name: "tlstax".to_owned(),
                version: self.version.clone(),
                reference_kernels: reference::VERSION,
            },
            started: rfc3339(clock::wall()),
            ended: String::new(),
            notes: checkup::of_run(&host, &libraries, cores),
            host,
            study: StudyFacts {
                name: self.study.name.clone(),
                question: self.study.question.trim().to_owned(),
                seed: self.seed,
                budget_s: self.study.budget_s,
                precision: self.study.precision,
                max_rounds: self.study.max_rounds.unwrap_or(StudyFacts::ANY_ROUNDS),
                rounds: 0,
                interrupted: false,
            },
            measurements: self.measurements(&libraries)?,
            libraries,
            slices: Vec::new(),
            counted: None,
        };
        Ok((results, Vec::new()))
    }

    /// Refuses what cannot be run before anything is started. The cases of a run that is gone on with stand in its journal.
    pub(crate) fn check(&self, is_resumed: bool) -> Result<(), RunError> {
        match is_resumed {
            true => Ok(self.study.check()?),
            false => self.cases().map(drop),
        }
    }

    /// The cases of the study for the chosen libraries, in the order of tables.
    ///
    /// # Errors
    /// All that keeps a run from beginning: a name that is not in the registry, a number out of range, a study without a case.
    pub fn cases(&self) -> Result<Vec<Case>, RunError> {
        self.entries()?;
        self.cases_with(|client| self.registry.entry(client).is_ok())
    }

    fn cases_with(&self, usable: impl Fn(&str) -> bool) -> Result<Vec<Case>, RunError> {
        let chosen = self.registry.choose(&self.libraries)?;
        let ids = |are_peers: bool| -> Vec<Id> {
            chosen.iter().filter(|entry| entry.is_peer() == are_peers).map(|entry| entry.id.clone()).collect()
        };
        let (libraries, servers) = (ids(false), ids(true));
        let control_row = self.registry.control_row().map(|entry| &entry.id);
        let control_row = control_row.filter(|id| !libraries.contains(id));
        // A program that is not there is a row that says how to get it.
        let is_peer = |id: &str| self.registry.entry(id).is_ok_and(Entry::is_peer);
        let cast = Cast {
            libraries: &libraries,
            servers: &servers,
            control_row,
            is_peer: &is_peer,
            usable: &|client| is_peer(client) || usable(client),
        };
        Ok(self.study.cases(&cast)?)
    }

    /// An entry for each case; those of libraries that are not there are skipped.
    fn measurements(&self, libraries: &[Library]) -> Result<Vec<Measurement>, RunError> {
        let missing = |id: &str| {
            let library = libraries.iter().find(|library| library.id == id)?;
            library.unavailable.as_ref().map(|why| format!("{} is not there: {why}", library.id))
        };
        let absent = |case: &Case| {
            let client = match &case.workload {
                Workload::Load(load) => missing(&load.client),
                _ => None,
            };
            missing(&case.library).or(client)
        };
        let entry = |case: Case| {
            let switched = self.registry.entry(&case.library).is_ok_and(|entry| !entry.without.is_empty());
            let outcome = match absent(&case) {
                // The library is there; what is not is its switch.
                Some(reason) if switched => Outcome::Unsupported { reason },
                Some(why) => Outcome::Skipped { why },
                None => Outcome::Measured { proof: Default::default(), batches: Vec::new() },
            };
            Measurement::new(case, outcome)
        };
        let usable = |client: &str| {
            libraries.iter().any(|library| library.id == client && library.unavailable.is_none())
        };
        Ok(self.cases_with(usable)?.into_iter().map(entry).collect())
    }
}

/// Notes in the journal of a run that is gone on with which cases lost a process while they were prepared.
fn note_losses(works: &[Work], measurements: &[Measurement], journal: &mut Journal) -> Result<(), RunError> {
    for work in works.iter().filter(|work| work.losses > 0) {
        if let Some(note) = measurements[work.index].notes.last() {
            journal.note(work.index, note)?;
        }
    }
    Ok(())
}

/// What has to be known of a library whose processes were not replaced.
fn kept(library: &str) -> Note {
    Note {
        severity: Severity::Info,
        what: format!(
            "{library} takes so long to get ready that its process was kept: its intervals lack the luck of a process, which \
             those of the others contain"
        ),
        remedy: "measure it twice and compare the runs".to_owned(),
    }
}

/// Compares answers, makes holes of cases with too few rounds, and adds notes, when the last batch is in.
fn conclude(results: &mut Results, pace: &Pace) {
    verify::answers(&mut results.measurements);
    let interrupted = results.study.interrupted;
    let mut short = need::unprepared(&results.measurements).count();
    for measurement in &mut results.measurements {
        let rounds = measurement.batches().len();
        if matches!(measurement.outcome, Outcome::Measured { .. }) && rounds < MIN_ROUNDS {
            let few_allowed = (results.study.max_rounds as usize) < MIN_ROUNDS;
            let why = match (interrupted, few_allowed) {
                (true, _) => format!("interrupted after {rounds} rounds, an interval needs {MIN_ROUNDS}"),
                (false, true) => {
                    format!(
                        "max_rounds of the study are fewer than the {MIN_ROUNDS} rounds that an interval needs"
                    )
                }
                (false, false) => {
                    format!("the budget was over before the {MIN_ROUNDS} rounds that an interval needs")
                }
            };
            measurement.outcome = Outcome::Skipped { why };
            short += usize::from(!interrupted && !few_allowed);
        }
        let found = verify::measurement(measurement);
        measurement.notes.extend(found);
    }
    results.study.rounds = results.slices.last().map_or(0, |slice| slice.round);
    results.notes.extend(checkup::of_rounds(results));
    if short > 0 {
        results.notes.insert(0, pace.note(short));
    }
    if interrupted {
        results.notes.push(Note {
            severity: Severity::Warning,
            what: "the run was interrupted before its end".to_owned(),
            remedy: "go on with it: tlstax measure --resume".to_owned(),
        });
    }
}

/// When a run ended that has lasted so long since it was begun, or gone on with. The wall clock may be set in the middle of a
/// run, and before one is gone on with: an end is never before its beginning.
fn end_of(started: &str, begun_wall: u64, lasted: Nanos) -> String {
    rfc3339(begun_wall.saturating_add(lasted.0 / 1_000_000_000)).max(started.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wall_clock_that_is_set_back_ends_no_run_before_its_beginning() {
        let started = rfc3339(1_795_334_400);
        let ended = |begun_wall| end_of(&started, begun_wall, Nanos(90_500_000_000));
        assert_eq!(ended(1_795_334_400), "2026-11-22T08:01:30Z");
        // Gone on with an hour later, and after the clock was set back to the day before.
        assert_eq!(ended(1_795_338_000), "2026-11-22T09:01:30Z");
        assert_eq!(ended(1_795_248_000), started);
        assert_eq!(ended(0), started);
    }
}
