//! `tlstax traffic replay`: a workload as a load that a client offers.

use std::path::PathBuf;
use std::process::ExitCode;

use tlstax_doc::read_workload;

use crate::failure::Usage;

/// Print what the lean client would offer to be like a workload: a load for tlstax load.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// A file that `tlstax traffic` wrote.
    #[arg(value_name = "WORKLOAD")]
    workload: PathBuf,
}

pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    let _workload = read_workload(&args.workload)?;
    Err(Usage("workloads cannot be replayed yet".to_owned()).into())
}
