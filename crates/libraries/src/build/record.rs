//! The record of a worker that was built, beside its program.

use std::path::{Path, PathBuf};

use tlstax_doc::{Made, StoreError};

use crate::Home;

/// The record of a program, if there is one and the program is still the one it is about. One that came built was stripped for its package;
/// what it has passed here is kept elsewhere ([`crate::proven`]).
pub fn record(home: &Home, program: &Path) -> Option<Made> {
    let text = std::fs::read_to_string(place(program)).ok()?;
    let made: Made = serde_json::from_str(&text).ok()?;
    (home.is_shared(program) || made.program == hash(program).ok()?).then_some(made)
}

pub(super) fn write(program: &Path, made: &Made) -> Result<(), StoreError> {
    let text = serde_json::to_string_pretty(made).expect("a record has string keys") + "\n";
    tlstax_doc::write(&place(program), text.as_bytes())
}

/// The 128-bit xxh3 of a file, in hex.
pub(super) fn hash(file: &Path) -> std::io::Result<String> {
    Ok(format!("{:032x}", xxhash_rust::xxh3::xxh3_128(&std::fs::read(file)?)))
}

fn place(program: &Path) -> PathBuf {
    let mut name = program.file_name().unwrap_or_default().to_owned();
    name.push(".json");
    program.with_file_name(name)
}
