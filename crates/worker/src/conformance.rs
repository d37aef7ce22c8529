//! The worker's own part of the conformance suite: what can only be seen inside of a library. Connections fail where TLS
//! says that they must, and forgeries are refused. What a worker claims is checked over the bridge, for workers in any
//! language alike.

use std::io::{self, Write};

use crate::adapter::Adapter;
use crate::pki::Pki;
use crate::setup;

mod checks;
mod connections;
mod offers;
mod refusals;

use checks::Checks;
pub use checks::Report;

/// Runs the checks that the library's claims call for, and writes one line for each and one for all.
///
/// # Errors
/// A line could not be written.
pub fn run(adapter: &dyn Adapter, pki: &Pki, output: &mut impl Write) -> io::Result<Report> {
    let hello = setup::hello(adapter);
    writeln!(output, "{} ({})", hello.version, hello.family)?;
    let mut suite = Checks { adapter, pki, hello, output, report: Report::default() };
    refusals::check(&mut suite)?;
    offers::check(&mut suite)?;
    connections::check(&mut suite)?;
    let Report { passed, failed, skipped } = suite.report;
    writeln!(output, "{passed} passed, {failed} failed, {skipped} skipped")?;
    Ok(Report { passed, failed, skipped })
}
