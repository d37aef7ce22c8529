//! Real servers: programs that people run, started for a case on a free port of 127.0.0.1, read from outside, and ended.
//!
//! To add one: a file with its [`Server`], and its line in [`SERVERS`]; docs/adding-a-server.md.

mod access_log;
mod apache;
mod application;
#[cfg(test)]
mod attack;
mod caddy;
#[cfg(test)]
mod configurations;
mod external;
mod haproxy;
mod lighttpd;
mod nginx;
mod owner;
mod place;
pub mod program;
mod relink;
pub mod run_folder;
mod running;
mod seen;
mod server;
mod starting;
#[cfg(test)]
mod tests;
mod tls_library;

pub use external::{Consent, External};
pub use owner::{NoOwner, Owner};
pub use place::Ground;
pub use program::Program;
pub use relink::relink;
pub use run_folder::{PAGE, RunFolder};
pub use running::{Reading, Running};
pub use seen::Seen;
pub(crate) use server::quoted;
pub use server::{Server, Site};

/// Every server that tlstax knows, in the order of tables.
pub const SERVERS: &[&Server] =
    &[&nginx::NGINX, &apache::APACHE, &haproxy::HAPROXY, &lighttpd::LIGHTTPD, &caddy::CADDY];
