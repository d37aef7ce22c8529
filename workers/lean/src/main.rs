//! The lean client: a load client that spends almost nothing on a connection, so that the server is what is measured.
//!
//! A load client owes nobody secrecy, so it leaves out what only that is for, and says so in its `omits`. It is rustls's
//! state machine around a provider of ours, and after the handshake a record layer and an HTTP of ours. Environment:
//!
//! - `TLSTAX_REMOTE`: the address of a server that is not on this machine, as consent to load it;
//! - `TLSTAX_CONNECTION_RATE`: the most new connections per second, over all threads;
//! - `TLSTAX_VERIFY_SAMPLE`: one connection in so many is verified in full; 0 is none;
//! - `TLSTAX_SLEEPS`: it sleeps while it waits for the server, and does not look for responses awake.

mod adapter;
mod connection;
mod consent;
mod crew;
mod engine;
mod http1;
mod http2;
mod job;
mod look;
mod pace;
mod plan;
mod provider;
mod recipe;
mod socket;
#[cfg(test)]
mod tests;
mod tls;
mod waiting;

use std::process::ExitCode;

fn main() -> ExitCode {
    tlstax_worker::serve::serve(adapter::Lean)
}
