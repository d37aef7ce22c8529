//! A worker: one process that does every case of a library in one role.

use tlstax_doc::Library;
use tlstax_libraries::{Entry, Seat, Session, library};
use tlstax_measure::accounting;
use tlstax_measure::cgroup::Group;
use tlstax_peers::servers::Reading;
use tlstax_peers::{Loss, Refused};
use tlstax_spec::wire::Count;
use tlstax_spec::{Direction, FORM, Id, Load, Nanos, RESPONSE_HEADERS, Side, Stage, UPLOAD};

use super::end::{End, Listening, Prepared, Sampled, Task};
use super::role::Role;
use super::setup::Setup;
use crate::batch::Amount;

/// A process is kept over sittings if getting ready took this long, and this many times what it has worked since: a virtual
/// machine that compiles as it goes would do nothing else.
const DEAR: Nanos = Nanos::from_millis(2000);
const DEAR_TIMES: u64 = 10;

#[derive(Debug)]
pub struct Worker<'a> {
    entry: &'a Entry,
    role: Role,
    process: Option<Process>,
}

/// A running worker with the accounts of its CPU time.
#[derive(Debug)]
struct Process {
    session: Session,
    /// The control group's account, of the ends of loads. Declared after the session: it goes when its process has ended.
    group: Option<Group>,
    /// The CPU time of the batches that the process has run.
    worked: Nanos,
}

impl<'a> Worker<'a> {
    pub fn new(entry: &'a Entry, role: Role) -> Self {
        Self { entry, role, process: None }
    }

    fn session(&mut self) -> Result<&mut Session, Refused> {
        let gone = || Refused::failed(Stage::Run, "the worker of this case does not run any more");
        self.process.as_mut().map(|process| &mut process.session).ok_or_else(gone)
    }

    /// Refuses what a worker of an earlier kind would pass over as a server.
    fn check_server(&mut self, load: &Load) -> Result<(), Refused> {
        let demands =
            [(load.response_headers > 0, RESPONSE_HEADERS), (load.direction == Direction::Upload, UPLOAD)];
        let can = &self.session()?.hello.loads;
        let lacks = demands.iter().find(|(is_needed, word)| *is_needed && !can.iter().any(|can| can == word));
        match lacks {
            None => Ok(()),
            Some((_, word)) => Err(Refused::Unsupported(format!(
                "as a server, {} does not do this: {word}; nginx, for one, does",
                self.id()
            ))),
        }
    }
}

impl Process {
    /// What the process has used, by the scheduler.
    fn scheduled(&self) -> Option<Nanos> {
        accounting::scheduled(self.session.pid()).ok()
    }
}

impl End for Worker<'_> {
    fn id(&self) -> &Id {
        &self.entry.id
    }

    fn probe(&mut self, setup: &mut Setup<'_>) -> Result<Library, Refused> {
        self.start(setup)?;
        let entry = self.entry;
        Ok(library::found(entry, setup.home, self.session()?))
    }

    fn start(&mut self, setup: &mut Setup<'_>) -> Result<(), Refused> {
        if self.process.is_some() {
            return Ok(());
        }
        let group = self.role.is_of_load().then(Group::create).and_then(Result::ok);
        let is_client = matches!(self.role, Role::Client | Role::Clients);
        let seat = Seat {
            cpus: setup.cpus(self.role),
            group: group.as_ref().map(|group| group.path().to_owned()),
            remote: setup.remote.clone().filter(|_| is_client),
            counting: setup.counting.clone(),
            sleeps: is_client && setup.cores.shared == Some(true),
        };
        let session = Session::start(self.entry, setup.home, seat, setup.sitting)?;
        setup.check_same_program(&self.entry.id, &session)?;
        self.process = Some(Process { session, group, worked: Nanos(0) });
        Ok(())
    }

    fn check_client(&mut self, task: Task<'_>, server_counts: bool) -> Result<(), Refused> {
        let mut demands = task.load.map(Load::demands).unwrap_or_default();
        demands.extend((!server_counts).then_some("target"));
        demands.extend((task.case.threads > 1).then_some("threads"));
        let can = &self.session()?.hello.loads;
        demands.retain(|demand| !can.iter().any(|word| word == demand));
        if demands.is_empty() {
            return Ok(());
        }
        let other = if demands.contains(&FORM) { "curl" } else { "lean" };
        let (name, demands) = (self.id(), demands.join(", "));
        Err(Refused::Unsupported(format!(
            "as a client, {name} does not do this: {demands}; the client {other} does"
        )))
    }

    fn prepare(&mut self, _: &mut Setup<'_>, task: Task<'_>) -> Result<Prepared, Refused> {
        let side = match self.role {
            Role::Alone | Role::Threads => None,
            Role::Server => Some(Side::Server),
            Role::Client | Role::Clients => Some(Side::Client),
        };
        if let Some(load) = task.load.filter(|_| side == Some(Side::Server)) {
            self.check_server(load)?;
        }
        let port = task.server.map(|server| server.port);
        let target = task.server.and_then(|server| server.target.clone());
        let ready = self.session()?.prepare(task.slot, task.case, side, port, target)?;
        let listening = ready.port.map(|port| Listening { port, target: None });
        Ok(Prepared { proof: Some(ready.proof), listening })
    }

    fn run(&mut self, setup: &mut Setup<'_>, task: Task<'_>, amount: Amount) -> Result<Sampled, Refused> {
        let count = setup.counting.is_some().then_some(Count::Instructions);
        let session = self.session()?;
        let (sample, proof) =
            session.run(task.slot, amount.iterations, amount.warmup, amount.part, amount.expected, count)?;
        Ok((sample, Some(proof)))
    }

    fn read(&mut self, task: Task<'_>, _requests: u64, part: u64) -> Result<Reading, Refused> {
        let usage = self.session()?.usage(task.slot, part)?;
        Ok(Reading { usage, grouped: self.observe() })
    }

    fn processes(&mut self, _task: Task<'_>) -> Vec<u32> {
        self.process.iter().map(|process| process.session.pid()).collect()
    }

    fn tells_parts(&self) -> bool {
        self.process.as_ref().is_some_and(|process| process.session.tells_load_parts())
    }

    fn observe(&self) -> Option<Nanos> {
        let process = self.process.as_ref()?;
        match &process.group {
            Some(group) => Some(group.usage().ok()?.total),
            None => process.scheduled(),
        }
    }

    fn note_work(&mut self, used: Option<Nanos>) {
        if let Some(process) = &mut self.process {
            process.worked += used.unwrap_or_default();
        }
    }

    fn reference(&mut self) -> Result<(Nanos, Nanos), Refused> {
        self.session()?.reference()
    }

    fn loss(&mut self, _task: Task<'_>) -> Option<Loss> {
        self.process.as_ref()?.session.loss()
    }

    fn abandon(&mut self, _task: Task<'_>) {
        self.process = None;
    }

    fn release(&mut self, task: Task<'_>) -> bool {
        self.process.as_mut().is_none_or(|process| process.session.release(task.slot).is_ok())
    }

    fn is_dear(&self) -> bool {
        self.process.as_ref().is_some_and(|process| {
            let ready = process.scheduled().unwrap_or_default().since(process.worked);
            ready >= DEAR && ready.0 >= DEAR_TIMES * process.worked.0
        })
    }

    fn end(&mut self) -> bool {
        let process = self.process.take();
        let has_run = process.is_some();
        if let Some(Process { session, group, .. }) = process {
            session.end();
            drop(group);
        }
        has_run
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use tlstax_libraries::{Block, Home};
    use tlstax_measure::pin;

    use super::*;

    /// The control worker, as the registry of a test would name it.
    fn control() -> Entry {
        let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/workers/bin/control");
        assert!(program.is_file(), "{} is missing: run make test, which builds it", program.display());
        let words = vec![program.display().to_string(), "control".to_owned()];
        Block { program: words, ..Block::new(Id::literal("sound"), "a script") }.into()
    }

    #[test]
    fn a_process_that_is_gone_leaves_no_account_behind() {
        let home = Home::find(Some(Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."))).unwrap();
        let entry = control();
        let mut setup = Setup::new(&home, pin::cores().unwrap(), &[&entry]);
        let mut worker = Worker::new(&entry, Role::Server);
        worker.start(&mut setup).unwrap();
        assert!(worker.observe().is_some());
        assert!(worker.end(), "it did not run");
        assert_eq!(worker.observe(), None, "the control group of a process that has ended is still read");
    }
}
