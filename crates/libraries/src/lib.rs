//! TLS libraries: which there are, how each is built and proved, and the conversation with the worker that serves it.
//!
//! Read in this order: [`Entry`], a block of the registry; [`Builder`], from a block to a proved worker; [`Session`], one worker
//! process; `library`, the receipt of what it has really loaded.

mod build;
mod callgrind;
mod compression;
mod conformance;
mod derived;
mod home;
pub mod identity;
pub mod library;
mod proven;
mod registry;
mod session;
pub mod verify;

pub use build::{BuildError, Builder, Cache, conformance, is_unproven};
pub use callgrind::{Counting, valgrind};
pub use conformance::{Count, Extent as ConformanceExtent};
pub use home::{Home, NoHome};
pub use registry::{
    BadSource, Base, Block, Entry, Group, ID_ALIASES, LibraryPattern, Peer, Recipe, Registry, RegistryError,
    SEARCH_VARIABLE, Source, Worker,
};
pub use session::{Ready, Seat, Session};
