//! A server that runs for one site, and its account.

use std::io;
use std::time::Duration;

use tlstax_measure::cgroup::Group;
use tlstax_measure::daemon::Daemon;
use tlstax_measure::folder::Folder;
use tlstax_measure::{accounting, listening, signal};
use tlstax_spec::wire::Usage;
use tlstax_spec::{Cpu, Nanos, Stage};

use super::access_log::AccessLog;
use super::application;
use super::place::{OUTPUT, text_of};
use super::run_folder::ServerFolders;
use super::server::{Place, Server, Site};
use crate::refused::Refused;

const STEP: Duration = Duration::from_millis(2);

/// How long a killed process may take from closing its connections to its end.
const END_STEPS: u32 = 100;

/// How long it may take to write down why it was lost; many never do.
const WORDS_STEPS: u32 = 500;

/// How long it may take to write out what it holds back.
const URGE_STEPS: u32 = 500;

/// A server's own log of what went wrong, if it keeps one.
const ERROR_LOG: &str = "error.log";

/// The bytes that are quoted of the output of a server.
const TAIL: usize = 2000;

/// A running server. Dropping it ends it.
#[derive(Debug)]
pub struct Running {
    pub(super) server: &'static Server,
    pub(super) daemon: Daemon,
    /// The FastCGI program behind it.
    pub(super) application: Option<Daemon>,
    pub(super) group: Option<Group>,
    pub(super) place: Place,
    pub(super) folders: ServerFolders,
    pub(super) site: Site,
    pub(super) log: AccessLog,
    /// Its processes when it was ready, and then those whose CPU time was read last: none of them should end.
    pub(super) family: Vec<u32>,
    /// Whether its account can be relied upon no more.
    pub(super) is_lost: bool,
}

/// Both accounts of a server's CPU time and what it has counted, since it was started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reading {
    /// The scheduler's account of its processes, and the access log's of what they did.
    pub usage: Usage,
    /// The control group's account of the same; none where there are no control groups.
    pub grouped: Option<Nanos>,
}

impl Running {
    /// The port on 127.0.0.1 that it listens on.
    pub fn port(&self) -> u16 {
        self.place.port
    }

    /// Whether its account is always a request behind on each connection.
    pub fn lags(&self) -> bool {
        (self.server.lags)(&self.site)
    }

    /// Whether it has ended, or one of its processes, or its account could not be read.
    pub fn is_lost(&mut self) -> bool {
        self.is_lost
            || self.daemon.ended().is_some()
            || self.application.as_mut().is_some_and(|one| one.ended().is_some())
            || self.gone().is_some()
    }

    /// The same, when a client has failed: the connections of a process that is killed are closed before it has ended.
    pub fn is_lost_under_client(&mut self) -> bool {
        wait_for(END_STEPS, || self.is_lost().then_some(())).is_some()
    }

    /// A process of its own that is not there any more.
    fn gone(&self) -> Option<u32> {
        let family = self.processes();
        self.family.iter().copied().find(|pid| !family.contains(pid) || !accounting::is_alive(*pid))
    }

    /// Waits until it has written down all that it has served so far.
    ///
    /// # Errors
    /// Its account cannot be read.
    pub fn settle(&mut self) -> Result<(), Refused> {
        let urge = || write_out(self.server, &self.daemon, &self.folders, self.site.tuning.workers);
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
        // Of one that has ended, nothing more is to be waited for.
        self.check_it_runs()?;
        let urge = || write_out(self.server, &self.daemon, &self.folders, self.site.tuning.workers);
        let read = self.log.read_until(requests, urge);
        self.check_it_runs()?;
        read.map_err(|error| self.lost(Stage::Run, &unreadable(&error)))?;
        self.log.forget_closed(|| listening::clients(self.place.port));
        if let Some(status) = self.log.take_refused() {
            // The server itself is well.
            let answered = format!("the server answered with status {status}");
            return Err(Refused::failed(Stage::Run, answered).with_output(self.output()));
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

    fn check_it_runs(&mut self) -> Result<(), Refused> {
        match self.daemon.ended() {
            Some(status) => Err(self.lost(Stage::Run, &format!("the server ended under load ({status})"))),
            None => Ok(()),
        }
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
            self.wait_for_its_end()?;
            let problem = format!("process {gone} of the server ended under load, and its CPU time is lost");
            return Err(self.lost(Stage::Run, &problem));
        }
        let family = self.processes();
        let cpu = accounting::together(&family).map_err(|error| self.lost(Stage::Run, &error.to_string()))?;
        self.family = family;
        Ok(cpu)
    }

    /// A killed process is dead before its last thread is, and only then does the system say how its first one has ended.
    /// When all are killed together, any of them may be the first to be gone.
    fn wait_for_its_end(&mut self) -> Result<(), Refused> {
        wait_for(END_STEPS, || self.check_it_runs().err()).map_or(Ok(()), Err)
    }

    /// A failure after which its account is not relied upon, with the end of its output.
    fn lost(&mut self, stage: Stage, message: &str) -> Refused {
        self.is_lost = true;
        // A process that has lost another one writes that down a moment later.
        let output = wait_for(WORDS_STEPS, || Some(self.output()).filter(|said| !said.is_empty()));
        Refused::lost(stage, message).with_output(output.unwrap_or_default())
    }

    /// The end of what it and the program behind it wrote to their output.
    pub fn output(&self) -> String {
        let ServerFolders { files, own } = &self.folders;
        let all = [(files, application::OUTPUT), (files, OUTPUT), (own, ERROR_LOG)];
        let all = all.map(|(folder, name)| self.tail(folder, name));
        all.into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n")
    }

    /// The end of a file of its folder, without the account that may be in it.
    fn tail(&self, folder: &Folder, name: &str) -> String {
        let mut text = text_of(folder, name);
        if name == OUTPUT && self.server.logs_to_output {
            text = text.lines().filter(|line| !(self.server.is_hit)(line)).collect::<Vec<_>>().join("\n");
        }
        let from = text.len().saturating_sub(TAIL);
        // Not in the middle of a character.
        let from = (from..text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(from);
        text[from..].trim().to_owned()
    }
}

/// Makes a server write out what it has served, and waits until it has.
fn write_out(server: &Server, daemon: &Daemon, folders: &ServerFolders, workers: u16) {
    let Some(words) = server.written_out else { return };
    let count = || text_of(&folders.files, OUTPUT).lines().filter(|line| line.contains(words)).count();
    let before = count();
    daemon.hang_up();
    let is_written = || count() >= before + usize::from(workers) || signal::interrupted();
    wait_for(URGE_STEPS, || is_written().then_some(()));
}

/// Looks so often at most, until there is something; none where there never was.
fn wait_for<T>(steps: u32, mut look: impl FnMut() -> Option<T>) -> Option<T> {
    (0..steps).find_map(|step| {
        std::thread::sleep(if step == 0 { Duration::ZERO } else { STEP });
        look()
    })
}

fn unreadable(error: &io::Error) -> String {
    format!("the server's account cannot be read: {error}")
}
