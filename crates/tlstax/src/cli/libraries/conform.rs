//! `tlstax libraries conform`: the conformance suite of one worker, by itself.

use std::process::ExitCode;

use tlstax_libraries::{ConformanceExtent, Count, Entry, conformance};
use tlstax_measure::command::Log;
use tlstax_spec::Id;

use crate::cli::complete;
use crate::cli::project::Project;
use crate::failure::{self, Usage};
use crate::output::{print, warn};

/// Run the conformance suite on workers as they are: for whoever writes one, in any language.
///
/// A worker that tlstax builds has passed it already. Each check is a line of the log in target/workers/log.
///
/// Exit code 3 says that a check failed.
#[derive(Debug, clap::Args)]
#[group(id = "conforming")]
pub struct Args {
    /// Ids of libraries.
    #[arg(value_name = "ID", required = true, add = complete::ids())]
    ids: Vec<Id>,

    /// Each suite, group and key once instead of all combinations, and no look at memory.
    #[arg(long)]
    short: bool,
}

/// Runs the suite on each; exit code 3 if a check failed.
pub fn run(args: &Args, project: &Project) -> anyhow::Result<ExitCode> {
    let extent = if args.short { ConformanceExtent::Short } else { ConformanceExtent::Whole };
    let mut failed = 0;
    for entry in project.registry.choose(&args.ids)? {
        let count = examine(entry, extent, project)?;
        for failure in &count.failures {
            print(format!("{failure}\n"))?;
        }
        print(format!(
            "{}: {} passed, {} failed, {} skipped\n",
            entry.id, count.passed, count.failed, count.skipped
        ))?;
        failed += count.failed;
    }
    Ok(if failed == 0 { ExitCode::SUCCESS } else { ExitCode::from(failure::ENVIRONMENT) })
}

fn examine(entry: &Entry, extent: ConformanceExtent, project: &Project) -> anyhow::Result<Count> {
    let Some(block) = entry.block() else {
        return Err(Usage(format!("{} is a program of others, and no worker", entry.id)).into());
    };
    let program = block.program_path(&project.home);
    anyhow::ensure!(program.exists(), "{} is not built; to get it: {}", entry.id, entry.remedy());
    let path = project.home.path().join("target/workers/log").join(format!("{}-conformance.log", entry.id));
    warn(&format!("{}: run the conformance suite; each check is in {}", entry.id, path.display()));
    Ok(conformance(block, &program, &project.home, extent, &mut Log::create(&path)?)?)
}
