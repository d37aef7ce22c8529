//! Reading and writing documents. The only place of the orchestrator that creates files.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::newer;
use crate::results::{RESULTS_VERSION, Results};
use crate::version::SchemaVersion;

/// A document that could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The file could not be read.
    #[error("cannot read {path}: {source}")]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The file could not be written.
    #[error("cannot write {path}: {source}; free some space or name another place with --output")]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The file is not the JSON that it should be.
    #[error("{path} is no complete results document: {source}; {remedy}")]
    Malformed {
        /// The file.
        path: PathBuf,
        /// Where and what, from the parser.
        source: serde_json::Error,
        /// What to do.
        remedy: &'static str,
    },
    /// A line of a journal, and not the last, is not as it was written.
    #[error(
        "{path}, line {line}, is damaged: {source}; remove the line to go on without what it noted, or start the study anew"
    )]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The line, counted from 1.
        line: usize,
        /// What, from the parser.
        source: serde_json::Error,
    },
    /// The document was written by a newer program.
    #[error(
        "{path} has results of schema {found}, this tlstax reads up to {known}: use the tlstax that wrote it, \
         or a newer one"
    )]
    Newer {
        /// The file.
        path: PathBuf,
        /// The document's version.
        found: SchemaVersion,
        /// Our version.
        known: SchemaVersion,
    },
}

/// Reads a results document of this or any older version.
pub fn read_results(path: &Path) -> Result<Results, StoreError> {
    parse_results(&read(path)?, path)
}

/// Reads the text of a results document; the path is for messages.
pub fn parse_results(text: &str, path: &Path) -> Result<Results, StoreError> {
    let malformed = |source: serde_json::Error| StoreError::Malformed {
        path: path.to_owned(),
        remedy: if source.is_eof() {
            "it was cut off: if the journal beside it is still there, `tlstax measure --resume` finishes it"
        } else {
            "give a file that `tlstax measure` wrote"
        },
        source,
    };
    let version: Versioned = serde_json::from_str(text).map_err(malformed)?;
    version.check(path)?;
    match serde_json::from_str(text) {
        // A document that was cut off is no matter of versions.
        Err(source) if version.is_newer() && !source.is_eof() => {
            newer::understood(text).ok_or_else(|| version.error(path))
        }
        read => read.map_err(malformed),
    }
}

/// The version of a document, whatever else is in it.
#[derive(Debug, Clone, Copy, Deserialize)]
pub(crate) struct Versioned {
    schema: SchemaVersion,
}

impl Versioned {
    /// Refuses a document of a newer major version.
    pub(crate) fn check(self, path: &Path) -> Result<(), StoreError> {
        if RESULTS_VERSION.can_read(self.schema) { Ok(()) } else { Err(self.error(path)) }
    }

    fn is_newer(self) -> bool {
        self.schema.minor > RESULTS_VERSION.minor
    }

    fn error(self, path: &Path) -> StoreError {
        StoreError::Newer { path: path.to_owned(), found: self.schema, known: RESULTS_VERSION }
    }
}

/// Reads a whole text file, such as a study.
pub fn read(path: &Path) -> Result<String, StoreError> {
    fs::read_to_string(path).map_err(|source| StoreError::Read { path: path.to_owned(), source })
}

/// Writes a results document.
pub fn write_results(path: &Path, results: &Results) -> Result<(), StoreError> {
    // Maps with keys that are no strings do not occur in the types.
    let json = serde_json::to_vec(results).expect("results have string keys");
    write(path, &json)
}

/// Writes a file so that it is there whole or not at all: a temporary file beside it is renamed over it.
pub fn write(path: &Path, contents: &[u8]) -> Result<(), StoreError> {
    let failed = |source| StoreError::Write { path: path.to_owned(), source };
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        fs::create_dir_all(folder).map_err(failed)?;
    }
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.part", std::process::id()));
    let part = path.with_file_name(name);
    let written = write_synced(&part, contents).and_then(|()| fs::rename(&part, path));
    written.map_err(|source| {
        // The error that matters is already in hand; a part that cannot be removed was never made.
        let _ = fs::remove_file(&part);
        failed(source)
    })
}

#[expect(clippy::disallowed_methods, reason = "the one place where files are made")]
fn write_synced(path: &Path, contents: &[u8]) -> io::Result<()> {
    let mut file = File::create(path)?;
    file.write_all(contents)?;
    file.sync_all()
}
