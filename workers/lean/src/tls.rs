//! TLS: rustls makes the handshake, and after it the records are ours.

mod config;
mod handshake;
mod header;
mod looker;
mod record;
#[cfg(test)]
mod tests;

pub(crate) use config::Client;
pub(crate) use handshake::{Handshake, HandshakeError, Shaken, Step, take_tickets};
pub(crate) use header::{Content, HEADER, Header, LONGEST, NoRecord};
pub(crate) use looker::Looker;
pub(crate) use record::{Opener, RecordError, Sealer};
