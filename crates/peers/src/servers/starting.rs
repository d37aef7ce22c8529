//! Starting a server for one site: on a free port, until it accepts connections and all its processes are there.

use std::io;
use std::net::{Ipv4Addr, SocketAddrV4, TcpListener, TcpStream};
use std::time::Duration;

use tlstax_measure::cgroup::Group;
use tlstax_measure::daemon::Start;
use tlstax_measure::{listening, objects, signal};
use tlstax_spec::{Page, Stage};

use super::application;
use super::place::{Ground, OUTPUT, check_path, place};
use super::program::Program;
use super::running::Running;
use super::server::{Server, Site};
use super::tls_library;
use crate::refused::{Failure, Refused};

/// Another process may take the port between our choice and the server's start.
const ATTEMPTS: u32 = 5;

/// How long a server may take until it accepts connections.
const START_STEPS: u32 = 2500;
const STEP: Duration = Duration::from_millis(2);

/// What strerror(3) has for EADDRINUSE, in lower case as some servers have it, and our own words for it.
const IN_USE: &str = "address already in use";
const TAKEN: &str = "taken";

impl Running {
    /// Starts a server and waits until it accepts connections.
    ///
    /// # Errors
    /// It cannot be what the site wants, or does not start; with its output.
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
        if let Some(reason) = (program.server.lacks)(site) {
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
        let rendered = (server.render)(site, &place);
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
        let mut running = Self {
            server,
            daemon,
            application,
            group,
            place,
            folders,
            site: site.clone(),
            log,
            family: Vec::new(),
            is_lost: false,
        };
        running.wait()?;
        if site.params.is_some() {
            running.check_its_library(program)?;
        }
        Ok(running)
    }

    /// Waits until it listens and all its processes are there: servers listen before they start their workers, and one that is not
    /// known would not be missed.
    fn wait(&mut self) -> Result<(), Refused> {
        let address = SocketAddrV4::new(Ipv4Addr::LOCALHOST, self.place.port);
        let (processes, mut listens) = ((self.server.processes)(&self.site), false);
        for _ in 0..START_STEPS {
            if let Some(status) = self.daemon.ended() {
                return Err(self.refused(&format!("the server ended when it was started ({status})")));
            }
            if !listens && (self.server.is_ready)(&self.place) && TcpStream::connect(address).is_ok() {
                self.check_it_is_ours()?;
                listens = true;
            }
            if listens && self.daemon.family().len() >= processes {
                self.family = self.processes();
                return Ok(());
            }
            if signal::interrupted() {
                return Err(Refused::Interrupted);
            }
            std::thread::sleep(STEP);
        }
        Err(self.unstarted(match listens {
            true => "the server listens, and has not started all its processes within 5 s",
            false => "the server did not listen within 5 s",
        }))
    }

    /// A server that has ended by itself: what its TLS library lacks is no fault of anybody.
    fn refused(&self, message: &str) -> Refused {
        match self.server.refusal(&self.output()) {
            Some(sentence) => Refused::Unsupported(sentence),
            None => self.unstarted(message),
        }
    }

    /// A failure to start. The next site may be another matter: it is no reason to give up on the server.
    fn unstarted(&self, message: &str) -> Refused {
        let output = self.output();
        // Servers print last why they end.
        let message = match output.lines().next_back() {
            Some(last) => format!("{message}; it said: {last}"),
            None => message.to_owned(),
        };
        Refused::failed(Stage::Start, message).with_output(output)
    }

    /// The TLS library that it has mapped must be the one that its version speaks of.
    fn check_its_library(&self, program: &Program) -> Result<(), Refused> {
        // A process that we may not look at is no evidence against it.
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
}

/// A port that nobody has at this moment.
fn free_port() -> io::Result<u16> {
    Ok(TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port())
}

fn cannot(what: &str, server: &Server, error: &io::Error) -> Refused {
    Refused::failed(Stage::Start, format!("cannot {what} for {}: {error}", server.id()))
}

fn says_port_is_taken(failure: &Failure) -> bool {
    failure.message.contains(TAKEN) || failure.stderr.to_ascii_lowercase().contains(IN_USE)
}
