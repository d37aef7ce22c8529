//! `tlstax plan`: a prediction, changes to it, and its check.

use std::process::ExitCode;

use tlstax_plan::Change;

use super::check::Checking;
use super::given::Given;
use super::shown::Showing;
use crate::cli::project::Project;
use crate::failure::Usage;

// Its group would have the name of the verb's own.
#[derive(Debug, clap::Args)]
#[group(skip)]
pub struct Args {
    #[command(flatten)]
    given: Given,

    /// Something that is done otherwise: cert=ecdsa-p256, tickets=on, resumed=80%, suite=, group=, version=, http=h2,
    /// requests-per-connection=20, record=4k, sendfile=off, library=. Given again for another; each alone, and all together.
    #[arg(long, value_name = "NAME=VALUE", value_parser = change)]
    what_if: Vec<Change>,

    #[command(flatten)]
    check: Checking,

    #[command(flatten)]
    showing: Showing,
}

pub fn run(args: Args, project: impl FnOnce() -> anyhow::Result<Project>) -> anyhow::Result<ExitCode> {
    args.showing.check()?;
    if args.check.is_of_results() {
        return args.check.of_results(&args.given.server()?.1, &args.showing.form);
    }
    if args.check.check {
        return args.check.of_workload(&args.given, &args.showing, &project()?);
    }
    let ready = args.given.read()?;
    let plan = ready.plan(|ground| ground.scenarios(&args.what_if));
    let plan = plan.map_err(|error| Usage(error.to_string()))?;
    args.showing.show(&plan)
}

fn change(text: &str) -> Result<Change, String> {
    text.parse().map_err(|error: tlstax_plan::BadChange| error.to_string())
}
