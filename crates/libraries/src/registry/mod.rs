//! The registry: which library builds there are, how each is made and started. `workers/workers.toml`, as data.

mod block;
mod entry;
mod file;
mod ids;
pub(crate) mod packages;
mod pattern;
mod source;

pub use block::{Block, Group, Recipe, Worker};
pub use entry::{Base, Entry, Origin, Peer, SEARCH_VARIABLE};
pub use file::{ID_ALIASES, Registry, RegistryError};
pub(crate) use ids::LIBRARY_MARK;
pub use pattern::LibraryPattern;
pub use source::{BadSource, Source};
