//! A server program that people run: a process for each configuration that the cases of a run need.

use std::collections::HashMap;

use tlstax_doc::Library;
use tlstax_libraries::{Base, Entry, library};
use tlstax_peers::servers::{self, Program, Reading, Running, Server, Site};
use tlstax_peers::{Failure, Loss, Refused};
use tlstax_spec::{Id, Nanos, Stage};

use super::end::{End, Listening, Prepared, Task};
use super::setup::Setup;

/// A window on a real server, which writes its account down some milliseconds later.
pub const REAL_WINDOW: Nanos = Nanos::from_millis(100);

#[derive(Debug)]
pub struct ServerProgram<'a> {
    entry: &'a Entry,
    server: &'static Server,
    program: Option<Program>,
    running: HashMap<Site, Running>,
}

impl<'a> ServerProgram<'a> {
    pub fn new(entry: &'a Entry, server: &'static Server) -> Self {
        Self { entry, server, program: None, running: HashMap::new() }
    }

    /// The program, with the TLS library that its entry names.
    fn program(&mut self, setup: &mut Setup<'_>) -> Result<&Program, Refused> {
        if self.program.is_none() {
            self.program = Some(find(self.entry, self.server, setup)?);
        }
        self.program.as_ref().ok_or_else(|| unreachable!("it was found above"))
    }

    fn running(&mut self, task: Task<'_>) -> Option<&mut Running> {
        self.running.get_mut(&Site::of(task.load?))
    }
}

fn find(entry: &Entry, server: &'static Server, setup: &mut Setup<'_>) -> Result<Program, Refused> {
    let cannot = |reason: String| Refused::failed(Stage::Start, reason);
    let found = Program::find(server).map_err(cannot)?;
    let Some(Base::Relinked { library, prefix, .. }) = &entry.base else { return Ok(found) };
    let missing = || cannot(format!("{library} is not built: tlstax libraries build {library}"));
    let prefix = prefix.as_ref().ok_or_else(missing)?;
    let folder = setup.folder()?.folder().subfolder(library);
    let folder = folder.map_err(|error| cannot(format!("cannot make a folder for {library}: {error}")))?;
    let libraries = servers::relink(prefix, &folder).map_err(cannot)?;
    found.relinked(libraries).map_err(cannot)
}

impl End for ServerProgram<'_> {
    fn id(&self) -> &Id {
        &self.entry.id
    }

    fn probe(&mut self, setup: &mut Setup<'_>) -> Result<Library, Refused> {
        let program = self.program(setup)?;
        let (version, objects) = (program.version.clone(), program.objects.clone());
        let compressions = program.compressions();
        let mut library = library::program(self.entry, &version, Ok(objects));
        if let Some(hello) = &mut library.hello {
            hello.compressions = compressions;
        }
        Ok(library)
    }

    fn prepare(&mut self, setup: &mut Setup<'_>, task: Task<'_>) -> Result<Prepared, Refused> {
        let no_load = || Refused::Unsupported(format!("{} does loads only", self.entry.id));
        let site = Site::of(task.load.ok_or_else(no_load)?);
        if !self.running.contains_key(&site) {
            let program = self.program(setup)?.clone();
            let running = Running::start(&program, &site, &mut setup.ground()?)?;
            self.running.insert(site.clone(), running);
        }
        let listening = Listening { port: self.running[&site].port(), target: None };
        Ok(Prepared { listening: Some(listening), proof: None })
    }

    fn read(&mut self, task: Task<'_>, requests: u64, _part: u64) -> Result<Reading, Refused> {
        let gone = || Refused::failed(Stage::Run, "the server of this case does not run any more");
        self.running(task).ok_or_else(gone)?.read(requests)
    }

    fn processes(&mut self, task: Task<'_>) -> Vec<u32> {
        let is_on_one_core = task.load.is_some_and(|load| load.tuning.pinned && load.tuning.workers == 1);
        self.running(task).filter(|_| is_on_one_core).map(|running| running.processes()).unwrap_or_default()
    }

    fn settle(&mut self, task: Task<'_>) -> Result<(), Refused> {
        self.running(task).map_or(Ok(()), Running::settle)
    }

    fn lag(&mut self, task: Task<'_>) -> u64 {
        let lags = self.running(task).is_some_and(|running| running.lags());
        let stays = task.load.filter(|load| lags && load.requests_per_connection != 1);
        stays.map_or(0, |load| load.connections.into())
    }

    fn window(&self) -> Option<Nanos> {
        Some(REAL_WINDOW)
    }

    fn explain(&mut self, task: Task<'_>, mut failure: Failure) -> Failure {
        let id = self.entry.id.clone();
        let Some(running) = self.running(task) else { return failure };
        if running.is_lost_under_client() {
            failure.message =
                format!("a process of the server ended under load; the client saw: {}", failure.message);
            failure.lost = true;
        }
        let output = running.output();
        if !output.is_empty() && !failure.stderr.contains(&output) {
            failure.stderr = format!("{}\n{id}: {output}", failure.stderr).trim().to_owned();
        }
        failure
    }

    /// What it has written down itself is not in doubt, so a new process may do.
    fn loss(&mut self, task: Task<'_>) -> Option<Loss> {
        self.running(task)?.is_lost().then_some(Loss::Ended)
    }

    fn abandon(&mut self, task: Task<'_>) {
        task.load.and_then(|load| self.running.remove(&Site::of(load)));
    }

    fn end(&mut self) -> bool {
        self.running.drain().count() > 0
    }
}
