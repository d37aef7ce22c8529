//! `tlstax plan advise`: what to change.

use std::convert::Infallible;
use std::process::ExitCode;

use tlstax_plan::{Floor, advise};
use tlstax_run::Mozilla;
use tlstax_spec::Suite;

use super::given::Given;
use super::shown::Showing;
use crate::failure::Usage;

/// Say what to change: every single change that keeps a floor, and the best set of them, by the CPU time that it saves.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    given: Given,

    /// What the server must not go below: Mozilla's configurations of that name.
    #[arg(long, value_name = "NAME", default_value = "intermediate", value_parser = ["modern", "intermediate"])]
    floor: String,

    /// How many changes are shown; the best set is one of them.
    #[arg(long, value_name = "N")]
    most: Option<usize>,

    #[command(flatten)]
    showing: Showing,
}

pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    args.showing.check()?;
    let ready = args.given.read()?;
    let floor = floor(&args.floor)?;
    let Ok(plan) = ready.plan(|ground| {
        let mut scenarios = advise(ground, &floor);
        scenarios.truncate(args.most.unwrap_or(usize::MAX));
        Ok::<_, Infallible>(scenarios)
    });
    args.showing.show(&plan)
}

fn floor(name: &str) -> Result<Floor, Usage> {
    let list = Mozilla::named(name).ok_or_else(|| Usage(format!("there is no floor '{name}'")))?;
    let suites: Vec<Suite> = list.suites().filter_map(|name| name.parse().ok()).collect();
    Ok(if name == "modern" { Floor::modern(suites) } else { Floor::intermediate(suites) })
}
