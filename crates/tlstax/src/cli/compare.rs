//! `tlstax compare`: the same cases in several runs.

use std::path::PathBuf;
use std::process::ExitCode;

use tlstax_report::{Comparison, compare};
use tlstax_stats::Settings;

use super::common::Form;
use crate::failure;
use crate::output::{print, warn};

/// Compare results: faster, slower, the same, or cannot tell.
///
/// Cases are joined by their ids; every run is compared with the first. A change of the machine between the runs,
/// as the reference kernels saw it, widens the interval: what cannot be told apart from it is not called a change.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  tlstax compare before.json after.json\n  \
                        tlstax compare main.json branch.json --fail-above 3   # exit code 1 on a regression, for CI")]
pub struct Args {
    /// The results to compare with.
    old: PathBuf,

    /// The results that are compared.
    #[arg(required = true)]
    new: Vec<PathBuf>,

    /// Exit with code 1 if a case became slower by more than this many percent.
    #[arg(long, value_name = "PERCENT")]
    fail_above: Option<f64>,

    /// Changes below this many percent are never called changes: code and stack come to lie differently in each run.
    #[arg(long, value_name = "PERCENT", default_value = "1")]
    floor: f64,

    #[command(flatten)]
    form: Form,
}

/// Compares results.
pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    let settings = Settings { floor: args.floor / 100.0, ..Settings::default() };
    let old = tlstax_doc::read_results(&args.old)?;
    let mut comparisons = Vec::new();
    for path in &args.new {
        comparisons.push(compare(&old, &tlstax_doc::read_results(path)?, &settings));
    }
    print(&args.form.draw(&Comparison::view_of(&comparisons)))?;
    let Some(percent) = args.fail_above else { return Ok(ExitCode::SUCCESS) };
    let regressions: Vec<_> =
        comparisons.iter().flat_map(|found| found.regressions(percent / 100.0)).collect();
    for regression in &regressions {
        let slower = (regression.ratio - 1.0) * 100.0;
        warn(&format!(
            "regression: {} ({}) is {slower:.1} % slower",
            regression.id,
            regression.metric.name()
        ));
    }
    Ok(if regressions.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(failure::REGRESSION) })
}
