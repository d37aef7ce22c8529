//! A library in one role: the process that runs now, and what outlives each process.

use std::collections::BTreeSet;

use tlstax_libraries::{Loss, Session};
use tlstax_measure::accounting;
use tlstax_measure::cgroup::Group;
use tlstax_peers::Refused;
use tlstax_spec::{Nanos, Stage};

/// A process is kept over sittings if getting ready took this long, and this many times what it has worked since: a virtual
/// machine that compiles as it goes would do nothing else.
const DEAR: Nanos = Nanos::from_millis(2000);
const DEAR_TIMES: u64 = 10;

/// A library that lost processes at so many cases, or did not start so often, in one role, is given up in that role.
const PATIENCE: usize = 5;

/// A running worker with the accounts of its CPU time.
#[derive(Debug)]
pub(super) struct Process {
    pub(super) session: Session,
    /// The control group's account, of the ends of loads. Declared after the session: it goes when its process has ended.
    group: Option<Group>,
    /// The CPU time of the batches that the process has run.
    worked: Nanos,
}

/// What is known of a library in one role.
#[derive(Debug, Default)]
pub(super) struct Place {
    process: Option<Process>,
    /// How often its process was replaced: a case prepared in an earlier one has to be prepared again.
    pub(super) generation: u32,
    /// The cases at which processes were lost. A case that loses several counts once: it is given up by itself.
    lost_at: BTreeSet<String>,
    /// How often no process came up.
    failed_starts: usize,
    /// Whether a process was kept over sittings.
    pub(super) kept: bool,
}

impl Process {
    /// A process that has done nothing yet.
    pub(super) fn new(session: Session, group: Option<Group>) -> Self {
        Self { session, group, worked: Nanos(0) }
    }

    /// What the process has used, by its control group, or by the scheduler where there is none.
    pub(super) fn observe(&self) -> Option<Nanos> {
        match &self.group {
            Some(group) => Some(group.usage().ok()?.total),
            None => self.scheduled(),
        }
    }

    /// What the process has used, by the scheduler.
    pub(super) fn scheduled(&self) -> Option<Nanos> {
        accounting::scheduled(self.session.pid()).ok()
    }

    /// Counts the CPU time of a batch.
    pub(super) fn note_work(&mut self, used: Option<Nanos>) {
        self.worked += used.unwrap_or_default();
    }

    /// Whether getting the process ready again would take most of the time.
    fn is_dear(&self) -> bool {
        let ready = self.scheduled().unwrap_or_default().since(self.worked);
        ready >= DEAR && ready.0 >= DEAR_TIMES * self.worked.0
    }
}

impl Place {
    pub(super) fn process(&self) -> Option<&Process> {
        self.process.as_ref()
    }

    pub(super) fn process_mut(&mut self) -> Option<&mut Process> {
        self.process.as_mut()
    }

    /// Puts a new process here.
    pub(super) fn take(&mut self, process: Process) {
        self.process = Some(process);
    }

    /// Why the process that stands here can no longer be talked to; none where it can.
    pub(super) fn loss(&self) -> Option<Loss> {
        self.process.as_ref()?.session.loss()
    }

    /// Notes the case at which a process was lost.
    pub(super) fn note_loss(&mut self, case: String) {
        self.lost_at.insert(case);
    }

    /// Counts a process that did not come up.
    pub(super) fn note_failed_start(&mut self) {
        self.failed_starts += 1;
    }

    /// Refuses to start another process where too many were lost.
    pub(super) fn check_patience(&self, library: &str, role: &str) -> Result<(), Refused> {
        let (cases, starts) = (self.lost_at.len(), self.failed_starts);
        if cases + starts < PATIENCE {
            return Ok(());
        }
        let message = match starts {
            0 => format!("given up: {library}{role} lost its processes at {cases} cases of this run"),
            _ => format!(
                "given up: {library}{role} lost its processes at {cases} cases of this run, and did not start {starts} times"
            ),
        };
        Err(Refused::failed(Stage::Start, message))
    }

    /// Kills the process; what was prepared in it has to be prepared again.
    pub(super) fn kill(&mut self) {
        self.process = None;
        self.generation += 1;
    }

    /// Ends the process so that a new one takes its place, unless getting a new one ready is too dear.
    pub(super) fn renew(&mut self) {
        if self.process.as_ref().is_some_and(Process::is_dear) {
            self.kept = true;
        } else if self.process.is_some() {
            self.end();
            self.generation += 1;
        }
    }

    /// Ends the process.
    pub(super) fn end(&mut self) {
        if let Some(Process { session, group, .. }) = self.process.take() {
            session.end();
            drop(group);
        }
    }
}
