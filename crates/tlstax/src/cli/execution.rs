//! From a plan to what is measured, the files of it, and a printed report.

use std::path::Path;
use std::process::ExitCode;

use anyhow::Context;
use tlstax_doc::{Journal, Profile, Results, StoreError};
use tlstax_observe::live::LiveError;
use tlstax_report::{Printable, Style, View};
use tlstax_run::{Observer, Plan, RunError, RunOutcome, count, run};

use super::answer;
use super::beside::Beside;
use super::common::{Measuring, Printed, REPORT, Showing, catch_signals};
use super::meeting::meet;
use super::proving::prove;
use super::result_files::ResultFiles;
use crate::failure;
use crate::output::{print, warn};
use crate::progress::Screen;

/// What came of a run: its results, and with what the program is to end.
pub struct Executed {
    pub results: Results,
    pub code: ExitCode,
}

/// Runs a plan, writes what came of it and prints it.
pub fn execute(
    plan: Plan<'_>,
    files: ResultFiles,
    flags: &Measuring,
    showing: &Showing<'_>,
) -> anyhow::Result<Executed> {
    catch_signals()?;
    let (_held, note) = meet(flags.if_busy)?;
    prove(&plan, flags.quiet)?;
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
    let printed = match showing.printed {
        Printed::Nothing => Ok(()),
        Printed::Answer => print(answer::of(&results, &view, rest)),
        Printed::Everything => print(flags.form.draw(&view)?),
    };
    written.told(&journal, &json)?;
    if results.study.interrupted {
        let code = interrupted(&results, journal, &json, showing.again)?;
        return Ok(Executed { results, code });
    }
    journal.remove()?;
    printed?;
    // The answer says it itself.
    if !flags.quiet && showing.printed != Printed::Answer {
        warn(&format!("results: {}", json.display()));
        page.into_iter().for_each(|page| warn(&format!("report:  {}", page.display())));
    }
    let measured = results.measurements.iter().any(|measurement| measurement.proof().is_some());
    let code = if measured { ExitCode::SUCCESS } else { ExitCode::from(failure::ENVIRONMENT) };
    Ok(Executed { results, code })
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
