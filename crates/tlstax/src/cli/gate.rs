//! `tlstax gate`: whether a build of a library is slower than another, for continuous integration.

mod args;
mod earlier;
mod sides;
mod study;

use std::process::ExitCode;

use tlstax_doc::{Library, Measurement, Results};
use tlstax_report::{Comparison, Gate, View, compare, compare_libraries};
use tlstax_spec::Id;
use tlstax_stats::{COUNT_FLOOR, Settings};

pub use self::args::Args;
use self::sides::{Base, Sides};
use super::common::{Measuring, Printed, REPORT, Showing};
use super::compare::regressions;
use super::execution::Executed;
use super::measuring::{Ended, results_of};
use super::project::Project;
use crate::failure::{self, Usage};
use crate::output::{print, warn};

/// How long it may take where nobody says, in seconds: as long as a job waits for it.
const BUDGET_S: f64 = 300.0;

pub fn run(args: Args, project: &Project) -> anyhow::Result<ExitCode> {
    let flags = &args.measuring;
    if !flags.library.is_empty() || !flags.without.is_empty() {
        return Err(Usage(
            "a gate measures --base and --head: leave --library and --without away".to_owned(),
        )
        .into());
    }
    let (sides, project) = sides::of(&args, project)?;
    let study = study::of(&args, &sides, &project)?;
    let budget = flags.budget.or(flags.count.is_none().then_some(BUDGET_S));
    let measuring = Measuring { library: sides.measured(), budget, ..flags.clone() };
    let showing = Showing { view: &View::of, again: REPORT, printed: Printed::Nothing };
    let Executed { results, code } = match results_of(study, measuring, &project, &showing)? {
        Ended::Looked(code) => return Ok(code),
        Ended::Measured(executed) => *executed,
    };
    if results.study.interrupted { Ok(code) } else { judge(&args, &sides, &results) }
}

/// Says what became slower, and ends with the code of that.
fn judge(args: &Args, sides: &Sides, results: &Results) -> anyhow::Result<ExitCode> {
    let usual = if results.counted.is_some() { COUNT_FLOOR } else { Settings::default().floor };
    let allowed = if args.fail_above.ratio() > usual { args.fail_above } else { usual.percent() };
    let floor = allowed.ratio();
    // What is neither slower nor faster is the same only if it cannot have changed by more than that.
    let settings = Settings { floor, same_within: floor, ..Settings::default() };
    let found = match &sides.base {
        Base::Measured(base) => compare_libraries(results, base, &sides.head, &settings),
        Base::Earlier(earlier) => {
            compare(&earlier.results, &earlier.renamed(results, &sides.head), &settings)
        }
    };
    can_be_judged(&found, results)?;
    let gate =
        Gate { comparison: &found, allowed, about: about(sides, results), counted: results.counted.as_ref() };
    match args.measuring.form.is_text() && gate.is_silent() {
        true => print(format!("{}{}\n", gate.sentence(), sides.base.caution()))?,
        false => print(args.measuring.form.draw(&gate.view())?)?,
    }
    // A study that is named may be a part of the earlier run.
    let is_part = args.study.is_some() && matches!(sides.base, Base::Earlier(_));
    let failed = regressions(&found, allowed, is_part);
    failed.iter().for_each(|regression| warn(&format!("regression: {regression}")));
    Ok(if failed.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(failure::REGRESSION) })
}

/// Nothing is let pass of which nothing is known.
fn can_be_judged(found: &Comparison, results: &Results) -> Result<(), Usage> {
    let (old, new) = (&found.old, &found.new);
    if found.judged == 0 {
        return Err(Usage(format!(
            "{new} and {old} share no case, so there is nothing to judge: name a --study that both are measured in"
        )));
    }
    if found.changes.iter().any(|change| change.found.ratio.is_some()) {
        return Ok(());
    }
    let hole = |one: &Measurement| Some(format!("{}: {}", one.id, one.outcome.hole()?));
    let few = || "there were too few rounds: give it more time with --budget".to_owned();
    let why = results.measurements.iter().find_map(hole).unwrap_or_else(few);
    Err(Usage(format!("no case has a figure of both {new} and {old}, so there is nothing to judge: {why}")))
}

/// Who is held against whom, and in how many runs.
fn about(sides: &Sides, results: &Results) -> String {
    let head = named(&sides.head, &results.libraries);
    match &sides.base {
        Base::Measured(base) => {
            format!("{head} against {}, interleaved in one run", named(base, &results.libraries))
        }
        Base::Earlier(earlier) => format!(
            "{head} against {}, which was measured in another run ({}): what the machine may have done in between widens the intervals",
            named(&earlier.library, &earlier.results.libraries),
            earlier.results.started
        ),
    }
}

fn named(id: &Id, libraries: &[Library]) -> String {
    let hello = libraries.iter().find(|library| library.id == *id).and_then(|library| library.hello.as_ref());
    hello.map_or_else(|| id.to_string(), |hello| format!("{id} ({})", hello.version))
}
