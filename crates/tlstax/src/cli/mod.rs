//! The command line: one file per verb.

mod bulk;
mod check;
mod common;
mod compare;
mod generate;
mod handshake;
mod libraries;
mod load;
mod measure;
mod negotiation;
mod report;
mod speed;
mod suites;
mod top;

pub use top::main;
