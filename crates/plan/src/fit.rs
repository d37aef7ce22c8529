//! From measured loads to a [`Model`](tlstax_doc::model::Model).

mod in_memory;
mod model;
mod seen;
mod sharper;
mod solve;
#[cfg(test)]
mod tests;

pub use model::{Given, fit};
pub use seen::NoFit;
