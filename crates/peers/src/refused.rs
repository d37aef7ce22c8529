//! Why a process did not give what was asked of it.

use tlstax_doc::Outcome;
use tlstax_spec::Stage;

/// Why a request did not give what was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refused {
    /// The library or the machine has no such thing.
    Unsupported(String),
    /// It went wrong.
    Failed(Failure),
    /// A process ended, or fell silent, in the middle of it: in a new process it may go well.
    Lost(Failure),
    /// The user wants to stop.
    Interrupted,
}

impl std::fmt::Display for Refused {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Unsupported(reason) => f.write_str(reason),
            Self::Failed(failure) | Self::Lost(failure) => {
                write!(f, "{}: {}", failure.stage, failure.message)
            }
            Self::Interrupted => f.write_str("interrupted"),
        }
    }
}

/// What went wrong in a worker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// Where.
    pub stage: Stage,
    /// What.
    pub message: String,
    /// The end of the worker's standard error.
    pub stderr: String,
    /// Whether the worker can no longer be talked to.
    pub lost: bool,
}

impl Refused {
    /// A failure in which the worker itself is well.
    pub fn failed(stage: Stage, message: impl Into<String>) -> Self {
        Self::Failed(Failure { stage, message: message.into(), stderr: String::new(), lost: false })
    }

    /// The same failure, of a process that can be talked to all the same.
    pub fn of_the_living(self) -> Self {
        match self {
            Self::Failed(failure) => Self::Failed(Failure { lost: false, ..failure }),
            other => other,
        }
    }

    /// What becomes of the case; an interrupted one is merely skipped.
    pub fn into_outcome(self) -> Outcome {
        match self {
            Self::Unsupported(reason) => Outcome::Unsupported { reason },
            Self::Failed(Failure { stage, message, stderr, .. })
            | Self::Lost(Failure { stage, message, stderr, .. }) => {
                Outcome::Failed { stage, message, stderr }
            }
            Self::Interrupted => Outcome::Skipped { why: "the run was interrupted before it".to_owned() },
        }
    }
}
