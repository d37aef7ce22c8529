//! Samples of processes that run here, by perf_event_open(2).

mod accounts;
mod capture;
mod error;
mod find;
mod maps;
mod price;
mod probe;
mod rings;
mod tally;
mod target;
mod watched;

pub use capture::{Capture, Finished, Progress, Settings};
pub use error::LiveError;
pub use target::Target;
