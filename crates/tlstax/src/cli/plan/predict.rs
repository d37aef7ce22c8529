//! `tlstax plan`: a prediction, changes to it, and its check.

use std::process::ExitCode;

use crate::cli::project::Project;

#[derive(Debug, clap::Args)]
pub struct Args {}

pub fn run(_args: Args, _project: impl FnOnce() -> anyhow::Result<Project>) -> anyhow::Result<ExitCode> {
    anyhow::bail!("not built yet")
}
