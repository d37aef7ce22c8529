//! A [`Job`]: a case that is ready to be run in batches.

use std::io;

use tlstax_spec::wire::{Count, Usage};
use tlstax_spec::{Proof, Sample, Stage};

/// How much of a case is done at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Batch {
    /// Iterations that are timed, on each thread.
    pub iterations: u64,
    /// Iterations before them that are not.
    pub warmup: u64,
    /// What each part of so many iterations took is told as well, in one thread; 0: only the whole.
    pub part: u64,
    /// What the timed iterations are counted in as well, in one thread.
    pub count: Option<Count>,
}

impl Batch {
    /// One of which only the whole is told.
    pub const fn whole(iterations: u64, warmup: u64) -> Self {
        Self { iterations, warmup, part: 0, count: None }
    }
}

/// A prepared case. Everything that is not to be timed was done when it was made.
pub trait Job {
    /// Runs a batch of it.
    ///
    /// # Errors
    /// The library failed, or did something else than the case says.
    fn run(&mut self, batch: Batch) -> Result<(Sample, Proof), JobError>;

    /// What a server has used and counted; the error says that the job is none. The next answer tells what each part of so many
    /// responses took as well; 0: only the whole.
    ///
    /// # Errors
    /// There is no server, or it has ended.
    fn usage(&mut self, _part: u64) -> Result<Usage, JobError> {
        Err(JobError::failed(Stage::Run, "only the server's end of a load counts its usage"))
    }
}

pub struct Prepared<'a> {
    pub job: Box<dyn Job + 'a>,
    /// What the trial run proved.
    pub proof: Proof,
    /// Where a server listens, on 127.0.0.1.
    pub port: Option<u16>,
}

/// Why an adapter does not do what it is asked for.
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

/// Why a case has no figure.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum JobError {
    /// The library has no such thing.
    #[error("unsupported: {0}")]
    Unsupported(String),
    /// It went wrong at this stage; the message is one sentence.
    #[error("{stage}: {message}")]
    Failed { stage: Stage, message: String },
}

impl JobError {
    pub fn failed(stage: Stage, message: impl Into<String>) -> Self {
        Self::Failed { stage, message: message.into() }
    }

    /// An error of the library or its transport while `doing` something.
    pub(crate) fn io(stage: Stage, doing: &str, error: &io::Error) -> Self {
        Self::failed(stage, format!("{doing}: {error}"))
    }

    /// What an adapter refused to do.
    pub fn refused(stage: Stage, refusal: Refusal) -> Self {
        match refusal {
            Refusal::Unsupported(reason) => Self::Unsupported(reason),
            Refusal::Failed(message) => Self::failed(stage, message),
        }
    }

    /// What an adapter refused to get ready.
    pub fn preparing(refusal: Refusal) -> Self {
        Self::refused(Stage::Prepare, refusal)
    }

    /// What an adapter refused to do in a batch.
    pub(crate) fn running(refusal: Refusal) -> Self {
        Self::refused(Stage::Run, refusal)
    }
}
