//! Why a process did not give what was asked of it.

use tlstax_doc::Outcome;
use tlstax_spec::Stage;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refused {
    /// The library or the machine has no such thing.
    Unsupported(String),
    Failed(Failure),
    /// A process ended, or fell silent, in the middle of it: in a new process it may go well.
    Lost(Failure, Loss),
    /// The user wants to stop.
    Interrupted,
}

/// Why a process can no longer be talked to, the worst last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Loss {
    /// It ended: nothing that it said before is in doubt.
    Ended,
    /// It did not answer in time, which has taken all that time.
    Silent,
    /// What it wrote is no answer to what was asked.
    Untrustworthy,
}

impl std::fmt::Display for Refused {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Unsupported(reason) => f.write_str(reason),
            Self::Failed(failure) | Self::Lost(failure, _) => {
                write!(f, "{}: {}", failure.stage, failure.message)
            }
            Self::Interrupted => f.write_str("interrupted"),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    pub stage: Stage,
    pub message: String,
    /// The end of what the process has printed: of a worker, its standard error.
    pub stderr: String,
    /// Whether the process can no longer be talked to.
    pub lost: bool,
}

impl Refused {
    /// A failure in which the process itself is well.
    pub fn failed(stage: Stage, message: impl Into<String>) -> Self {
        Self::Failed(Failure { stage, message: message.into(), stderr: String::new(), lost: false })
    }

    /// A failure after which the process can no longer be talked to.
    pub fn lost(stage: Stage, message: impl Into<String>) -> Self {
        Self::Failed(Failure { stage, message: message.into(), stderr: String::new(), lost: true })
    }

    /// The same failure with the end of what the process has printed.
    pub fn with_output(self, stderr: String) -> Self {
        match self {
            Self::Failed(failure) => Self::Failed(Failure { stderr, ..failure }),
            other => other,
        }
    }

    /// Whether a process can no longer be talked to.
    pub fn is_lost(&self) -> bool {
        matches!(self, Self::Failed(Failure { lost: true, .. }) | Self::Lost(..))
    }

    /// What becomes of the case; an interrupted one is merely skipped.
    pub fn into_outcome(self) -> Outcome {
        match self {
            Self::Unsupported(reason) => Outcome::Unsupported { reason },
            Self::Failed(Failure { stage, message, stderr, .. })
            | Self::Lost(Failure { stage, message, stderr, .. }, _) => {
                Outcome::Failed { stage, message, stderr }
            }
            Self::Interrupted => Outcome::Skipped { why: "the run was interrupted before it".to_owned() },
        }
    }
}
