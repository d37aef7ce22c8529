//! SDK for workers: everything that is the same for every TLS library.
//!
//! A worker is [`serve()`] around an [`Adapter`]. What belongs here: the conversation with the orchestrator, the
//! drivers that time an adapter, and the part of the conformance suite that looks inside. What does not: any TLS library.

mod adapter;
mod bulk;
mod carrying;
pub mod conformance;
mod content;
mod contexts;
mod control;
mod counting;
pub mod cpu;
pub mod der;
pub mod descriptors;
mod flights;
mod handshake;
pub mod heads;
mod idle;
mod inputs;
mod job;
mod laps;
mod latencies;
mod load;
mod load_parts;
mod pair;
mod pipe;
pub mod pki;
pub mod poll;
mod prepare;
mod primitive;
pub mod serve;
mod setup;
mod stagger;
pub mod switches;
pub mod threads;

pub use adapter::{
    Adapter, Config, Connection, EARLY_DATA, Endpoint, Negotiated, Operation, Order, Transport, names,
};
pub use control::{CONTROL, Control};
pub use inputs::Inputs;
pub use job::{Batch, Job, JobError, Prepared, Refusal};
pub use latencies::Latencies;
pub use load_parts::LoadParts;
pub use pipe::{PipeEnd, Wire};
pub use pki::Pki;
pub use prepare::prepare;
pub use serve::serve;
pub use setup::USUAL;
pub use stagger::Stagger;
