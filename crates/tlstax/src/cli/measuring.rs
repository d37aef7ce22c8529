//! A study, measured, listed or verified as the flags say.

use std::process::ExitCode;

use tlstax_doc::{Measurement, Outcome};
use tlstax_report::View;
use tlstax_run::{Plan, Study, verify_study};
use tlstax_stats::HalfWidth;

use super::common::{Measuring, Printed, REPORT, Showing, cast, catch_signals};
use super::execution::{Executed, execute};
use super::project::Project;
use super::result_files::ResultFiles;
use crate::failure;
use crate::output::print_document;
use crate::progress::Screen;

/// A run that counts has an hour if nothing else is said.
const COUNTING_BUDGET_S: f64 = 3600.0;

/// Measures a study as the flags say, writes its results and prints every table of the report on them.
pub fn measure(study: Study, flags: Measuring, project: &Project) -> anyhow::Result<ExitCode> {
    measure_as(
        study,
        flags,
        project,
        &Showing { view: &View::of, again: REPORT, printed: Printed::Everything },
    )
}

/// As [`measure()`], with another report, or less of it.
pub fn measure_as(
    study: Study,
    flags: Measuring,
    project: &Project,
    showing: &Showing<'_>,
) -> anyhow::Result<ExitCode> {
    Ok(match results_of(study, flags, project, showing)? {
        Ended::Looked(code) => code,
        Ended::Measured(executed) => executed.code,
    })
}

/// How it ended.
pub enum Ended {
    /// Cases were listed or verified, and nothing was measured.
    Looked(ExitCode),
    Measured(Box<Executed>),
}

/// As [`measure_as`], for a verb that goes on with the results.
pub fn results_of(
    mut study: Study,
    flags: Measuring,
    project: &Project,
    showing: &Showing<'_>,
) -> anyhow::Result<Ended> {
    if let Some(budget) = flags.budget {
        study.budget_s = budget;
    } else if flags.count.is_some() {
        // A count takes what it takes, and more time makes it no better.
        study.budget_s = COUNTING_BUDGET_S;
    }
    if let Some(percent) = flags.precision {
        study.precision = HalfWidth(percent.ratio());
    }
    study.canonicalise(&project.registry);
    let (registry, libraries) = cast(&flags, &study, project)?;
    let seed = flags.seed.unwrap_or_else(|| tlstax_measure::clock::monotonic().0);
    let version = env!("CARGO_PKG_VERSION").to_owned();
    let plan = Plan { home: &project.home, registry: &registry, study, libraries, seed, version };
    if flags.list {
        return list(&plan, &flags).map(Ended::Looked);
    }
    if flags.verify {
        return verify(&plan, &flags).map(Ended::Looked);
    }
    let files = ResultFiles::claim(flags.output.as_deref(), &plan.study.name)?;
    execute(plan, files, &flags, showing).map(|executed| Ended::Measured(Box::new(executed)))
}

fn list(plan: &Plan<'_>, flags: &Measuring) -> anyhow::Result<ExitCode> {
    let ids: Vec<String> = plan.cases()?.iter().map(|case| case.id()).collect();
    let lines = || ids.iter().map(|id| format!("{id}\n")).collect();
    print_document(flags.form.is_json(), || serde_json::to_string_pretty(&ids), lines)?;
    Ok(ExitCode::SUCCESS)
}

fn verify(plan: &Plan<'_>, flags: &Measuring) -> anyhow::Result<ExitCode> {
    catch_signals()?;
    let mut screen = Screen::new(flags.quiet);
    let measurements = verify_study(plan, &mut screen);
    screen.clear();
    let measurements = measurements?;
    let lines = || measurements.iter().map(line).collect();
    print_document(flags.form.is_json(), || serde_json::to_string(&measurements), lines)?;
    let failed = measurements.iter().any(|found| matches!(found.outcome, Outcome::Failed { .. }));
    Ok(if failed { ExitCode::from(failure::ENVIRONMENT) } else { ExitCode::SUCCESS })
}

fn line(measurement: &Measurement) -> String {
    let what = measurement.outcome.hole().unwrap_or_else(|| "works".to_owned());
    format!("{}: {what}\n", measurement.id)
}
