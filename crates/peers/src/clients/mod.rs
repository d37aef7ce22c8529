//! Real clients: programs that people use, run for a window each, their CPU time read from the reaped process.
//!
//! To add one: a file that implements [`Client`], and its line in [`CLIENTS`]; docs/adding-a-server.md.

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
pub use running::{Program, Seat};

/// Every client program that tlstax knows, in the order of tables.
pub const CLIENTS: &[&dyn Client] =
    &[&curl::Curl, &wget::Wget, &ab::Ab, &h2load::H2load, &wrk::Wrk, &oha::Oha];
