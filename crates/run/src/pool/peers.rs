//! The servers and clients of a run that are no workers of ours.

use std::collections::HashMap;

use tlstax_doc::Library;
use tlstax_libraries::Home;
use tlstax_libraries::library;
use tlstax_libraries::{Base, Entry, Peer};
use tlstax_measure::cgroup::Group;
use tlstax_measure::objects::linked_code;
use tlstax_peers::Refused;
use tlstax_peers::clients::Seat;
use tlstax_peers::clients::{self, Client};
use tlstax_peers::servers::{self, External, Ground, RunFolder, Running, Site};
use tlstax_spec::wire::Hello;
use tlstax_spec::{Id, Load, Stage};

/// What is there, and what runs.
#[derive(Debug, Default)]
pub(super) struct Peers {
    servers: HashMap<Id, servers::Program>,
    clients: HashMap<&'static str, clients::Program>,
    running: HashMap<(Id, Site), Running>,
    /// The second account of clients that are programs.
    group: Option<Group>,
    /// The last that goes: a server that still runs would write into it while it is removed.
    folder: Option<RunFolder>,
}

/// Cores, and where the project's files are.
#[derive(Debug, Clone)]
pub(super) struct Grounds<'a> {
    pub(super) home: &'a Home,
    pub(super) server: Vec<usize>,
    pub(super) client: Vec<usize>,
    pub(super) all: Vec<usize>,
}

impl Peers {
    /// A server or client program as it is here: version, and what the kernel loads for it.
    pub(super) fn probe(&mut self, entry: &Entry) -> Library {
        let (objects, version, family) = match entry.peer() {
            Some(Peer::Server(_)) => match self.server_program(entry) {
                Ok(program) => (Ok(program.objects.clone()), program.version.clone(), "server"),
                Err(refused) => return library::missing(entry, &refused),
            },
            Some(Peer::Client(client)) => match self.client_program(*client) {
                Ok(program) => (linked_code(&program.path, &[]), program.version.clone(), "client"),
                Err(refused) => return library::missing(entry, &refused),
            },
            Some(Peer::External(external)) => return library::external(entry, external.owner()),
            None => unreachable!("only peers are asked for here"),
        };
        let hello = Hello { family: family.to_owned(), version, ..Hello::default() };
        library::program(entry, hello, objects)
    }

    fn server_program(&mut self, entry: &Entry) -> Result<&servers::Program, Refused> {
        if !self.servers.contains_key(&entry.id) {
            let Some(Peer::Server(server)) = entry.peer() else {
                unreachable!("only servers are asked for here")
            };
            let cannot = |reason: String| Refused::failed(Stage::Start, reason);
            let mut found = servers::Program::find(*server).map_err(cannot)?;
            if let Some(Base::Relinked { library, prefix, .. }) = &entry.base {
                let missing = || {
                    Refused::failed(
                        Stage::Start,
                        format!("{library} is not built: tlstax libraries build {library}"),
                    )
                };
                let prefix = prefix.as_ref().ok_or_else(missing)?;
                let place = folder(&mut self.folder)?.folder().subfolder(library);
                let place =
                    place.map_err(|error| cannot(format!("cannot make a folder for {library}: {error}")))?;
                let libraries = servers::relink(prefix, &place).map_err(cannot)?;
                found = found.relinked(libraries).map_err(cannot)?;
            }
            self.servers.insert(entry.id.clone(), found);
        }
        Ok(&self.servers[&entry.id])
    }

    /// A client program that is there.
    pub(super) fn client_program(
        &mut self,
        client: &'static dyn Client,
    ) -> Result<&clients::Program, Refused> {
        if !self.clients.contains_key(client.id()) {
            let found =
                clients::Program::find(client).map_err(|reason| Refused::failed(Stage::Start, reason))?;
            self.clients.insert(client.id(), found);
        }
        Ok(&self.clients[client.id()])
    }

    /// The server of a load, started if it does not run yet.
    pub(super) fn server(
        &mut self,
        entry: &Entry,
        load: &Load,
        grounds: &Grounds<'_>,
    ) -> Result<&mut Running, Refused> {
        let key = (entry.id.clone(), Site::of(load));
        if !self.running.contains_key(&key) {
            let program = self.server_program(entry)?.clone();
            let mut ground = Ground {
                pki: &grounds.home.pki(),
                folder: folder(&mut self.folder)?,
                cpus: grounds.server.clone(),
                all: grounds.all.clone(),
            };
            let running = Running::start(&program, &key.1, &mut ground)?;
            self.running.insert(key.clone(), running);
        }
        self.running.get_mut(&key).ok_or_else(|| unreachable!("it was started above"))
    }

    /// The server of a load, if it runs.
    pub(super) fn running(&mut self, server: &Id, load: &Load) -> Option<&mut Running> {
        self.running.get_mut(&(server.clone(), Site::of(load)))
    }

    /// Ends the server of a load.
    pub(super) fn forget(&mut self, server: &Id, load: &Load) {
        self.running.remove(&(server.clone(), Site::of(load)));
    }

    /// Ends all servers; the ids of those that ran.
    pub(super) fn end(&mut self) -> Vec<Id> {
        self.running.drain().map(|((server, _), _)| server).collect()
    }

    /// Where client programs run, and a file of so many bytes for them to upload.
    pub(super) fn seat(&mut self, grounds: &Grounds<'_>) -> Seat {
        if self.group.is_none() {
            self.group = Group::create().ok();
        }
        let group = self.group.as_ref().map(|group| group.path().to_owned());
        Seat { cpus: grounds.client.clone(), group }
    }

    /// The control group of client programs.
    pub(super) fn group(&self) -> Option<&Group> {
        self.group.as_ref()
    }

    /// A file of so many bytes.
    pub(super) fn file(&mut self, bytes: u32) -> Result<std::path::PathBuf, Refused> {
        let root = folder(&mut self.folder)?.root(bytes);
        let root =
            root.map_err(|error| Refused::failed(Stage::Prepare, format!("cannot write a file: {error}")))?;
        Ok(root.join(servers::PAGE))
    }
}

fn folder(folder: &mut Option<RunFolder>) -> Result<&mut RunFolder, Refused> {
    if folder.is_none() {
        let made = RunFolder::create().map_err(|error| {
            let parent = std::env::temp_dir();
            let problem = format!("cannot make a folder for servers in {}: {error}", parent.display());
            Refused::failed(
                Stage::Start,
                problem + "; set TMPDIR to one with room that only you or root can change",
            )
        })?;
        *folder = Some(made);
    }
    folder.as_mut().ok_or_else(|| unreachable!("it was made above"))
}

/// The external server of an entry.
pub(super) fn external(entry: &Entry) -> Option<&External> {
    match entry.peer() {
        Some(Peer::External(external)) => Some(external.as_ref()),
        _ => None,
    }
}
