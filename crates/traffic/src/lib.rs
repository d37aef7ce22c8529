//! What servers were really asked for, counted from what they have written down.
//!
//! A **reader** ([`Lines`] of a log, or the packets of a capture) tells of each request or connection what its source says of it
//! ([`Seen`]). The [`Tally`] counts; in the end it is a part of a [`tlstax_doc::Workload`]. Parts add up exactly, so that threads,
//! files and machines are counted apart and merged.

mod access;
mod by_hand;
pub mod capture;
mod classes;
mod glob;
mod input;
mod line;
mod reader;
mod seen;
mod structured;
mod suggest;
mod tally;
mod vocabulary;
mod window;

pub use access::{
    AccessLog, Classify, Configuration, FormatError, Known, Layout, Problem, Server, fitting_formats,
    known_formats,
};
pub use by_hand::{ByHandError, Problem as ByHandProblem, by_hand};
pub use classes::{BadClass, Classes};
pub use input::{
    BadEntry, Counted, FormatWord, Input, InputError, NoFormat, Notice, Progress, Settings, count, listen,
};
pub use line::Lines;
pub use reader::{Candidate, Part, Reader};
pub use seen::{KindId, Seen, What};
pub use structured::{
    BadField, Dialect, Field, JsonLog, Memory, Structured, Table, TableError, ZeekError, ZeekLog,
};
pub use suggest::{SUGGESTED, suggest};
pub use tally::{Tally, Way};
pub use window::Window;
