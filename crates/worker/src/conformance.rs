//! The suite that every adapter passes before anything of it may be timed: it does what it claims, and it fails where
//! TLS says that it must.

use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::str::FromStr;

use tlstax_spec::wire::{Hello, PROTOCOL};

use crate::adapter::Adapter;
use crate::job::JobError;
use crate::pki::Pki;
use crate::setup;
use crate::threads::panicked;

mod connections;
mod handshakes;
mod loads;
mod offers;
mod primitives;
mod suites;

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

/// How much of the suite is run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// All of it.
    Whole,
    /// Each suite, group and key in one handshake instead of all combinations, and no look at memory: for a worker that
    /// sanitizers watch, which slow it down and keep what is freed.
    Short,
}

/// Runs the checks that the library's claims call for, and writes one line for each and one for all.
///
/// # Errors
/// A line could not be written.
pub fn run(adapter: &dyn Adapter, pki: &Pki, extent: Extent, output: &mut impl Write) -> io::Result<Report> {
    let hello = setup::hello(adapter);
    writeln!(output, "{} ({})", hello.version, hello.family)?;
    let mut suite = Checks { adapter, pki, extent, hello, output, report: Report::default() };
    suite.claims()?;
    primitives::check(&mut suite)?;
    handshakes::check(&mut suite)?;
    offers::check(&mut suite)?;
    connections::check(&mut suite)?;
    loads::check(&mut suite)?;
    suites::check(&mut suite)?;
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
    extent: Extent,
    hello: Hello,
    output: &'a mut dyn Write,
    report: Report,
}

impl<'a> Checks<'a> {
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

    /// Whether the library says who it is, in words of our vocabulary.
    fn claims(&mut self) -> io::Result<()> {
        let hello = self.hello.clone();
        self.check("claims", |_, _| {
            if hello.protocol != PROTOCOL {
                return Err(Miss::failed(format!("speaks protocol {}, this is {PROTOCOL}", hello.protocol)));
            }
            if hello.family.is_empty() || hello.version.is_empty() {
                return Err(Miss::failed("does not say its family or version"));
            }
            primitives::unknown_names(&hello.primitives)?;
            known::<tlstax_spec::Pattern>(&hello.patterns)?;
            known::<tlstax_spec::Version>(&hello.versions)?;
            known::<tlstax_spec::Suite>(&hello.suites)?;
            known::<tlstax_spec::Group>(&hello.groups)?;
            known::<tlstax_spec::Key>(&hello.keys)?;
            known::<tlstax_spec::Resumption>(&hello.resumptions)?;
            known::<tlstax_spec::Switch>(&hello.without)?;
            Ok(())
        })
    }
}

/// The members of a vocabulary that a library claims, or the name that is none.
fn known<T: FromStr<Err = tlstax_spec::UnknownName>>(names: &[String]) -> Result<Vec<T>, Miss> {
    names.iter().map(|name| name.parse().map_err(|error: T::Err| Miss::failed(error.to_string()))).collect()
}

/// The members that a library claims; a name that is none was reported before.
fn claimed<T: FromStr>(names: &[String]) -> Vec<T> {
    names.iter().filter_map(|name| name.parse().ok()).collect()
}
