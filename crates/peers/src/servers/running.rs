//! A server that runs for one site, and its account.

use std::io;
use std::net::{Ipv4Addr, SocketAddrV4, TcpListener, TcpStream};
use std::path::Path;
use std::time::Duration;

use tlstax_measure::cgroup::Group;
use tlstax_measure::daemon::{Daemon, Start};
use tlstax_measure::folder::Folder;
use tlstax_measure::{accounting, listening, objects, signal};
use tlstax_spec::wire::Usage;
use tlstax_spec::{Cpu, Nanos, Page, Stage};

use super::access_log::AccessLog;
use super::application;
use super::place::{OUTPUT, check_path, place, text_of};
use super::program::Program;
use super::run_folder::{RunFolder, ServerFolders};
use super::server::{Place, Server, Site};
use super::tls_library;
use crate::refused::{Failure, Refused};

/// Another process may take the port between our choice and the server's start.
const ATTEMPTS: u32 = 5;

/// How long a server may take until it accepts connections.
const START_STEPS: u32 = 2500;
const STEP: Duration = Duration::from_millis(2);

/// How long it may take to write out what it holds back.
const URGE_STEPS: u32 = 500;

/// How our own words for it begin.
const TAKEN: &str = "taken";

/// A server's own log of what went wrong, if it keeps one.
const ERROR_LOG: &str = "error.log";

/// What is quoted of what a server said.
const TAIL: usize = 2000;

/// A running server. Dropping it ends it.
#[derive(Debug)]
pub struct Running {
    server: &'static dyn Server,
    daemon: Daemon,
    /// The FastCGI program behind it.
    application: Option<Daemon>,
    group: Option<Group>,
    place: Place,
    folders: ServerFolders,
    workers: u16,
    log: AccessLog,
    /// The processes whose CPU time was read last.
    family: Vec<u32>,
    /// See [`Server::lags`].
    lags: bool,
}

/// Both accounts of a server's CPU time and what it has counted, since it was started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reading {
    /// The scheduler's account of its processes, and the access log's of what they did.
    pub usage: Usage,
    /// The control group's account of the same; none where there are no control groups.
    pub grouped: Option<Nanos>,
}

/// Where and how servers are run.
#[derive(Debug)]
pub struct Ground<'a> {
    /// The folder of the test certificates and keys.
    pub pki: &'a Path,
    /// The folder of the run.
    pub folder: &'a mut RunFolder,
    /// The cores of a server with one worker.
    pub cpus: Vec<usize>,
    /// All cores.
    pub all: Vec<usize>,
}

impl Running {
    /// Starts a server and waits until it accepts connections.
    ///
    /// # Errors
    /// It cannot be what the site wants, or does not start; with what it said.
    pub fn start(program: &Program, site: &Site, ground: &mut Ground<'_>) -> Result<Self, Refused> {
        Self::start_on(program, site, ground, free_port)
    }

    /// The same on the ports that are offered, one after the other while they turn out to be taken.
    pub(super) fn start_on(
        program: &Program,
        site: &Site,
        ground: &mut Ground<'_>,
        mut port: impl FnMut() -> io::Result<u16>,
    ) -> Result<Self, Refused> {
        if let Some(reason) = program.server.lacks(site) {
            return Err(Refused::Unsupported(reason));
        }
        let mut last = Refused::failed(Stage::Start, "no port is free on 127.0.0.1");
        for _ in 0..ATTEMPTS {
            let port = port().map_err(|error| cannot("find a port", program.server, &error))?;
            match Self::attempt(program, site, ground, port) {
                Err(Refused::Failed(failure)) if says_port_is_taken(&failure) => {
                    last = Refused::Failed(failure)
                }
                done => return done,
            }
        }
        Err(last)
    }

    fn attempt(program: &Program, site: &Site, ground: &mut Ground<'_>, port: u16) -> Result<Self, Refused> {
        let server = program.server;
        let (place, folders) =
            place(server, site, ground, port).map_err(|error| cannot("write its files", server, &error))?;
        check_path(server, &place)?;
        let rendered = server.render(site, &place);
        for (name, contents) in &rendered.files {
            let saved = folders.files.write(name, [contents.as_bytes()]);
            saved.map_err(|error| cannot("write its configuration", server, &error))?;
        }
        let alone = site.tuning.pinned && site.tuning.workers == 1;
        let group = Group::create().ok();
        let start = Start {
            program: program.path.clone(),
            arguments: rendered.arguments.into_iter().map(Into::into).collect(),
            environment: rendered
                .environment
                .into_iter()
                .map(|(name, value)| (name.into(), value.into()))
                .chain(program.environment())
                .collect(),
            folder: place.folder.clone(),
            cpus: if alone { ground.cpus.clone() } else { ground.all.clone() },
            user: ground.folder.user(),
            group: group.as_ref().map(|group| group.path().to_owned()),
        };
        let application = match site.page {
            Page::FastCgi => Some(application::start(&start, site, &place, &folders.files)?),
            Page::Static => None,
        };
        let files = folders.log(server).and_then(|log| Ok((log, folders.files.create(OUTPUT)?)));
        let (log, output) = files.map_err(|error| cannot("write its files", server, &error))?;
        let daemon =
            start.spawn(&output).map_err(|error| Refused::failed(Stage::Start, error.to_string()))?;
        let (workers, family) = (site.tuning.workers, Vec::new());
        let lags = server.lags(site);
        let mut running =
            Self { server, daemon, application, group, place, folders, workers, log, family, lags };
        running.wait()?;
        if site.params.is_some() {
            running.check_its_library(program)?;
        }
        Ok(running)
    }

    fn wait(&mut self) -> Result<(), Refused> {
        let address = SocketAddrV4::new(Ipv4Addr::LOCALHOST, self.place.port);
        for _ in 0..START_STEPS {
            if let Some(status) = self.daemon.ended() {
                return Err(self.refused(&format!("the server ended when it was started ({status})")));
            }
            if self.server.is_ready(&self.place) && TcpStream::connect(address).is_ok() {
                return self.check_it_is_ours();
            }
            if signal::interrupted() {
                return Err(Refused::Interrupted);
            }
            std::thread::sleep(STEP);
        }
        Err(self.unstarted("the server did not listen within 5 s"))
    }

    /// A server that has ended by itself: what its TLS library lacks is no fault of anybody.
    fn refused(&self, message: &str) -> Refused {
        match self.server.refusal(&self.said()) {
            Some(sentence) => Refused::Unsupported(sentence),
            None => self.unstarted(message),
        }
    }

    /// A failure to start. The next site may be another matter: it is no reason to give up on the server.
    fn unstarted(&self, message: &str) -> Refused {
        let said = self.said();
        // Servers say last why they end.
        let message = match said.lines().next_back() {
            Some(last) => format!("{message}; it said: {last}"),
            None => message.to_owned(),
        };
        Refused::Failed(Failure { stage: Stage::Start, message, stderr: said, lost: false })
    }

    /// The TLS library that it has mapped must be the one that its version speaks of.
    fn check_its_library(&self, program: &Program) -> Result<(), Refused> {
        // A process that we may not look at tells nothing against it.
        let Ok(mapped) = objects::loaded(self.daemon.pid()) else { return Ok(()) };
        let mapped: Vec<_> = mapped.into_iter().map(|one| one.path).collect();
        match tls_library::stranger(&mapped, &program.objects) {
            None => Ok(()),
            Some(other) => {
                let other = other.display();
                Err(self.unstarted(&format!("the server has loaded {other}, which it is not linked to")))
            }
        }
    }

    /// Whoever has taken the port answers, too.
    fn check_it_is_ours(&self) -> Result<(), Refused> {
        let address = (Ipv4Addr::LOCALHOST, self.place.port).into();
        match listening::Listeners::at(address).are_held_by(&self.daemon.family()) {
            Some(false) => {
                let problem = format!("port {} of 127.0.0.1 is {TAKEN} by another program", self.place.port);
                Err(self.unstarted(&problem))
            }
            Some(true) | None => Ok(()),
        }
    }

    /// The port on 127.0.0.1 that it listens on.
    pub fn port(&self) -> u16 {
        self.place.port
    }

    /// Whether its account is always a request behind on each connection.
    pub fn lags(&self) -> bool {
        self.lags
    }

    /// Whether it has ended, or a process that its account was read of, which none of them should.
    pub fn is_lost(&mut self) -> bool {
        self.daemon.ended().is_some()
            || self.application.as_mut().is_some_and(|one| one.ended().is_some())
            || self.gone().is_some()
    }

    /// A process that its account was read of, and that is not there any more.
    fn gone(&self) -> Option<u32> {
        let family = self.processes();
        self.family.iter().copied().find(|pid| !family.contains(pid))
    }

    /// Waits until it has written down all that it has served so far.
    ///
    /// # Errors
    /// Its account cannot be read.
    pub fn settle(&mut self) -> Result<(), Refused> {
        let urge = || write_out(self.server, &self.daemon, &self.folders, self.workers);
        let settled = self.log.settle(urge);
        settled.map_err(|error| self.lost(Stage::Prepare, &unreadable(&error)))?;
        self.log.forget_closed(|| listening::clients(self.place.port));
        if signal::interrupted() { Err(Refused::Interrupted) } else { Ok(()) }
    }

    /// Reads its accounts, when it has written down so many requests since it was started.
    ///
    /// # Errors
    /// The server has ended, or its account cannot be read.
    pub fn read(&mut self, requests: u64) -> Result<Reading, Refused> {
        let urge = || write_out(self.server, &self.daemon, &self.folders, self.workers);
        let read = self.log.read_until(requests, urge);
        if let Some(status) = self.daemon.ended() {
            return Err(self.lost(Stage::Run, &format!("the server ended under load ({status})")));
        }
        read.map_err(|error| self.lost(Stage::Run, &unreadable(&error)))?;
        self.log.forget_closed(|| listening::clients(self.place.port));
        if let Some(status) = self.log.take_refused() {
            // The server itself is well.
            let answered = self.lost(Stage::Run, &format!("the server answered with status {status}"));
            return Err(answered.of_the_living());
        }
        if signal::interrupted() && self.log.counted().requests < requests {
            return Err(Refused::Interrupted);
        }
        let cpu = self.scheduled()?;
        let usage = Usage {
            cpu_ns: cpu.total,
            user_ns: cpu.user.unwrap_or_default(),
            system_ns: cpu.system.unwrap_or_default(),
            ..self.log.counted().clone()
        };
        let grouped = self.group.as_ref().and_then(|group| group.usage().ok()).map(|cpu| cpu.total);
        Ok(Reading { usage, grouped })
    }

    /// Its processes, and those of the program behind it.
    pub fn processes(&self) -> Vec<u32> {
        let mut family = self.daemon.family();
        family.extend(self.application.iter().flat_map(Daemon::family));
        family
    }

    /// CPU time of all its processes. That of one which has ended is not in it any more.
    fn scheduled(&mut self) -> Result<Cpu, Refused> {
        if let Some(gone) = self.gone() {
            let problem = format!("process {gone} of the server ended under load, and its CPU time is lost");
            return Err(self.lost(Stage::Run, &problem));
        }
        let family = self.processes();
        let cpu = accounting::together(&family).map_err(|error| self.lost(Stage::Run, &error.to_string()))?;
        self.family = family;
        Ok(cpu)
    }

    /// A failure with the end of what the server said.
    pub fn lost(&self, stage: Stage, message: &str) -> Refused {
        Refused::Failed(Failure { stage, message: message.to_owned(), stderr: self.said(), lost: true })
    }

    /// The end of what it and the program behind it wrote to their output.
    pub fn said(&self) -> String {
        let ServerFolders { files, own } = &self.folders;
        let all = [(files, application::OUTPUT), (files, OUTPUT), (own, ERROR_LOG)];
        let all = all.map(|(folder, name)| self.tail(folder, name));
        all.into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n")
    }

    /// The end of a file of its folder, without the account that may be in it.
    fn tail(&self, folder: &Folder, name: &str) -> String {
        let mut text = text_of(folder, name);
        if name == OUTPUT && self.server.logs_to_output() {
            text = text.lines().filter(|line| !self.server.is_hit(line)).collect::<Vec<_>>().join("\n");
        }
        let from = text.len().saturating_sub(TAIL);
        // Not in the middle of a character.
        let from = (from..text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(from);
        text[from..].trim().to_owned()
    }
}

/// Makes a server write out what it has served, and waits until it has.
fn write_out(server: &dyn Server, daemon: &Daemon, folders: &ServerFolders, workers: u16) {
    let Some(words) = server.written_out() else { return };
    let told = || text_of(&folders.files, OUTPUT).lines().filter(|line| line.contains(words)).count();
    let before = told();
    daemon.hang_up();
    for _ in 0..URGE_STEPS {
        if told() >= before + usize::from(workers) || signal::interrupted() {
            break;
        }
        std::thread::sleep(STEP);
    }
}

/// A port that nobody has at this moment.
fn free_port() -> io::Result<u16> {
    Ok(TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port())
}

fn cannot(what: &str, server: &dyn Server, error: &io::Error) -> Refused {
    Refused::failed(Stage::Start, format!("cannot {what} for {}: {error}", server.id()))
}

fn unreadable(error: &io::Error) -> String {
    format!("the server's account cannot be read: {error}")
}

fn says_port_is_taken(failure: &Failure) -> bool {
    let theirs = ["Address already in use", "address already in use", "could not bind"];
    failure.message.contains(TAKEN) || theirs.iter().any(|text| failure.stderr.contains(text))
}
