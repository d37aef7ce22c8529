//! Real clients: programs that people use, run for a window each, their CPU time read from the reaped process.
//!
//! To add one: a file with its [`Client`], and its line in [`CLIENTS`]; docs/adding-a-server.md.

mod ab;
mod ability;
mod client;
mod curl;
mod gnutls;
mod h2load;
mod oha;
mod parse;
mod running;
mod wget;
mod wrk;

#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;

pub use client::{Client, Order};
pub use running::Program;

/// Every client program that tlstax knows, in the order of tables.
pub const CLIENTS: &[&Client] = &[&curl::CURL, &wget::WGET, &ab::AB, &h2load::H2LOAD, &wrk::WRK, &oha::OHA];
