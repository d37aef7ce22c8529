//! Real clients: programs that people use, run for a window each, their CPU time read from the reaped process.
//!
//! To add one: a file that implements [`Client`], and its line in [`CLIENTS`]; docs/adding-a-server.md.

mod client;
mod curl;
mod running;

pub(crate) use client::{Client, Order};
pub(crate) use running::{Program, Seat};

/// Every client program that tlstax knows, in the order of tables.
pub(crate) const CLIENTS: &[&dyn Client] = &[&curl::Curl];
