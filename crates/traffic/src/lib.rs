//! What servers were really asked for, counted from what they have written down.
//!
//! A **reader** ([`Lines`] of a log, or the packets of a capture) tells of each request or connection what its source says of it
//! ([`Seen`]). The [`Tally`] counts; in the end it is a part of a [`tlstax_doc::Workload`]. Parts add up exactly, so that threads,
//! files and machines are counted apart and merged.

mod access;
mod by_hand;
pub mod capture;
mod input;
mod line;
mod replay;
mod seen;
mod structured;
mod suggest;
mod tally;
mod vocabulary;
mod window;

pub use line::Lines;
pub use seen::{KindId, Seen, What};
pub use tally::{Tally, Way};
pub use window::Window;
