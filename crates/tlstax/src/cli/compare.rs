//! `tlstax compare`: the same cases in several runs.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use tlstax_doc::{CountedBy, Profile, Results};
use tlstax_report::{Comparison, compare};
use tlstax_stats::{COUNT_FLOOR, Percent, Settings};

use super::common::Form;
use super::documents::{self, Documents};
use super::{profiles, values};
use crate::failure::{self, Usage};
use crate::output::{print, warn};

/// Compare results: faster, slower, the same, or cannot tell.
///
/// Cases are joined by their ids; every run is compared with the first. A change of the machine between the runs,
/// as the reference kernels saw it, widens the interval: what cannot be told apart from it is not called a change.
/// Of two profiles by tlstax observe: what became more or less of the CPU time.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  tlstax compare before.json after.json\n  \
                        tlstax compare main.json branch.json --fail-above 3   # exit code 1 on a regression, for CI\n  \
                        tlstax compare main.json branch.json --fail-above 0.1   # the same of runs with --count instructions\n  \
                        tlstax compare all.json one.json --fail-above 3 --subset   # one.json has fewer cases")]
pub struct Args {
    /// The results to compare with.
    old: PathBuf,

    /// The results that are compared.
    #[arg(required = true)]
    new: Vec<PathBuf>,

    /// Exit with code 1 if a case became slower by more than this many percent, or has no figure any more: because it
    /// failed, or because a later run does not have it.
    #[arg(long, value_name = "PERCENT", value_parser = values::percent, allow_negative_numbers = true)]
    fail_above: Option<Percent>,

    /// Later runs may have fewer cases: --fail-above judges those that they have.
    #[arg(long, requires = "fail_above")]
    subset: bool,

    /// Changes below this many percent are never called changes: code and stack come to lie differently in each run. 0.3 for times,
    /// 0.05 for counts if absent.
    #[arg(long, value_name = "PERCENT", value_parser = values::percent, allow_negative_numbers = true)]
    floor: Option<Percent>,

    #[command(flatten)]
    form: Form,
}

pub fn run(args: Args) -> anyhow::Result<ExitCode> {
    let paths: Vec<PathBuf> = std::iter::once(&args.old).chain(&args.new).cloned().collect();
    let mut runs = match documents::read_all(&paths)? {
        Documents::Profiles(profiles) => return of_profiles(&args, &profiles),
        Documents::Workloads(_) => {
            let what = "workloads are not compared: tlstax report sets them side by side";
            return Err(Usage(what.to_owned()).into());
        }
        Documents::Model(_) | Documents::Plan(_) => {
            unreachable!("of several files none is a model or a plan")
        }
        Documents::Results(runs) => runs,
    };
    let newer = runs.split_off(1);
    let [old] = runs.as_slice() else { unreachable!("the old results are one of the files that were read") };
    let usual = if old.counted.is_some() { COUNT_FLOOR } else { Settings::default().floor };
    let settings = Settings { floor: args.floor.map_or(usual, Percent::ratio), ..Settings::default() };
    let mut comparisons = Vec::new();
    for (path, new) in args.new.iter().zip(&newer) {
        if args.fail_above.is_some() && measure(old) != measure(new) {
            return Err(nothing_alike(&args.old, path).into());
        }
        let found = compare(old, new, &settings);
        let usable = if args.fail_above.is_some() { found.judged } else { found.shared };
        if usable == 0 {
            return Err(nothing_in_common(&args.old, path).into());
        }
        comparisons.push(found);
    }
    print(args.form.draw(&Comparison::view_of(&comparisons))?)?;
    let Some(fail_above) = args.fail_above else { return Ok(ExitCode::SUCCESS) };
    let found: Vec<String> =
        comparisons.iter().flat_map(|found| regressions(found, fail_above, args.subset)).collect();
    found.iter().for_each(|regression| warn(&format!("regression: {regression}")));
    Ok(if found.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(failure::REGRESSION) })
}

/// What changed in shares; no gate, because a share may change for what others do.
fn of_profiles(args: &Args, profiles: &[(String, Profile)]) -> anyhow::Result<ExitCode> {
    if args.fail_above.is_some() || args.floor.is_some() {
        let what = "profiles have no gate: shares change with whatever else a server does; leave --fail-above and --floor away";
        return Err(Usage(what.to_owned()).into());
    }
    print(args.form.draw(&profiles::difference(profiles)?)?)?;
    Ok(ExitCode::SUCCESS)
}

/// What fails the gate, in words: cases that are slower, and cases that cannot be measured any more.
pub(super) fn regressions(found: &Comparison, fail_above: Percent, subset: bool) -> Vec<String> {
    let slower = found.regressions(fail_above).into_iter().map(|one| {
        let digits = if one.metric.is_count() { 3 } else { 1 };
        format!("{} ({}) is {:.digits$} % slower", one.id, one.metric.name(), one.ratio.change().0)
    });
    slower.chain(without_figure(found, subset)).collect()
}

/// The cases that have no figure any more, grouped by the reason.
fn without_figure(found: &Comparison, subset: bool) -> Vec<String> {
    let absent = found.absent.iter().filter(|_| !subset).map(|id| (id.as_str(), "it is not in this run"));
    let lost = found.lost.iter().map(|one| (one.id.as_str(), one.why.as_str()));
    let mut reasons: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (id, why) in lost.chain(absent) {
        reasons.entry(why).or_default().push(id);
    }
    let told = reasons.into_iter().map(|(why, ids)| match ids.as_slice() {
        [id] => format!("{id} has no figure any more: {why}"),
        ids => format!("{} cases have no figure any more: {why}\n  {}", ids.len(), ids.join("\n  ")),
    });
    told.collect()
}

/// What counted in a run; none where it took times.
fn measure(results: &Results) -> Option<CountedBy> {
    results.counted.as_ref().map(|counted| counted.by)
}

fn nothing_alike(old: &Path, new: &Path) -> Usage {
    Usage(format!(
        "{} and {} have no figure to hold against each other: one counts instructions and the other does not, or not by the same \
         means; --fail-above needs two runs with the same --count",
        old.display(),
        new.display()
    ))
}

fn nothing_in_common(old: &Path, new: &Path) -> Usage {
    Usage(format!(
        "{} and {} have no case of a library in common: compare runs of the same study with the same libraries; \
         tlstax report FILE shows what a run holds",
        old.display(),
        new.display()
    ))
}
