//! Why a library could not be built, and what to do.

use std::path::PathBuf;

use tlstax_measure::command::CommandError;
use tlstax_spec::Id;

/// A library or worker that could not be built.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// A program that the build needs is not there, or a log cannot be written.
    #[error("building {library}: {source}")]
    Command {
        /// The library.
        library: Id,
        /// What the system says.
        source: CommandError,
    },
    /// A step failed.
    #[error("building {library} failed at {step}:\n{tail}\nthe whole log is {log}; remedy: {remedy}")]
    Failed {
        /// The library.
        library: Id,
        /// What was being done, and how it ended.
        step: String,
        /// The last lines of its output.
        tail: String,
        /// The file with all of it.
        log: PathBuf,
        /// What to do.
        remedy: String,
    },
    /// The sources are not to be had, or not what they should be.
    #[error("building {library}: {problem}")]
    Source {
        /// The library.
        library: Id,
        /// What is wrong, and what to do.
        problem: String,
    },
    /// The cache cannot be used.
    #[error(
        "building {library}: cannot use the cache {folder}: {source}; free some space, or name another folder in TLSTAX_CACHE"
    )]
    Cache {
        /// The library.
        library: Id,
        /// The folder.
        folder: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// The worker does not do what it claims.
    #[error(
        "building {library}: its worker did not pass the conformance suite and is not used:\n{failures}\nthe whole log is {log}"
    )]
    Conformance {
        /// The library.
        library: Id,
        /// The checks that failed, or how the suite ended.
        failures: String,
        /// The file with all of it.
        log: PathBuf,
    },
    /// The program is not where it should be, or cannot be put in its place.
    #[error("building {library}: cannot put {built} in place as {program}: {source}")]
    Place {
        /// The library.
        library: Id,
        /// What the build should have made.
        built: PathBuf,
        /// Where it belongs.
        program: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// The block says nothing about building it.
    #[error(
        "library {0} has neither a worker nor a build command in its block: put its program in place by hand"
    )]
    NoRecipe(Id),
    /// The user wants to stop.
    #[error("interrupted while building {0}: build it again")]
    Interrupted(Id),
}
