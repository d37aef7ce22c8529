//! Building workers: the registry's command, its output in a log, the program put in its place only when whole.

use std::path::{Path, PathBuf};

use tlstax_measure::command::{self, CommandError};

use crate::Home;
use crate::registry::Entry;

/// A worker that could not be built.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// The registry says nothing about building it.
    #[error("library {0} has no build command in workers.toml: put its worker in place by hand")]
    NoRecipe(String),
    /// The command could not be run.
    #[error("building {library}: {source}")]
    Command {
        /// The library.
        library: String,
        /// What the system says.
        source: CommandError,
    },
    /// The command failed.
    #[error("building {library} failed ({status}):\n{tail}\nthe whole log is {log}; remedy: {remedy}")]
    Failed {
        /// The library.
        library: String,
        /// How the command ended.
        status: String,
        /// The last lines of its output.
        tail: String,
        /// The file with all of it.
        log: PathBuf,
        /// What to do.
        remedy: String,
    },
    /// The program is not where the registry says, or cannot be put in its place.
    #[error("building {library}: cannot put {built} in place as {program}: {source}")]
    Place {
        /// The library.
        library: String,
        /// What the build should have made.
        built: PathBuf,
        /// Where it belongs.
        program: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
}

/// Builds a library's worker. What was there before stays until the new one is whole.
pub fn build(entry: &Entry, home: &Home) -> Result<(), BuildError> {
    let [program, arguments @ ..] = entry.build.as_slice() else {
        return Err(BuildError::NoRecipe(entry.id.clone()));
    };
    let log = home.path().join("target/workers/log").join(format!("{}.log", entry.id));
    let output = command::run_logged(program, arguments, home.path(), &log)
        .map_err(|source| BuildError::Command { library: entry.id.clone(), source })?;
    if !output.status.success() {
        return Err(BuildError::Failed {
            library: entry.id.clone(),
            status: output.status.to_string(),
            tail: output.tail,
            log,
            remedy: entry.remedy(),
        });
    }
    match &entry.built {
        Some(built) => place(entry, &home.path().join(built), &entry.program_path(home)),
        None => Ok(()),
    }
}

/// Copies beside the place, then renames: a running worker keeps its file, and nobody sees half of one.
fn place(entry: &Entry, built: &Path, program: &Path) -> Result<(), BuildError> {
    let part = program.with_extension(format!("{}.part", std::process::id()));
    let copied = std::fs::create_dir_all(program.parent().unwrap_or(Path::new(".")))
        .and_then(|()| std::fs::copy(built, &part))
        .and_then(|_| std::fs::rename(&part, program));
    copied.map_err(|source| BuildError::Place {
        library: entry.id.clone(),
        built: built.to_owned(),
        program: program.to_owned(),
        source,
    })
}
