//! [`Entry`]: whatever goes by an id: a library from a block of the registry, a variant of one, a server or a client.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Deserialize;
use tlstax_doc::{Library, LibraryKind};
use tlstax_names::lookup;
use tlstax_peers::Product;
use tlstax_peers::clients::{CLIENTS, Client};
use tlstax_peers::servers::{External, SERVERS, Server};
use tlstax_spec::{Id, InvalidId, Switch};

use super::block::{Block, Group};
use super::ids::{LIBRARY_MARK, WITHOUT, variant};
use crate::Home;
use crate::home::PROGRAMS;

/// The variable by which the dynamic linker looks somewhere first.
pub const SEARCH_VARIABLE: &str = "LD_LIBRARY_PATH";

/// The variable with the switches that a worker is to do without.
const WITHOUT_VARIABLE: &str = "TLSTAX_WITHOUT";

#[derive(Debug, Clone, Deserialize)]
#[serde(from = "Block")]
pub struct Entry {
    /// What studies, flags and results call it.
    pub id: Id,
    pub about: String,
    /// Measured when nobody names a library.
    pub default: bool,
    pub kind: LibraryKind,
    pub origin: Origin,
    pub env: BTreeMap<String, String>,
    pub base: Option<Base>,
    /// What the worker is started without: the switches of the base, where the id that was asked for has added them.
    pub without: Vec<Switch>,
}

/// Where an entry comes from, and what is started for it.
#[derive(Debug, Clone)]
pub enum Origin {
    /// A worker that tlstax builds from the block.
    Built(Box<Block>),
    /// A worker that tlstax built for another block, pointed at a library of the user's.
    Pointed(Box<Block>),
    /// A worker of the user's own.
    Own(Box<Block>),
    /// A program that people run, in place of a library in a worker.
    Peer(Peer),
}

/// A real server or client.
#[derive(Debug, Clone)]
pub enum Peer {
    /// One that tlstax starts for a case.
    Server(&'static Server),
    /// One that the user runs already.
    External(Arc<External>),
    Client(&'static Client),
}

/// What a variant is a variant of.
#[derive(Debug, Clone)]
pub enum Base {
    /// A library with all that these switches take away.
    With(Id, Vec<Switch>),
    /// A server with the TLS library that it was built with; the library that it loads instead is installed there if it is.
    Relinked { server: Id, library: Id, prefix: Option<PathBuf> },
}

impl From<Block> for Origin {
    fn from(block: Block) -> Self {
        let block = Box::new(block);
        match block.program.first() {
            None => Self::Built(block),
            Some(program)
                if block.env.contains_key(SEARCH_VARIABLE) && Path::new(program).starts_with(PROGRAMS) =>
            {
                Self::Pointed(block)
            }
            Some(_) => Self::Own(block),
        }
    }
}

impl From<Block> for Entry {
    fn from(block: Block) -> Self {
        let kind = match (block.control, block.client) {
            (true, _) => LibraryKind::Control,
            (false, true) => LibraryKind::Client,
            (false, false) => LibraryKind::Library,
        };
        Self {
            id: block.id.clone(),
            about: block.about.clone(),
            default: block.default,
            kind,
            env: block.env.clone(),
            base: variant(&block.id).map(|(id, without)| Base::With(id, without)),
            without: Vec::new(),
            origin: block.into(),
        }
    }
}

impl Entry {
    /// The library of a block with its worker in another place than that of built ones: nobody vouches for it.
    pub(crate) fn elsewhere(block: &Block, program: &Path) -> Self {
        let absolute = std::path::absolute(program).unwrap_or_else(|_| program.to_owned());
        let mut command = block.command();
        command[0] = absolute.display().to_string();
        Block { program: command, ..block.clone() }.into()
    }

    fn of_peer(id: Id, about: &str, kind: LibraryKind, peer: Peer) -> Self {
        Self { kind, origin: Origin::Peer(peer), ..Block::new(id, about).into() }
    }

    /// The servers and clients that tlstax knows, one entry each.
    pub(super) fn peers() -> Vec<Self> {
        let servers = SERVERS.iter().map(|one| (&one.product, LibraryKind::Server, Peer::Server(one)));
        let clients = CLIENTS.iter().map(|one| (&one.product, LibraryKind::Client, Peer::Client(one)));
        let entry = |(product, kind, peer): (&'static Product, _, _)| {
            Self::of_peer(Id::literal(product.id), product.about, kind, peer)
        };
        servers.chain(clients).map(entry).collect()
    }

    pub fn external(external: External) -> Self {
        let (id, peer) = (external.id(), Peer::External(Arc::new(external)));
        Self::of_peer(id, "a server that runs already", LibraryKind::Server, peer)
    }

    /// This server with another TLS library, which is installed there if it is.
    pub(crate) fn with_library(&self, library: &Self, prefix: Option<PathBuf>) -> Result<Self, InvalidId> {
        let id = format!("{}{LIBRARY_MARK}{}", self.id, library.id).try_into()?;
        let about = format!("{}, with {}", self.about, library.about);
        let (server, library) = (self.id.clone(), library.id.clone());
        let base = Some(Base::Relinked { server, library, prefix });
        Ok(Self { id, about, base, ..self.clone() })
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
            let base = Some(Base::With(self.id.clone(), without.clone()));
            Self { id: id.clone(), about, default: false, env, base, without, ..self.clone() }
        }))
    }

    /// The same, told that nothing will be timed: it need not be warm.
    pub fn untimed(mut self) -> Self {
        self.env.insert("TLSTAX_UNTIMED".to_owned(), "1".to_owned());
        self
    }

    /// The id of this library without something.
    ///
    /// # Errors
    /// There are so many of them that the id is too long.
    pub fn id_without(&self, switches: &[Switch]) -> Result<Id, InvalidId> {
        let names: Vec<_> = switches.iter().map(|switch| switch.name()).collect();
        format!("{}{WITHOUT}{}", self.id, names.join("-")).try_into()
    }

    /// The server or client; none for a library in a worker.
    pub fn peer(&self) -> Option<&Peer> {
        match &self.origin {
            Origin::Peer(peer) => Some(peer),
            Origin::Built(_) | Origin::Pointed(_) | Origin::Own(_) => None,
        }
    }

    /// Whether it can be measured in loads only.
    pub fn is_peer(&self) -> bool {
        self.peer().is_some()
    }

    /// The block of the registry; none for a server or a client program.
    pub fn block(&self) -> Option<&Block> {
        match &self.origin {
            Origin::Built(block) | Origin::Pointed(block) | Origin::Own(block) => Some(block),
            Origin::Peer(_) => None,
        }
    }

    pub(super) fn is_in(&self, group: Group) -> bool {
        self.block().is_some_and(|block| block.group == group)
    }

    /// The worker's program; none for a server or a client program.
    pub fn program_path(&self, home: &Home) -> Option<PathBuf> {
        self.block().map(|block| block.program_path(home))
    }

    /// The folders that the worker loads its library from, where that is not the one that it was built with.
    pub fn pointed_at(&self) -> Option<&str> {
        self.env.get(SEARCH_VARIABLE).map(String::as_str)
    }

    /// Whether tlstax builds the worker, so that it knows what it is.
    pub fn is_ours(&self) -> bool {
        matches!(self.origin, Origin::Built(_))
    }

    /// What results state of it before it is asked.
    pub fn library(&self) -> Library {
        let known = Library { kind: self.kind, ..Library::new(self.id.clone()) };
        match self.base.clone() {
            None => known,
            Some(Base::With(base, without)) => Library { base: Some(base), without, ..known },
            Some(Base::Relinked { server, library, .. }) => {
                Library { base: Some(server), uses: Some(library), ..known }
            }
        }
    }

    pub fn not_built(&self) -> Library {
        let unavailable = Some(format!("it is not built; to get it: {}", self.remedy()));
        Library { unavailable, ..self.library() }
    }

    pub fn remedy(&self) -> String {
        self.block().map(Block::remedy).unwrap_or_default()
    }
}

/// A switch of an id, which has no other spelling there; a mistake is answered as one on the command line.
fn switch(name: &str) -> Result<Switch, String> {
    name.parse::<Switch>().map_err(|strict| {
        lookup::<Switch>(name).err().map_or_else(|| strict.to_string(), |error| error.to_string())
    })
}
