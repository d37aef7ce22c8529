//! `tlstax traffic replay`: a workload as loads that a client offers.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use tlstax_doc::{read_workload, write};
use tlstax_plan::{Rate, ReplaySettings, replay};

use crate::cli::values;
use crate::failure::Usage;
use crate::output::{print, warn};

/// Make a study of a workload: loads that are like it, for tlstax measure.
///
/// Each kind of connection that matters becomes a case, with its rate. What is left out and what had to be assumed, since no source
/// tells it, stands in the comments.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  tlstax traffic replay results/workload-….json -o like-ours.toml\n  \
                        tlstax measure like-ours.toml")]
pub struct Args {
    /// A file that `tlstax traffic` wrote.
    #[arg(value_name = "WORKLOAD")]
    workload: PathBuf,

    /// The share of connections that the cases have to stand for, in percent.
    #[arg(long, value_name = "PERCENT", default_value = "95", value_parser = values::precision)]
    share: tlstax_stats::Percent,

    /// The rate of the load: that of the busiest second or bucket of time, or of the mean.
    #[arg(long, value_name = "WHICH", default_value = "busiest", value_parser = ["busiest", "mean"])]
    rate: String,

    /// The file of the study; it is printed if absent.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    let workload = read_workload(&args.workload)?;
    let rate = if args.rate == "mean" { Rate::Mean } else { Rate::Busiest };
    let settings = ReplaySettings { share: args.share.ratio().0, rate };
    let replay = replay(&workload, settings).map_err(|error| Usage(error.to_string()))?;
    match args.output.as_deref().filter(|path| *path != Path::new("-")) {
        Some(path) => {
            write(path, replay.study.as_bytes())?;
            warn(&format!("the study: {}; measure it by tlstax measure {0}", path.display()));
        }
        None => print(&replay.study)?,
    }
    Ok(ExitCode::SUCCESS)
}
