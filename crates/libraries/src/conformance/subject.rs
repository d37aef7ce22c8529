//! The worker under examination: one process of it, and a second one where both ends of a load are needed.

use std::time::Duration;

use tlstax_doc::LibraryKind;
use tlstax_measure::signal::interrupted;
use tlstax_spec::wire::Hello;
use tlstax_spec::{Case, Load, Mismatch, Nanos, Proof, Sample, Side, Workload};

use crate::Home;
use crate::registry::Entry;
use crate::session::{Ready, Seat, Session};
use crate::verify;
use tlstax_peers::Refused;

/// The slot of every case: one is prepared at a time.
pub(super) const SLOT: u32 = 1;

/// So many lost processes end the suite: a worker that hangs would take hours otherwise.
const LOSSES: u32 = 2;

/// How long a worker may take to say who it is: while others are compiled, a virtual machine takes its time.
pub(super) const HELLO: Duration = Duration::from_secs(180);

/// How long a worker may take to end after all checks.
const END: Duration = Duration::from_secs(60);

/// What a batch may take; the patience of a session follows from it.
const BATCH: Nanos = Nanos(1_000_000_000);

/// Why a check did not pass.
#[derive(Debug)]
pub(super) enum Miss {
    /// The worker did something else than it must.
    Failed(String),
    /// The library does not have it, and gives the reason.
    Skipped(String),
}

impl From<String> for Miss {
    fn from(problem: String) -> Self {
        Self::Failed(problem)
    }
}

impl From<&str> for Miss {
    fn from(problem: &str) -> Self {
        Self::Failed(problem.to_owned())
    }
}

impl From<Mismatch> for Miss {
    fn from(mismatch: Mismatch) -> Self {
        Self::Failed(mismatch.to_string())
    }
}

/// A combination that a library refuses with a reason is a hole in the matrix; anything else is a fault.
impl From<Refused> for Miss {
    fn from(refused: Refused) -> Self {
        match refused {
            Refused::Unsupported(reason) => Self::Skipped(reason),
            Refused::Failed(failure) | Refused::Lost(failure, _) if failure.lost => {
                Self::Failed(format!("{}: {} {}", failure.stage, failure.message, failure.stderr))
            }
            other => Self::Failed(other.to_string()),
        }
    }
}

/// A case that was prepared and run for one batch.
pub(super) struct Tried {
    pub(super) trial: Proof,
    pub(super) sample: Sample,
    pub(super) proof: Proof,
}

/// The worker of a library; a process that is lost is replaced when the next one is needed.
pub(super) struct Subject<'a> {
    pub(super) entry: Entry,
    pub(super) home: &'a Home,
    pub(super) hello: Hello,
    worker: Option<Session>,
    server: Option<Session>,
    losses: u32,
}

impl<'a> Subject<'a> {
    pub(super) fn start(entry: Entry, home: &'a Home) -> Result<Self, Refused> {
        let entry = entry.untimed();
        let session = Session::start_within(HELLO, &entry, home, Seat::default(), 0)?;
        let hello = session.hello.clone();
        Ok(Self { entry, home, hello, worker: Some(session), server: None, losses: 0 })
    }

    /// Whether it is the library without crypto.
    pub(super) fn is_control(&self) -> bool {
        self.entry.kind == LibraryKind::Control
    }

    /// Whether no further check has a chance: the user wants to stop, or the worker is lost again and again.
    pub(super) fn is_given_up(&self) -> bool {
        interrupted() || self.losses >= LOSSES
    }

    /// Drops processes that can no longer be talked to.
    pub(super) fn drop_lost(&mut self) {
        for place in [&mut self.worker, &mut self.server] {
            if place.take_if(|session| session.loss().is_some()).is_some() {
                self.losses += 1;
            }
        }
    }

    /// The process that does what needs one end or both ends in memory, and is the client of loads.
    pub(super) fn worker(&mut self) -> Result<&mut Session, Refused> {
        running(&mut self.worker, &self.entry, self.home)
    }

    /// The process that is the server of loads.
    pub(super) fn server(&mut self) -> Result<&mut Session, Refused> {
        running(&mut self.server, &self.entry, self.home)
    }

    /// Lets both processes end, which is when sanitizers report what was lost.
    pub(super) fn end(&mut self) -> Result<(), Miss> {
        for session in [self.worker.take(), self.server.take()].into_iter().flatten() {
            session.end_in_order(END)?;
        }
        Ok(())
    }

    pub(super) fn case(&self, threads: u16, workload: Workload) -> Case {
        Case { library: self.entry.id.clone(), threads, workload }
    }

    /// Prepares a case that has no ends.
    pub(super) fn prepare(&mut self, threads: u16, workload: Workload) -> Result<Ready, Refused> {
        let case = self.case(threads, workload);
        self.worker()?.prepare(SLOT, &case, None, None, None)
    }

    /// What is not claimed is a hole with a reason, and no failure. A client alone leaves out what it could do.
    pub(super) fn refuses(&mut self, workload: Workload) -> Result<(), Miss> {
        match self.prepare(1, workload) {
            Ok(_) if self.entry.kind == LibraryKind::Client => {
                Err(Miss::Skipped("a client alone is not asked for it".to_owned()))
            }
            Ok(_) => Err("the library has it and does not claim it".into()),
            Err(refused @ Refused::Unsupported(_)) => Err(refused.into()),
            Err(refused) => Err(format!("must be refused as unsupported: {refused}").into()),
        }
    }

    /// Prepares a case and runs one batch of it; both proofs and the sample must be those of the case.
    pub(super) fn tried(&mut self, threads: u16, workload: Workload, iterations: u64) -> Result<Tried, Miss> {
        let trial = self.prepare(threads, workload.clone())?.proof;
        trial.check(&workload)?;
        let case = self.case(threads, workload);
        let (sample, proof) = self.batch(&case, iterations)?;
        self.worker()?.release(SLOT)?;
        Ok(Tried { trial, sample, proof })
    }

    /// Runs one more batch of the case that was prepared last.
    pub(super) fn batch(&mut self, case: &Case, iterations: u64) -> Result<(Sample, Proof), Miss> {
        self.batch_in_parts(case, iterations, 0)
    }

    /// The same, in parts of so many iterations.
    pub(super) fn batch_in_parts(
        &mut self,
        case: &Case,
        iterations: u64,
        part: u64,
    ) -> Result<(Sample, Proof), Miss> {
        let (sample, proof) = self.worker()?.run(SLOT, iterations, 0, part, BATCH, None)?;
        verify::sample(case, iterations, &sample, &proof)?;
        proof.check(&case.workload)?;
        Ok((sample, proof))
    }

    /// Prepares both ends of a load, which may differ in what they are to negotiate; the proof is the client's.
    pub(super) fn meet(&mut self, served: &Load, asked: &Load) -> Result<Proof, Refused> {
        let [server, client] = [served, asked].map(|load| self.case(1, Workload::Load(load.clone())));
        let port = self.server()?.prepare(SLOT, &server, Some(Side::Server), None, None)?.port;
        Ok(self.worker()?.prepare(SLOT, &client, Some(Side::Client), port, None)?.proof)
    }
}

/// The process in a place; a new one where there is none.
fn running<'a>(
    place: &'a mut Option<Session>,
    entry: &Entry,
    home: &Home,
) -> Result<&'a mut Session, Refused> {
    let session = match place.take() {
        Some(session) => session,
        None => Session::start_within(HELLO, entry, home, Seat::default(), 0)?,
    };
    Ok(place.insert(session))
}
