//! A check, and how many came out which way.

use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};

use tlstax_spec::wire::Hello;

use crate::adapter::Adapter;
use crate::job::JobError;
use crate::pki::Pki;
use crate::threads::panicked;

/// How many checks came out which way.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Report {
    pub passed: usize,
    pub failed: usize,
    /// It does not claim this, or refuses this combination with a reason.
    pub skipped: usize,
}

#[derive(Debug)]
pub(super) enum Miss {
    Failed(String),
    Skipped(String),
}

impl Miss {
    pub(super) fn failed(message: impl Into<String>) -> Self {
        Self::Failed(message.into())
    }
}

impl From<io::Error> for Miss {
    fn from(error: io::Error) -> Self {
        Self::Failed(error.to_string())
    }
}

/// A combination that a library refuses with a reason is a hole in the matrix; anything else is a fault.
impl From<JobError> for Miss {
    fn from(error: JobError) -> Self {
        match error {
            JobError::Unsupported(reason) => Self::Skipped(reason),
            failed @ JobError::Failed { .. } => Self::Failed(failed.to_string()),
        }
    }
}

pub(super) struct Checks<'a> {
    pub(super) adapter: &'a dyn Adapter,
    pub(super) pki: &'a Pki,
    pub(super) hello: Hello,
    pub(super) output: &'a mut dyn Write,
    pub(super) report: Report,
}

impl Checks<'_> {
    pub(super) fn check(
        &mut self,
        name: &str,
        act: impl FnOnce(&dyn Adapter, &Pki) -> Result<(), Miss>,
    ) -> io::Result<()> {
        let outcome = catch_unwind(AssertUnwindSafe(|| act(self.adapter, self.pki)))
            .unwrap_or_else(|panic| Err(Miss::Failed(panicked(&*panic).to_string())));
        match outcome {
            Ok(()) => {
                self.report.passed += 1;
                writeln!(self.output, "ok    {name}")
            }
            Err(Miss::Failed(why)) => {
                self.report.failed += 1;
                writeln!(self.output, "FAIL  {name}: {why}")
            }
            Err(Miss::Skipped(why)) => {
                self.report.skipped += 1;
                writeln!(self.output, "skip  {name}: {why}")
            }
        }
    }
}
