//! Sources of samples that others have taken: files of profilers, each read by a module of its own.

mod detect;
mod event;
mod firefox;
mod folded;
mod format;
mod idle;
mod input;
mod lines;
mod module;
mod names;
mod notes;
mod perf_data;
mod pprof;
mod processes;
mod read;
mod script;
mod stack;

use tlstax_doc::{Note, Origin, Unit};

pub use format::Format;
pub use input::Input;
pub use read::read;

/// What a source says of itself when it has given all its samples.
#[derive(Debug, Clone, PartialEq)]
pub struct Facts {
    pub origin: Origin,
    /// What the weights of its samples count.
    pub unit: Unit,
    /// What was observed, in words.
    pub target: String,
    /// When it began, UTC, RFC 3339.
    pub started: Option<String>,
    pub duration_ns: Option<u64>,
    /// CPUs of the machine that the samples are of.
    pub cpus: Option<u32>,
    /// Samples that were lost.
    pub lost: u64,
    /// What the reader has to know: samples without a stack, files that were not to be found, a file that was cut.
    pub notes: Vec<Note>,
}

/// A source cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    #[error("cannot read {from}: {source}")]
    Read { from: String, source: std::io::Error },
    /// It is not of the format, or broken where nothing can be kept.
    #[error("{from} is no {format} that can be read: {problem}; {remedy}")]
    Format { from: String, format: &'static str, problem: String, remedy: String },
    /// There is nothing in it.
    #[error("{from} has no samples: {remedy}")]
    Empty { from: String, remedy: String },
}
