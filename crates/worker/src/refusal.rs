//! Why an adapter does not do what it is asked for.

use std::io;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The library has no such thing: a hole in the matrix with its reason.
    #[error("{0}")]
    Unsupported(String),
    /// The library has it, and it went wrong.
    #[error("{0}")]
    Failed(String),
}

impl From<io::Error> for Refusal {
    fn from(error: io::Error) -> Self {
        Self::Failed(error.to_string())
    }
}
