//! Reading and writing documents. The only place of the orchestrator that creates files.

use std::fs::{self, File, Permissions};
use std::io::{self, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::newer;
use crate::older;
use crate::results::{RESULTS_VERSION, Results};
use crate::version::SchemaVersion;

#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("cannot read {path}: {source}")]
    Read { path: PathBuf, source: io::Error },
    #[error("cannot write {path}: {source}; {}", remedy(source))]
    Write { path: PathBuf, source: io::Error },
    /// Another run writes this journal.
    #[error(
        "{path} is written by another run, which is going on: wait for its end, or name another file with --output"
    )]
    Busy { path: PathBuf },
    /// The journal holds what may be all that is left of hours.
    #[error(
        "{path} holds an earlier run that did not end: go on with it by tlstax measure --resume {path}, or remove the \
         file to begin anew"
    )]
    Unfinished { path: PathBuf },
    #[error("{path} is no complete {what} document: {source}; {remedy}")]
    Malformed { path: PathBuf, what: &'static str, source: serde_json::Error, remedy: &'static str },
    /// A line of a journal, and not the last, is not as it was written.
    #[error(
        "{path}, line {line}, is damaged: {source}; restore the file as it was written, or start the study anew"
    )]
    Damaged {
        path: PathBuf,
        /// The line, counted from 1.
        line: usize,
        source: serde_json::Error,
    },
    #[error(
        "{path} has {what} of schema {found}, this tlstax reads up to {known}: use the tlstax that wrote it, \
         or a newer one"
    )]
    Newer { path: PathBuf, what: &'static str, found: SchemaVersion, known: SchemaVersion },
}

/// What to do about a file or folder that cannot be written, by the system's error.
pub fn remedy(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            "free some space there, or name another place with --output"
        }
        io::ErrorKind::ReadOnlyFilesystem => "nothing can be written there: name another place with --output",
        io::ErrorKind::PermissionDenied => {
            "ask its owner for the permission to write there, or name another place with --output"
        }
        io::ErrorKind::InvalidFilename => "name it shorter with --output",
        // The second is the error where a folder was to be made.
        io::ErrorKind::NotADirectory | io::ErrorKind::AlreadyExists => {
            "a part of the path is a file: name another place with --output"
        }
        io::ErrorKind::IsADirectory => "a folder has that name: name another file with --output",
        _ => "name another place with --output",
    }
}

/// Reads a results document of this or any older version.
///
/// # Errors
/// The file cannot be read, or holds no results of a version that this program reads.
pub fn read_results(path: &Path) -> Result<Results, StoreError> {
    parse_results(&read(path)?, path)
}

/// Reads the text of a results document; the path is for messages.
///
/// # Errors
/// The text holds no results of a version that this program reads.
pub fn parse_results(text: &str, path: &Path) -> Result<Results, StoreError> {
    let malformed = |source: serde_json::Error| StoreError::Malformed {
        path: path.to_owned(),
        what: "results",
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
        read => read.map(older::brought_up).map_err(malformed),
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
        StoreError::Newer {
            path: path.to_owned(),
            what: "results",
            found: self.schema,
            known: RESULTS_VERSION,
        }
    }
}

/// Reads a whole text file, such as a study.
///
/// # Errors
/// The file cannot be read, is no UTF-8, or longer than any document.
pub fn read(path: &Path) -> Result<String, StoreError> {
    read_up_to(LONGEST, path).map_err(|source| StoreError::Read { path: path.to_owned(), source })
}

/// A document of a day's run has some hundred megabytes. What is longer than this is none, and may have no end: a device.
const LONGEST: u64 = 1 << 30;

fn read_up_to(most: u64, path: &Path) -> io::Result<String> {
    let mut bytes = Vec::new();
    if File::open(path)?.take(most + 1).read_to_end(&mut bytes)? as u64 > most {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, format!("it is longer than {most} bytes")));
    }
    String::from_utf8(bytes).map_err(|error| {
        let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = 1 + before.iter().filter(|byte| **byte == b'\n').count();
        io::Error::new(io::ErrorKind::InvalidData, format!("line {line} is no UTF-8: save the file as UTF-8"))
    })
}

/// Writes a results document.
///
/// # Errors
/// The file cannot be written; what was there before stays.
pub fn write_results(path: &Path, results: &Results) -> Result<(), StoreError> {
    // Maps with keys that are no strings do not occur in the types.
    let json = serde_json::to_vec(results).expect("results have string keys");
    write(path, &json)
}

/// Writes a file so that it is there whole or not at all: a temporary file beside it is renamed over it.
///
/// # Errors
/// The file cannot be written; what was there before stays.
pub fn write(path: &Path, contents: &[u8]) -> Result<(), StoreError> {
    make_folder(path)
        .and_then(|folder| write_beside(path, folder, contents))
        .map_err(|source| cannot_write(path, source))
}

/// Takes the name of a file that is to be written, by an empty one: of those who ask at once, one gets it. Whether the name was free.
///
/// # Errors
/// A file cannot be made there.
pub fn take_name(path: &Path) -> Result<bool, StoreError> {
    #[expect(
        clippy::disallowed_methods,
        reason = "the name of a file of ours, and this crate makes the files"
    )]
    let made = make_folder(path).and_then(|_| File::create_new(path));
    match made {
        Ok(_) => Ok(true),
        Err(source) if source.kind() == io::ErrorKind::AlreadyExists && path.symlink_metadata().is_ok() => {
            Ok(false)
        }
        Err(source) => Err(cannot_write(path, source)),
    }
}

/// The folder of a file, which is made where it is not there.
pub(crate) fn make_folder(path: &Path) -> io::Result<&Path> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(folder).map(|()| folder)
}

pub(crate) fn cannot_write(path: &Path, source: io::Error) -> StoreError {
    StoreError::Write { path: path.to_owned(), source }
}

/// The temporary file has a name that cannot be foreseen and is made anew: no link can lie in wait for it.
fn write_beside(path: &Path, folder: &Path, contents: &[u8]) -> io::Result<()> {
    // The umask decides who may read it, as of every new file.
    let mode = Permissions::from_mode(0o666);
    let mut part =
        tempfile::Builder::new().prefix(".tlstax-").suffix(".part").permissions(mode).tempfile_in(folder)?;
    part.write_all(contents)?;
    part.as_file().sync_all()?;
    part.persist(path).map(drop).map_err(|error| error.error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_those_who_want_a_name_at_once_one_gets_it() {
        let folder = tempfile::tempdir().expect("there is a place");
        let path = folder.path().join("new/profile.json");
        let got = std::thread::scope(|scope| {
            let asked: Vec<_> =
                (0..8).map(|_| scope.spawn(|| take_name(&path).expect("it is writable"))).collect();
            asked.into_iter().map(|one| one.join().expect("nobody panics")).filter(|is_free| *is_free).count()
        });
        assert_eq!(got, 1);
    }

    #[test]
    fn what_is_too_long_is_not_read_to_its_end() {
        let error = read_up_to(1000, Path::new("/dev/zero")).expect_err("it has no end");
        assert_eq!(error.kind(), io::ErrorKind::FileTooLarge);
        assert!(error.to_string().contains("longer than 1000 bytes"), "{error}");
        assert_eq!(read_up_to(1000, Path::new("/dev/null")).expect("it is empty"), "");
    }

    #[test]
    fn what_is_no_text_is_told_with_its_line() {
        let file = tempfile::NamedTempFile::new().expect("a file");
        write(file.path(), b"one\ntwo\nd\xe9j\xe0\n").expect("it is written");
        let error = read(file.path()).expect_err("it is Latin-1").to_string();
        assert!(error.contains("line 3 is no UTF-8"), "{error}");
    }
}
