//! `tlstax traffic merge`: one workload of several.

use std::path::PathBuf;
use std::process::ExitCode;

use tlstax_doc::{Workload, merge_workloads, read_workload, write_workload};

use super::drawn::{drawn, name};
use crate::cli::answer::Extent;
use crate::cli::documents::tool;
use crate::cli::{new_files, workloads};
use crate::output::{print, warn};

/// Make one workload of several: of a fleet's servers, of one server at several times, or of the parts of one log.
///
/// Exact: it is what one run over everything would have given, whatever the parts and their order.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  tlstax traffic merge web-*.json -o fleet.json\n  \
                        tlstax traffic merge monday.json tuesday.json --full")]
pub struct Args {
    /// Files that `tlstax traffic` wrote.
    #[arg(required = true, value_name = "WORKLOAD")]
    workloads: Vec<PathBuf>,

    /// The file of the merged workload.
    #[arg(long, short, value_name = "FILE", help_heading = "Results")]
    output: Option<PathBuf>,

    /// Print the report as JSON.
    #[arg(long, help_heading = "Results")]
    json: bool,

    #[command(flatten)]
    extent: Extent,
}

pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    new_files::check(args.output.as_deref())?;
    let read = args.workloads.iter().map(|path| read_workload(path)).collect::<Result<Vec<Workload>, _>>()?;
    let merged = merge_workloads(&tool(), &read);
    if let Some(path) = &args.output {
        write_workload(path, &merged)?;
    }
    let named = [(name(args.output.as_deref()), merged)];
    let view = workloads::view(&named);
    let rest = args.output.iter().map(|path| format!("The workload: {}", path.display())).collect();
    print(drawn(&named, &view, args.json, args.extent, rest))?;
    if args.output.is_none() {
        warn("the merged workload is not kept: name a file with --output");
    }
    Ok(ExitCode::SUCCESS)
}
