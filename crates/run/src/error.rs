//! Why nothing could be measured at all.

use tlstax_doc::{Library, StoreError};
use tlstax_libraries::RegistryError;
use tlstax_measure::pin::{self, Cores};

use crate::study::StudyError;

#[derive(Debug, thiserror::Error)]
pub enum RunError {
    #[error(transparent)]
    Study(#[from] StudyError),
    #[error(transparent)]
    Registry(#[from] RegistryError),
    #[error("{0}; finished rounds are in the journal: `tlstax measure --resume` goes on with it")]
    Journal(#[from] StoreError),
    #[error("no library can be measured:{}", list(libraries))]
    NoLibrary { libraries: Vec<Library> },
    #[error("cannot run on any core: {0}")]
    Cores(String),
    /// A server that the user has named could not be looked at.
    #[error("{0}")]
    Look(String),
    /// A scripted worker did not read its references.
    #[error("the reference kernels cannot be read: {0}")]
    Reference(String),
    #[error("cannot go on with the journal: {0}; start the study anew")]
    Changed(String),
    #[error(
        "instructions cannot be counted: the CPU's counter cannot be used ({0}), and there is no valgrind with callgrind; install \
         it: on Debian, apt-get install valgrind. Or use a machine that has counters and kernel.perf_event_paranoid of at most 2"
    )]
    NoCounter(String),
    #[error("interrupted before anything was measured")]
    Interrupted,
}

fn list(libraries: &[Library]) -> String {
    let line = |library: &Library| {
        format!("\n  {}: {}", library.id, library.unavailable.as_deref().unwrap_or("present"))
    };
    libraries.iter().map(line).collect()
}

/// The cores that this process may use, by what runs on them.
///
/// # Errors
/// There are none.
pub(crate) fn cores() -> Result<Cores, RunError> {
    pin::cores().ok_or_else(|| RunError::Cores("the affinity mask of this process is empty".to_owned()))
}
