//! From a study and flags to what is measured, the files of it, and a printed report.

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, bail};
use tlstax_doc::{Journal, Measurement, Profile, Results, StoreError};
use tlstax_libraries::{Entry, Home, LibraryPattern, Registry, RegistryError};
use tlstax_observe::live::LiveError;
use tlstax_report::{Printable, Style, View};
use tlstax_run::{Observer, Plan, RunError, RunOutcome, Study, count, run, verify_study};
use tlstax_spec::{Id, Switch};
use tlstax_stats::HalfWidth;

use super::answer;
use super::beside::Beside;
use super::common::{Measuring, catch_signals};
use super::meeting::meet;
use super::project::Project;
use super::result_files::ResultFiles;
use super::values::Switches;
use crate::failure;
use crate::output::{print, print_document, warn};
use crate::progress::Screen;

/// A run that counts has an hour if nothing else is said.
const COUNTING_BUDGET_S: f64 = 3600.0;

/// What shows results again, but for their file.
pub const REPORT: &str = "tlstax report";

/// What is made of results, and how much of it is printed.
pub struct Showing<'s> {
    pub view: &'s dyn Fn(&Results) -> View,
    /// What shows it again, but for the file of the results behind it.
    pub again: &'s str,
    /// Whether the answer alone is printed, and not every table.
    pub is_brief: bool,
}

/// Measures a study as the flags say, writes its results and prints every table of the report on them.
pub fn measure(study: Study, flags: Measuring, project: &Project) -> anyhow::Result<ExitCode> {
    measure_as(study, flags, project, &Showing { view: &View::of, again: REPORT, is_brief: false })
}

/// As [`measure()`], with another report, or less of it.
pub fn measure_as(
    mut study: Study,
    flags: Measuring,
    project: &Project,
    showing: &Showing<'_>,
) -> anyhow::Result<ExitCode> {
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
        return list(&plan, &flags);
    }
    if flags.verify {
        return verify(&plan, &flags);
    }
    let files = ResultFiles::claim(flags.output.as_deref(), &plan.study.name)?;
    execute(plan, files, &flags, showing)
}

/// Who takes part: the ids of the libraries, and a registry that has them all.
pub fn cast(flags: &Measuring, study: &Study, project: &Project) -> anyhow::Result<(Registry, Vec<Id>)> {
    let mut registry = project.registry.clone();
    let named: Vec<Id> = flags.library.iter().map(|name| registry.canonical(name)).collect();
    let patterns = study.libraries.iter().filter_map(LibraryPattern::id);
    let ends = study.servers().chain(study.clients());
    registry.derive(named.iter().chain(patterns).chain(ends), &project.home)?;
    let libraries = libraries(&named, flags, study, &registry, &project.home)?;
    registry.derive(&libraries, &project.home)?;
    Ok((registry, libraries))
}

/// The libraries that are measured: each that was chosen, and after it the same without what is to be switched off. A
/// library that is known without it by a block of its own is that one.
fn libraries(
    named: &[Id],
    flags: &Measuring,
    study: &Study,
    registry: &Registry,
    home: &Home,
) -> anyhow::Result<Vec<Id>> {
    let chosen = match named {
        [] => there(registry.about(&study.libraries)?, flags, home)?,
        named => registry.choose(named)?,
    };
    let mut off: Vec<&[Switch]> = study.without.iter().map(Vec::as_slice).collect();
    off.extend(flags.without.iter().map(|Switches(off)| off.as_slice()));
    let mut ids = Vec::new();
    for entry in chosen {
        ids.push(entry.id.clone());
        for off in &off {
            ids.push(entry.id_without(off).map_err(RegistryError::from)?);
        }
    }
    Ok(ids)
}

/// Of the libraries that a study is about those that were built; which are not, is said. A server is in the table whether it is
/// there or not: its row says how to get it.
fn there<'a>(about: Vec<&'a Entry>, flags: &Measuring, home: &Home) -> anyhow::Result<Vec<&'a Entry>> {
    let is_there = |entry: &&Entry| entry.program_path(home).is_none_or(|program| program.exists());
    let (there, absent): (Vec<&Entry>, Vec<&Entry>) = about.into_iter().partition(is_there);
    if there.is_empty() {
        bail!(RunError::NoLibrary { libraries: absent.into_iter().map(Entry::not_built).collect() });
    }
    if !absent.is_empty() && !flags.quiet {
        let ids: Vec<&str> = absent.iter().map(|entry| entry.id.as_str()).collect();
        let (list, words) = (ids.join(", "), ids.join(" "));
        warn(&format!("not built, so left out: {list}; to get them: tlstax libraries build {words}"));
    }
    Ok(there)
}

/// Runs a plan, writes what came of it and prints it.
pub fn execute(
    plan: Plan<'_>,
    files: ResultFiles,
    flags: &Measuring,
    showing: &Showing<'_>,
) -> anyhow::Result<ExitCode> {
    catch_signals()?;
    let (_held, note) = meet(flags.if_busy)?;
    let ResultFiles { json, html, journal } = files;
    let (outcome, profile) = ran(plan, journal, flags);
    let RunOutcome { mut results, journal } = outcome?;
    results.notes.extend(note);
    let mut view = (showing.view)(&results);
    if let Some(profile) = &profile {
        keep(profile, &json.with_extension("profile.json"));
        view = view.with_profile(profile);
    }
    let written = Written::of(&results, &view, &json, &html);
    // Whatever becomes of the files, what was found is shown: it took minutes to measure.
    let page = Some(html.as_path()).filter(|_| written.has_page());
    let rest = if written.results.is_ok() { answer::places(&json, page, showing.again) } else { Vec::new() };
    let printed = print(match showing.is_brief {
        true => answer::of(&results, &view, rest),
        false => flags.form.draw(&view),
    });
    written.told(&journal, &json)?;
    if results.study.interrupted {
        return interrupted(&results, journal, &json, showing.again);
    }
    journal.remove()?;
    printed?;
    // The answer says it itself.
    if !flags.quiet && !showing.is_brief {
        warn(&format!("results: {}", json.display()));
        page.into_iter().for_each(|page| warn(&format!("report:  {}", page.display())));
    }
    let measured = results.measurements.iter().any(|measurement| measurement.proof().is_some());
    Ok(if measured { ExitCode::SUCCESS } else { ExitCode::from(failure::ENVIRONMENT) })
}

/// What a run came to, and what was sampled meanwhile if that was asked for.
fn ran(
    plan: Plan<'_>,
    journal: Journal,
    flags: &Measuring,
) -> (Result<RunOutcome, RunError>, Option<Profile>) {
    let mut screen = Screen::new(flags.quiet);
    let (outcome, profile) = match flags.count {
        Some(what) => (count(&plan, what.into(), journal, &mut screen), Ok(None)),
        None if flags.observe => observed(&mut screen, |observer| run(plan, journal, observer)),
        None => (run(plan, journal, &mut screen), Ok(None)),
    };
    screen.clear();
    let profile = profile.unwrap_or_else(|error| {
        warn(&format!("nothing was sampled: {error}"));
        None
    });
    (outcome, profile)
}

/// A run whose processes are sampled meanwhile.
fn observed<T>(
    screen: &mut Screen,
    run: impl FnOnce(&mut dyn Observer) -> T,
) -> (T, Result<Option<Profile>, LiveError>) {
    let mut beside = Beside::begin(screen);
    let outcome = run(&mut beside);
    (outcome, beside.end())
}

fn keep(profile: &Profile, path: &Path) {
    match tlstax_doc::write_profile(path, profile) {
        Ok(()) => warn(&format!("profile: {}", path.display())),
        Err(error) => warn(&format!("the profile is not kept: {error}")),
    }
}

/// What became of the files of a run.
struct Written {
    results: Result<(), StoreError>,
    /// None where there was no writing of results: a page without them is of no use.
    page: Option<Result<(), StoreError>>,
}

impl Written {
    fn of(results: &Results, view: &View, json: &Path, html: &Path) -> Self {
        let results = tlstax_doc::write_results(json, results);
        let page = results.is_ok().then(|| tlstax_doc::write(html, drawn(view).as_bytes()));
        Self { results, page }
    }

    fn has_page(&self) -> bool {
        matches!(self.page, Some(Ok(())))
    }

    /// Says what is missing.
    ///
    /// # Errors
    /// Results that could not be written are an error: they are in the journal only.
    fn told(self, journal: &Journal, json: &Path) -> anyhow::Result<()> {
        self.results.with_context(|| {
            let journal = journal.path().display();
            format!(
                "what was measured is in {journal}; when that is mended: tlstax measure --resume {journal}"
            )
        })?;
        if let Some(Err(error)) = self.page {
            let json = json.display();
            warn(&format!("no HTML report: {error}; later: tlstax report {json} --format html > FILE"));
        }
        Ok(())
    }
}

/// The report page that is written beside the results.
fn drawn(view: &View) -> Printable {
    let format = tlstax_report::format("html").unwrap_or_else(|| unreachable!("html is one of the formats"));
    format.draw(view, &Style::default())
}

/// Says where what was measured so far is, and how to go on: of a run that answers more than a report on it, also what does
/// that then.
fn interrupted(results: &Results, journal: Journal, json: &Path, again: &str) -> anyhow::Result<ExitCode> {
    let so_far = format!("interrupted; so far: {}", json.display());
    if results.counted.is_some() {
        // A run that counts is not gone on with: its processes are to be alike.
        journal.remove()?;
        warn(&so_far);
    } else {
        let then = if again == REPORT { String::new() } else { format!(", then {again} {}", json.display()) };
        warn(&format!("{so_far}; go on with tlstax measure --resume {}{then}", journal.path().display()));
    }
    Ok(ExitCode::from(failure::INTERRUPTED))
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
    let failed = measurements.iter().any(|found| matches!(found.outcome, tlstax_doc::Outcome::Failed { .. }));
    Ok(if failed { ExitCode::from(failure::ENVIRONMENT) } else { ExitCode::SUCCESS })
}

fn line(measurement: &Measurement) -> String {
    let what = measurement.outcome.hole().unwrap_or_else(|| "works".to_owned());
    format!("{}: {what}\n", measurement.id)
}
