//! `tlstax calibrate`: what each thing that a server does costs it.

use std::process::ExitCode;

use super::project::Project;

/// Fit a cost model to a server: a small designed set of loads.
#[derive(Debug, clap::Args)]
pub struct Args {}

pub fn run(_args: Args, _project: &Project) -> anyhow::Result<ExitCode> {
    anyhow::bail!("not built yet")
}
