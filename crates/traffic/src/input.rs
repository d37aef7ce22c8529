//! Files, standard input and archives, read in parallel.
//!
//! Threads that only read give blocks of whole lines, or regions of files, to threads that count them ([`worker`]). Each of those has
//! tallies of its own; what they have counted adds up exactly, whichever of them has counted what.

mod access_logs;
mod ahead;
mod archive;
mod bad;
mod captures;
mod choose;
mod count;
mod detect;
mod error;
mod feed;
mod format;
mod given;
mod include;
mod listen;
mod named_fields;
mod notice;
mod open;
mod pieces;
mod pool;
mod settings;
mod shared;
mod source;
mod worker;

pub use bad::BadEntry;
pub use count::{Counted, Progress, count};
pub use error::InputError;
pub use format::{FormatWord, NoFormat};
pub use listen::listen;
pub use notice::Notice;
pub use open::Input;
pub use settings::Settings;
