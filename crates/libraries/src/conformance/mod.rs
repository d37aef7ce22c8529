//! The conformance suite over the bridge: a worker in any language does what it claims, and refuses what it must.
//!
//! A worker is started as in a run (`subject`) and asked by the protocol alone: primitives have their known answers,
//! handshakes, bulk data, idle connections and loads their proofs, and a conversation keeps its form. What can only be
//! seen inside of a library, such as damaged records, is checked by the worker's own tests.

mod checks;
mod claims;
mod connections;
mod conversation;
mod handshakes;
mod loads;
mod memory;
mod parts;
mod primitives;
mod requests;
mod subject;
mod suite;

pub use checks::{Count, Extent};

pub(crate) use suite::run;
