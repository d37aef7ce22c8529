//! The registry: which library builds there are, how each is made and started. `workers/workers.toml`, as data.

mod entry;
mod file;
mod ids;
mod own;
pub(crate) mod packages;
mod pattern;
mod source;

pub use entry::{Entry, Group, Peer, Recipe, SEARCH_VARIABLE, Worker};
pub use file::{ID_ALIASES, Registry, RegistryError};
pub(crate) use ids::LIBRARY_MARK;
pub use pattern::LibraryPattern;
pub use source::{BadSource, Source};
