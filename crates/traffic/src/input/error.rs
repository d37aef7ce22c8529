//! [`InputError`]: an input that cannot be counted.

use std::io;

use super::format::NoFormat;
use crate::by_hand::ByHandError;

/// An input that cannot be counted.
#[derive(Debug, thiserror::Error)]
pub enum InputError {
    #[error("cannot read {name}: {source}")]
    Read { name: String, source: io::Error },
    #[error("{name} is a folder: name the files in it, as in {name}/access.log*")]
    Folder { name: String },
    #[error(
        "there is nothing in {name}, so that its format cannot be recognised: say it with --format, or give a log with lines"
    )]
    Nothing { name: String },
    /// Several formats fit.
    #[error("{name} may be of several formats; say which with --format: {}", .formats.join(", or "))]
    Several {
        name: String,
        /// Each with what it is.
        formats: Vec<String>,
    },
    /// None fits.
    #[error(
        "{name} is of no format that is known by its first lines; looked for: {}. Say it with --format, best by the server's own \
         configuration: --format nginx:/etc/nginx/nginx.conf",
        .looked_for.join(", ")
    )]
    Unknown { name: String, looked_for: Vec<&'static str> },
    /// It is not what the user said.
    #[error(
        "{name} is no {format} log by its first lines: see what it is, or leave out --format to have it recognised"
    )]
    Other { name: String, format: &'static str },
    /// A document that this program wrote.
    #[error("{name} is a {what} document that tlstax wrote, and no log: {remedy}")]
    Document { name: String, what: &'static str, remedy: &'static str },
    /// What somebody wrote by hand is wrong.
    #[error(transparent)]
    ByHand(#[from] ByHandError),
    #[error(transparent)]
    Format(#[from] NoFormat),
}
