//! A [`Participant`]: a library, server or client in one role. One record for the end that runs now, and what outlives each process.

use std::collections::BTreeSet;
use tlstax_spec::Stage;

use tlstax_libraries::{Entry, Peer};
use tlstax_peers::{Loss, Refused};

use super::client::ClientProgram;
use super::end::{End, Prepared, Task};
use super::external::ExternalServer;
use super::role::Role;
use super::server::ServerProgram;
use super::setup::Setup;
use super::worker::Worker;

/// A participant that lost processes at so many cases, or did not start so often, in one role, is given up in that role.
const PATIENCE: usize = 5;

#[derive(Debug)]
pub struct Participant<'a> {
    pub end: Box<dyn End + 'a>,
    role: Role,
    /// How often its process was replaced: a case prepared in an earlier one has to be prepared again.
    pub generation: u32,
    /// Whether a process was kept over sittings.
    pub kept: bool,
    /// The cases at which processes were lost. A case that loses several counts once: it is given up by itself.
    lost_at: BTreeSet<String>,
    failed_starts: usize,
}

impl<'a> Participant<'a> {
    pub fn new(entry: &'a Entry, role: Role) -> Self {
        let end: Box<dyn End + 'a> = match entry.peer() {
            None => Box::new(Worker::new(entry, role)),
            Some(Peer::Server(server)) => Box::new(ServerProgram::new(entry, server)),
            Some(Peer::External(external)) => Box::new(ExternalServer::new(entry, external)),
            Some(Peer::Client(client)) => Box::new(ClientProgram::new(entry, client)),
        };
        let lost_at = BTreeSet::new();
        Self { end, role, generation: 0, kept: false, lost_at, failed_starts: 0 }
    }

    /// The role in which an entry is asked what it is.
    pub fn role_of(entry: &Entry) -> Role {
        match entry.peer() {
            None => Role::Alone,
            Some(Peer::Server(_) | Peer::External(_)) => Role::Server,
            Some(Peer::Client(_)) => Role::Client,
        }
    }

    /// Its end with the process that all cases share, unless too many were lost.
    ///
    /// # Errors
    /// It does not start, or too many of its processes were lost.
    pub fn start(&mut self, setup: &mut Setup<'_>) -> Result<&mut (dyn End + 'a), Refused> {
        self.check_patience()?;
        let started = self.end.start(setup);
        self.failed_starts += usize::from(started.as_ref().is_err_and(Refused::is_lost));
        started.map(|()| &mut *self.end)
    }

    /// Gets a case ready.
    ///
    /// # Errors
    /// It cannot do the case, or fails.
    pub fn prepare(&mut self, setup: &mut Setup<'_>, task: Task<'_>) -> Result<Prepared, Refused> {
        self.start(setup)?.prepare(setup, task)
    }

    /// Refuses to start another process where too many were lost.
    fn check_patience(&self) -> Result<(), Refused> {
        let (cases, starts) = (self.lost_at.len(), self.failed_starts);
        if cases + starts < PATIENCE {
            return Ok(());
        }
        let (id, role) = (self.end.id(), self.role.words());
        let mut message = format!("given up: {id}{role} lost its processes at {cases} cases of this run");
        if starts > 0 {
            message += &format!(", and did not start {starts} times");
        }
        Err(Refused::failed(Stage::Start, message))
    }

    /// Kills what runs for a case that has lost a process, and notes whether it was one of this participant. What was prepared here
    /// has to be prepared again.
    pub fn abandon(&mut self, task: Task<'_>) -> Option<Loss> {
        let loss = self.end.loss(task);
        if loss.is_some() {
            self.lost_at.insert(task.case.id());
        }
        self.end.abandon(task);
        self.generation += 1;
        loss
    }

    /// Forgets a case; a worker that cannot is replaced before it is needed again.
    pub fn release(&mut self, task: Task<'_>) {
        if !self.end.release(task) {
            self.end.abandon(task);
            self.generation += 1;
        }
    }

    /// Ends what runs, so that a new process takes its place, unless getting a new one ready is too dear.
    pub fn renew(&mut self) {
        if self.end.is_dear() {
            self.kept = true;
        } else if self.end.end() {
            self.generation += 1;
        }
    }
}
