//! Access logs whose lines follow a format string: nginx, Apache, lighttpd, HAProxy, and the load balancers of AWS.
//!
//! A format string is compiled to a [`Layout`]; where it stands in a configuration, [`Configuration`] finds it. [`AccessLog`] reads
//! lines by a layout. No text of a line gets any further: what a document takes over are words of registries, numbers and times.

mod apache;
mod aws;
mod config;
mod detect;
mod error;
mod field;
mod haproxy;
mod json;
mod known;
mod layout;
mod log;
mod meaning;
mod nginx;
mod odd;
mod piece;
mod resolve;
mod scan;
mod server;
mod syslog;
mod time;
mod values;

pub use config::Configuration;
pub use detect::fitting_formats;
pub use error::{FormatError, Problem};
pub use known::{Known, known_formats};
pub use layout::Layout;
pub use log::{AccessLog, Classify};
pub use server::Server;

#[cfg(test)]
mod tests;
