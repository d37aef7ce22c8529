//! Why a library could not be built, and what to do.

use std::path::PathBuf;

use tlstax_measure::command::CommandError;
use tlstax_spec::Id;

use crate::registry::Block;

#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// A program that the build needs is not there, or a log cannot be written.
    #[error("building {library}: {source}")]
    Command { library: Id, source: CommandError },
    /// A step with how it ended, and the last lines of its output.
    #[error("building {library} failed at {step}:\n{tail}\nthe whole log is {log}; remedy: {remedy}")]
    Failed { library: Id, step: String, tail: String, log: PathBuf, remedy: String },
    /// The sources are not to be had, or not what they should be.
    #[error("building {library}: {problem}")]
    Source { library: Id, problem: String },
    #[error(
        "building {library}: cannot use the cache {folder}: {source}; free some space, or name another folder in TLSTAX_CACHE"
    )]
    Cache { library: Id, folder: PathBuf, source: std::io::Error },
    #[error(
        "building {library}: its worker did not pass the conformance suite and is not used:\n{failures}\nthe whole log is {log}"
    )]
    Conformance { library: Id, failures: String, log: PathBuf },
    #[error("building {library}: cannot put {built} in place as {program}: {source}")]
    Place { library: Id, built: PathBuf, program: PathBuf, source: std::io::Error },
    #[error(
        "library {0} has neither a worker nor a build command in its block: put its program in place by hand"
    )]
    NoRecipe(Id),
    #[error("interrupted while building {0}: build it again")]
    Interrupted(Id),
}

impl BuildError {
    pub(super) fn wrong(block: &Block, problem: impl ToString) -> Self {
        Self::Source { library: block.id.clone(), problem: problem.to_string() }
    }

    pub(super) fn command(block: &Block) -> impl Fn(CommandError) -> Self {
        |source| Self::Command { library: block.id.clone(), source }
    }
}
