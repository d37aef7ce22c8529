//! Connections: rustls behind the traits of the SDK.

mod config;
mod connection;
mod sessions;
#[cfg(test)]
mod tests;

pub(crate) use config::{Client, Server};

/// Sessions that a client and a server keep: as many as connections may begin before the first is complete.
pub(crate) const SESSIONS: usize = 4096;
