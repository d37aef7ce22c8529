//! What workers that came built with tlstax have passed on this machine. They passed the conformance suite where they were built, with
//! other files of their library; here they pass it again with each that they meet, and that is kept.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::Serialize;
use tlstax_measure::objects::Loaded;
use tlstax_spec::Id;
use xxhash_rust::xxh3::Xxh3;

use crate::Home;

/// A pass, for people who look into the folder: its name says all that is asked of it.
#[derive(Debug, Serialize)]
pub(crate) struct Pass<'a> {
    pub(crate) library: &'a Id,
    /// What the worker had loaded, itself included.
    pub(crate) files: Vec<&'a Path>,
    pub(crate) passed: u64,
    pub(crate) skipped: u64,
}

/// Whether a worker may be measured as it is loaded. One that was built here was proven when it was built.
pub(crate) fn holds(home: &Home, program: &Path, loaded: &[Loaded]) -> bool {
    !home.is_shared(program) || place(home, program, loaded).is_ok_and(|place| place.is_file())
}

/// The file of a pass is called by the version of tlstax, the program and what it had loaded: paths and contents. A program that is a script
/// is not among the files that are mapped as code, and what it runs came with this version.
///
/// # Errors
/// One of the files cannot be read.
pub(crate) fn place(home: &Home, program: &Path, loaded: &[Loaded]) -> io::Result<PathBuf> {
    let mut hasher = Xxh3::new();
    hasher.update(env!("CARGO_PKG_VERSION").as_bytes());
    for file in std::iter::once(program).chain(loaded.iter().map(|one| one.path.as_path())) {
        hasher.update(file.as_os_str().as_encoded_bytes());
        hasher.update(&[0]);
        hasher.update(&fs::read(file)?);
    }
    Ok(home.passes().join(format!("{:032x}.json", hasher.digest128())))
}
