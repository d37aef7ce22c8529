//! The worker's own part of the conformance suite: what can only be seen inside of a library. Connections fail where TLS
//! says that they must, and forgeries are refused. What a worker claims is checked over the bridge, for workers in any
//! language alike.

use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};

use tlstax_spec::wire::Hello;

use crate::adapter::Adapter;
use crate::job::JobError;
use crate::pki::Pki;
use crate::setup;
use crate::threads::panicked;

mod connections;
mod handshakes;
mod offers;
mod primitives;

/// How many checks came out which way.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Report {
    /// The library did what it must.
    pub passed: usize,
    /// It did not.
    pub failed: usize,
    /// It does not claim this, or refuses this combination with a reason.
    pub skipped: usize,
}

/// Runs the checks that the library's claims call for, and writes one line for each and one for all.
///
/// # Errors
/// A line could not be written.
pub fn run(adapter: &dyn Adapter, pki: &Pki, output: &mut impl Write) -> io::Result<Report> {
    let hello = setup::hello(adapter);
    writeln!(output, "{} ({})", hello.version, hello.family)?;
    let mut suite = Checks { adapter, pki, hello, output, report: Report::default() };
    primitives::check(&mut suite)?;
    handshakes::check(&mut suite)?;
    offers::check(&mut suite)?;
    connections::check(&mut suite)?;
    let Report { passed, failed, skipped } = suite.report;
    writeln!(output, "{passed} passed, {failed} failed, {skipped} skipped")?;
    Ok(Report { passed, failed, skipped })
}

/// Why a check did not pass.
#[derive(Debug)]
enum Miss {
    Failed(String),
    Skipped(String),
}

impl Miss {
    fn failed(message: impl Into<String>) -> Self {
        Self::Failed(message.into())
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

struct Checks<'a> {
    adapter: &'a dyn Adapter,
    pki: &'a Pki,
    hello: Hello,
    output: &'a mut dyn Write,
    report: Report,
}

impl Checks<'_> {
    fn check(
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
