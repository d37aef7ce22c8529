//! Connections: rustls behind the traits of the SDK.

mod certificate;
mod config;
mod connection;
mod sessions;
#[cfg(test)]
mod tests;

pub(crate) use config::{Client, Server};
