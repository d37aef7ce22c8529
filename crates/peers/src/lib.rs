//! Real servers and clients, which people run: how each is found, set up for a case, read from outside and ended.
//!
//! Read in this order: [`servers::Server`], then `servers/running`; [`clients::Client`], then `clients/running`. To add one:
//! docs/adding-a-server.md.

pub mod clients;
mod product;
mod refused;
pub mod servers;

pub use product::Product;
pub use refused::{Failure, Loss, Refused};
