//! `tlstax libraries conform`: the conformance suite of one worker, by itself.

use std::io;
use std::process::ExitCode;

use tlstax_libraries::{Block, ConformanceExtent, Count, conformance};
use tlstax_measure::command::Log;
use tlstax_measure::signal::interrupted;

use super::build::named;
use crate::cli::complete;
use crate::cli::project::Project;
use crate::failure;
use crate::output::{print, warn};

/// Run the conformance suite on workers as they are: for whoever writes one, in any language.
///
/// A worker that tlstax builds has passed it already. Each check is a line of the log in target/workers/log.
///
/// Exit code 3 says that a check failed.
#[derive(Debug, clap::Args)]
#[group(id = "conforming")]
pub struct Args {
    /// Ids of libraries, or words for groups of them: default, fast, standard, all.
    #[arg(value_name = "ID", required = true, add = complete::ids())]
    ids: Vec<String>,

    /// Each suite, group and key once instead of all combinations, and no look at memory.
    #[arg(long)]
    short: bool,
}

/// Runs the suite on each; exit code 3 if a check failed.
pub fn run(args: &Args, project: &Project) -> anyhow::Result<ExitCode> {
    let extent = if args.short { ConformanceExtent::Short } else { ConformanceExtent::Whole };
    let mut failed = 0;
    for block in named(&args.ids, project)? {
        let count = examine(block, extent, project)?;
        if interrupted() {
            let Count { passed, failed, .. } = count;
            warn(&format!(
                "{}: interrupted; {passed} checks had passed and {failed} failed: see the log",
                block.id
            ));
            return Ok(ExitCode::from(failure::INTERRUPTED));
        }
        for failure in &count.failures {
            print(format!("{failure}\n"))?;
        }
        print(format!(
            "{}: {} passed, {} failed, {} skipped\n",
            block.id, count.passed, count.failed, count.skipped
        ))?;
        failed += count.failed;
    }
    Ok(if failed == 0 { ExitCode::SUCCESS } else { ExitCode::from(failure::ENVIRONMENT) })
}

fn examine(block: &Block, extent: ConformanceExtent, project: &Project) -> anyhow::Result<Count> {
    let program = block.program_path(&project.home);
    if !program.exists() {
        let missing = format!("{} is not built; to get it: {}", block.id, block.remedy());
        return Err(io::Error::new(io::ErrorKind::NotFound, missing).into());
    }
    let path = project.home.log(&format!("{}-conformance", block.id));
    let mut log = Log::create(&path)?;
    warn(&format!("{}: run the conformance suite; each check is in {}", block.id, path.display()));
    Ok(conformance(block, &program, &project.home, extent, &mut log)?)
}
