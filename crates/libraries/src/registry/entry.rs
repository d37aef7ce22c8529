//! One library build, as a block of the registry says it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use tlstax_doc::{Library, LibraryKind};
use tlstax_names::lookup;
use tlstax_peers::clients::{CLIENTS, Client};
use tlstax_peers::servers::{External, SERVERS, Server};
use tlstax_spec::{Id, InvalidId, Switch};

use super::ids::{LIBRARY_MARK, WITHOUT, reserved, variant};
use super::packages;
use super::source::Source;
use crate::Home;

/// Where built workers are, within the project's folder.
const PROGRAMS: &str = "target/workers/bin";

/// The variable that tells the dynamic linker where to look first.
pub const SEARCH_VARIABLE: &str = "LD_LIBRARY_PATH";

/// The variable that tells a worker what to do without.
const WITHOUT_VARIABLE: &str = "TLSTAX_WITHOUT";

/// One library build.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// What studies, flags and results call it.
    pub id: Id,
    /// One line for people.
    pub about: String,
    /// Measured when nobody names a library.
    #[serde(default)]
    pub default: bool,
    /// The row that shows the harness's own cost: added to every study with connections, never chosen.
    #[serde(default)]
    pub control: bool,
    /// No library, but a client of loads: built with the default libraries, and never chosen to be measured.
    #[serde(default)]
    pub client: bool,
    /// How readily it is built.
    #[serde(default)]
    pub group: Group,
    /// The licence of the library, as an SPDX expression.
    #[serde(default)]
    pub licence: Option<String>,
    /// Debian packages that the build cannot do without.
    #[serde(default)]
    pub needs: Vec<String>,

    /// Where the library comes from; absent where the worker's own build brings it.
    #[serde(default)]
    pub source: Option<Source>,
    /// How a library is built from its source.
    #[serde(default)]
    pub recipe: Option<Recipe>,
    /// The folder of the library's sources within the source.
    #[serde(default)]
    pub subdir: Option<String>,
    /// Options of its configuration.
    #[serde(default)]
    pub options: Vec<String>,
    /// With the recipe `cmake`: only these targets are built, and headers and archives are taken from where they are.
    #[serde(default)]
    pub targets: Vec<String>,
    /// The id of a library that this one is built upon.
    #[serde(default)]
    pub uses: Option<Id>,

    /// The worker that serves the library.
    #[serde(default)]
    pub worker: Option<Worker>,
    /// Worker native: the backend.
    #[serde(default)]
    pub backend: Option<String>,
    /// Worker native: pkg-config modules of a library of the system.
    #[serde(default)]
    pub modules: Vec<String>,
    /// Worker native: static archives of a library that was built, in the order in which they need each other.
    #[serde(default)]
    pub archives: Vec<String>,
    /// Worker native: what else has to be linked.
    #[serde(default)]
    pub link: Vec<String>,
    /// Worker native: preprocessor definitions.
    #[serde(default)]
    pub defines: Vec<String>,
    /// Worker rustls: the features in place of the default ones.
    #[serde(default)]
    pub features: Vec<String>,
    /// The command that builds a worker of the user's own, run in the project's folder.
    #[serde(default)]
    pub build: Vec<String>,
    /// The file that this command makes, to be copied to the program's place.
    #[serde(default)]
    pub built: Option<String>,

    /// The worker and its arguments, where it is not the one that was built; a relative path starts at the project's
    /// folder.
    #[serde(default)]
    pub program: Vec<String>,
    /// Arguments of the worker that was built.
    #[serde(default)]
    pub arguments: Vec<String>,
    /// Environment of the worker.
    #[serde(default)]
    pub env: BTreeMap<String, String>,
    /// What the library is to do without; never in a file, but in the id that was asked for.
    #[serde(skip)]
    pub without: Vec<Switch>,
    /// A program that people run, in place of a library in a worker; never in a file.
    #[serde(skip)]
    pub peer: Option<Peer>,
    /// Where the library is installed that a server loads in place of the system's; never in a file.
    #[serde(skip)]
    pub prefix: Option<PathBuf>,
}

/// A real server or client.
#[derive(Debug, Clone)]
pub enum Peer {
    /// One that tlstax starts for a case.
    Server(&'static dyn Server),
    /// One that the user runs already.
    External(Arc<External>),
    /// A client.
    Client(&'static dyn Client),
}

/// How readily a library is built.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Group {
    /// There already, or brought by the worker's own build: seconds.
    Fast,
    /// Built from source by `libraries build standard`.
    Standard,
    /// Built from source when it is named, or with all.
    #[default]
    OptIn,
}

/// How a library is built from its source, and installed into a folder of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Recipe {
    /// OpenSSL's `config` and make.
    Openssl,
    /// CMake.
    Cmake,
    /// autoreconf, configure and make, in a copy of the sources.
    Autotools,
    /// Botan's `configure.py` and make, from the archive in the source.
    Botan,
    /// Nothing: the source is an installation.
    Prefix,
}

/// A kind of worker; the folder in `workers/` has its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Worker {
    /// Libraries written in C or C++, one backend each.
    Native,
    /// rustls, with one provider.
    Rustls,
    /// No library.
    Mock,
    /// The lean client of loads.
    Lean,
    /// Go's crypto/tls.
    Go,
    /// The JDK's JSSE.
    Java,
    /// Node.js.
    Node,
}

impl Worker {
    /// Its folder in `workers/`.
    pub const fn folder(self) -> &'static str {
        match self {
            Self::Native => "native",
            Self::Rustls => "rustls",
            Self::Mock => "mock",
            Self::Lean => "lean",
            Self::Go => "go",
            Self::Java => "java",
            Self::Node => "node",
        }
    }
}

impl Entry {
    /// An entry of which no more is known than what it is called.
    pub fn new(id: Id, about: impl Into<String>) -> Self {
        Self {
            id,
            about: about.into(),
            default: false,
            control: false,
            client: false,
            group: Group::default(),
            licence: None,
            needs: Vec::new(),
            source: None,
            recipe: None,
            subdir: None,
            options: Vec::new(),
            targets: Vec::new(),
            uses: None,
            worker: None,
            backend: None,
            modules: Vec::new(),
            archives: Vec::new(),
            link: Vec::new(),
            defines: Vec::new(),
            features: Vec::new(),
            build: Vec::new(),
            built: None,
            program: Vec::new(),
            arguments: Vec::new(),
            env: BTreeMap::new(),
            without: Vec::new(),
            peer: None,
            prefix: None,
        }
    }

    /// The servers and clients that tlstax knows, one entry each.
    pub(super) fn peers() -> Vec<Self> {
        let entry = |id, about, program: &str, peer| Self {
            program: vec![program.to_owned()],
            peer: Some(peer),
            ..Self::new(Id::literal(id), about)
        };
        let servers =
            SERVERS.iter().map(|one| entry(one.id(), one.about(), one.program(), Peer::Server(*one)));
        let clients =
            CLIENTS.iter().map(|one| entry(one.id(), one.about(), one.program(), Peer::Client(*one)));
        servers.chain(clients).collect()
    }

    /// This server with another TLS library, which is installed there if it is.
    pub(crate) fn with_library(&self, library: &Self, prefix: Option<PathBuf>) -> Result<Self, InvalidId> {
        Ok(Self {
            id: format!("{}{LIBRARY_MARK}{}", self.id, library.id).try_into()?,
            about: format!("{}, with {}", self.about, library.about),
            uses: Some(library.id.clone()),
            prefix,
            ..self.clone()
        })
    }

    /// A server that the user runs already.
    pub fn external(external: External) -> Self {
        let id = external.id();
        Self {
            program: vec!["-".to_owned()],
            peer: Some(Peer::External(Arc::new(external))),
            ..Self::new(id, "a server that runs already")
        }
    }

    /// Whether it can be measured in loads only.
    pub fn is_peer(&self) -> bool {
        self.peer.is_some()
    }

    /// What is wrong with the block, if anything.
    pub(super) fn problem(&self) -> Option<String> {
        if let Some(problem) = reserved(&self.id) {
            return Some(problem);
        }
        let problem = if self.worker.is_none() && self.program.is_empty() {
            "says neither which worker serves it nor which program is one"
        } else if self.worker == Some(Worker::Native) && self.backend.is_none() {
            "is served by the worker native and names no backend"
        } else if matches!(self.source, Some(Source::Crate { .. } | Source::Path(_))) && self.recipe.is_none()
        {
            "has a source and no recipe"
        } else {
            return None;
        };
        Some(problem.to_owned())
    }

    /// The library with something switched off, if the id asks for that of this entry.
    pub(crate) fn derived(&self, id: &Id) -> Option<Result<Self, String>> {
        let names = id.strip_prefix(self.id.as_str())?.strip_prefix(WITHOUT)?;
        let without: Result<Vec<Switch>, _> = names.split('-').map(switch).collect();
        Some(without.map(|without| {
            let list = without.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
            let mut env = self.env.clone();
            env.insert(WITHOUT_VARIABLE.to_owned(), list.clone());
            let about = format!("{}, without {}", self.about, list.replace(',', " and "));
            let program = self.command();
            Self { id: id.clone(), about, default: false, env, without, program, ..self.clone() }
        }))
    }

    /// The id of this library without something.
    ///
    /// # Errors
    /// There are so many of them that the id is too long.
    pub fn id_without(&self, switches: &[Switch]) -> Result<Id, InvalidId> {
        let names: Vec<_> = switches.iter().map(|switch| switch.name()).collect();
        format!("{}{WITHOUT}{}", self.id, names.join("-")).try_into()
    }

    /// The worker's program and its arguments.
    pub fn command(&self) -> Vec<String> {
        if !self.program.is_empty() {
            return self.program.clone();
        }
        let mut command = vec![format!("{PROGRAMS}/{}", self.id)];
        command.extend(self.arguments.iter().cloned());
        command
    }

    /// The worker's program as a path.
    pub fn program_path(&self, home: &Home) -> PathBuf {
        home.path().join(&self.command()[0])
    }

    /// The folders that the worker is told to load its library from, where that is not the one that it was built with.
    pub fn pointed_at(&self) -> Option<&str> {
        self.env.get(SEARCH_VARIABLE).map(String::as_str)
    }

    /// Whether it is a worker that tlstax built for another entry, pointed at a library of the user's.
    pub fn is_pointed_worker(&self) -> bool {
        self.pointed_at().is_some() && Path::new(&self.command()[0]).starts_with(PROGRAMS)
    }

    /// Whether tlstax builds the worker, so that it knows what it is.
    pub fn is_ours(&self) -> bool {
        self.worker.is_some() && (self.program.is_empty() || !self.without.is_empty())
    }

    /// What results state of it before it is asked.
    pub fn library(&self) -> Library {
        let kind = match &self.peer {
            Some(Peer::Server(_) | Peer::External(_)) => LibraryKind::Server,
            Some(Peer::Client(_)) => LibraryKind::Client,
            None if self.control => LibraryKind::Control,
            None if self.client => LibraryKind::Client,
            None => LibraryKind::Library,
        };
        let (base, without) = variant(&self.id).unzip();
        let uses = self.uses.clone().filter(|_| self.is_peer());
        Library { kind, base, without: without.unwrap_or_default(), uses, ..Library::new(self.id.clone()) }
    }

    /// The library as it is before it was built.
    pub fn not_built(&self) -> Library {
        let unavailable = Some(format!("it is not built; to get it: {}", self.remedy()));
        Library { unavailable, ..self.library() }
    }

    /// What to do if the worker is not there or does not start: one command, with the packages that are missing.
    pub fn remedy(&self) -> String {
        let id = self
            .id
            .split_once(WITHOUT)
            .filter(|_| !self.without.is_empty())
            .map_or(self.id.as_str(), |(id, _)| id);
        let build = format!("tlstax libraries build {id}");
        match packages::missing(&self.needs).as_slice() {
            [] => build,
            missing => format!("apt-get install {} && {build}", missing.join(" ")),
        }
    }
}

/// A switch of an id, which has no other spelling there; a mistake is answered as one on the command line.
fn switch(name: &str) -> Result<Switch, String> {
    name.parse::<Switch>().map_err(|strict| {
        lookup::<Switch>(name).err().map_or_else(|| strict.to_string(), |error| error.to_string())
    })
}
