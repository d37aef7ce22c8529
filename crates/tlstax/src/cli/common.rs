//! Flags that all measuring verbs share, and the way from a study to a printed report.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use clap::builder::PossibleValue;
use tlstax_doc::Measurement;
use tlstax_report::{FORMATS, Format, Style, View};
use tlstax_run::{Plan, Study, run, verify_study};

use super::top::Project;
use crate::failure::{self, Usage};
use crate::output::{print, style, warn};
use crate::progress::Screen;

/// How to measure, and what to do with the results.
#[derive(Debug, Clone, Args)]
pub struct Measuring {
    /// Libraries to measure, by their ids; the registry's default ones if none are named.
    #[arg(long, short, value_name = "ID", value_delimiter = ',', help_heading = "Measuring")]
    pub library: Vec<String>,

    /// How long it may take, preparation included: 30s, 2m.
    #[arg(long, value_name = "TIME", value_parser = duration, help_heading = "Measuring")]
    pub budget: Option<f64>,

    /// Stop measuring a case when half its 95 % interval is within this many percent of its value.
    #[arg(long, value_name = "PERCENT", help_heading = "Measuring")]
    pub precision: Option<f64>,

    /// The seed of the order of batches; chosen anew each time if absent, and kept in the results.
    #[arg(long, value_name = "NUMBER", help_heading = "Measuring")]
    pub seed: Option<u64>,

    /// List the cases and stop.
    #[arg(long, conflicts_with = "verify", help_heading = "Measuring")]
    pub list: bool,

    /// Prepare every case and run it once, to see what works; measure nothing.
    #[arg(long, help_heading = "Measuring")]
    pub verify: bool,

    /// Where the results go; results/STUDY-TIME.json if absent. An HTML report is written beside it.
    #[arg(long, short, value_name = "FILE", help_heading = "Results")]
    pub output: Option<PathBuf>,

    #[command(flatten)]
    pub form: Form,

    /// No progress, only results and failures.
    #[arg(long, short, help_heading = "Results")]
    pub quiet: bool,
}

/// The form of what is printed.
#[derive(Debug, Clone, Args)]
pub struct Form {
    /// What to print.
    #[arg(long, short, value_name = "FORMAT", default_value = "text", value_parser = format_names(), help_heading = "Results")]
    pub format: String,

    /// The same as --format json.
    #[arg(long, conflicts_with = "format", help_heading = "Results")]
    pub json: bool,
}

fn format_names() -> clap::builder::PossibleValuesParser {
    let named = |format: &Format| PossibleValue::new(format.name).help(format.about);
    FORMATS.iter().map(named).collect::<Vec<_>>().into()
}

impl Form {
    /// Draws a view in the format that was asked for, as wide as the screen.
    pub fn draw(&self, view: &View) -> String {
        let name = if self.json { "json" } else { self.format.as_str() };
        let format = tlstax_report::format(name)
            .unwrap_or_else(|| unreachable!("clap lets only names of formats pass"));
        (format.render)(view, &style())
    }

    fn is_json(&self) -> bool {
        self.json || self.format == "json"
    }
}

/// Reads 90, 90s, 2m or 1m30s as seconds.
pub fn duration(text: &str) -> Result<f64, String> {
    let refused = || format!("'{text}' is no time: write 90s, 2m or 1m30s");
    if let Ok(seconds) = text.parse::<f64>() {
        return Ok(seconds);
    }
    let span: jiff::SignedDuration = text.parse().map_err(|_| refused())?;
    match span.is_positive() {
        true => Ok(span.as_secs_f64()),
        false => Err(refused()),
    }
}

/// Measures a study as the flags say, writes its results and prints them.
pub fn measure(mut study: Study, flags: Measuring, project: &Project) -> anyhow::Result<ExitCode> {
    if let Some(budget) = flags.budget {
        study.budget_s = budget;
    }
    if let Some(percent) = flags.precision {
        study.precision = percent / 100.0;
    }
    let stem = stem(&flags, &study)?;
    let plan = Plan {
        home: &project.home,
        registry: &project.registry,
        study,
        libraries: flags.library.clone(),
        seed: flags.seed.unwrap_or_else(|| tlstax_measure::clock::monotonic().0),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        journal: stem.with_extension("journal"),
        resume: false,
    };
    if flags.list {
        return list(&plan);
    }
    if flags.verify {
        return verify(&plan, &flags);
    }
    execute(plan, &stem, &flags)
}

/// Runs a plan, writes what came of it and prints it.
pub fn execute(plan: Plan<'_>, stem: &Path, flags: &Measuring) -> anyhow::Result<ExitCode> {
    let mut screen = Screen::new(flags.quiet);
    let outcome = run(plan, &mut screen);
    screen.clear();
    let outcome = outcome?;
    let results = outcome.results;
    let json = stem.with_extension("json");
    tlstax_doc::write_results(&json, &results)?;
    let view = View::of(&results);
    let html = stem.with_extension("html");
    tlstax_doc::write(&html, page(&view).as_bytes())?;
    print(&flags.form.draw(&view))?;
    if results.study.interrupted {
        let journal = stem.with_extension("journal");
        warn(&format!(
            "interrupted; so far: {}; go on with tlstax measure --resume {}",
            json.display(),
            journal.display()
        ));
        return Ok(ExitCode::from(failure::INTERRUPTED));
    }
    outcome.journal.remove()?;
    if !flags.quiet {
        warn(&format!("results: {}\nreport:  {}", json.display(), html.display()));
    }
    let measured = results.measurements.iter().any(|measurement| measurement.proof().is_some());
    Ok(if measured { ExitCode::SUCCESS } else { ExitCode::from(failure::ENVIRONMENT) })
}

/// The report page that is written beside the results.
fn page(view: &View) -> String {
    let format = tlstax_report::format("html").unwrap_or_else(|| unreachable!("html is one of the formats"));
    (format.render)(view, &Style::default())
}

fn stem(flags: &Measuring, study: &Study) -> anyhow::Result<PathBuf> {
    let stem = match &flags.output {
        Some(path) if path.is_dir() => {
            return Err(Usage(format!("{} is a folder: name a file in it", path.display())).into());
        }
        Some(path) => path.with_extension(""),
        None => {
            let stamp = tlstax_measure::clock::utc().replace([':', '-'], "");
            PathBuf::from("results").join(format!("{}-{stamp}", study.name))
        }
    };
    Ok(stem)
}

fn list(plan: &Plan<'_>) -> anyhow::Result<ExitCode> {
    let ids: String = plan.cases()?.iter().map(|case| case.id() + "\n").collect();
    print(&ids)?;
    Ok(ExitCode::SUCCESS)
}

fn verify(plan: &Plan<'_>, flags: &Measuring) -> anyhow::Result<ExitCode> {
    let mut screen = Screen::new(flags.quiet);
    let measurements = verify_study(plan, &mut screen);
    screen.clear();
    let measurements = measurements?;
    let text = match flags.form.is_json() {
        true => serde_json::to_string(&measurements)? + "\n",
        false => measurements.iter().map(line).collect(),
    };
    print(&text)?;
    let failed = measurements.iter().any(|found| matches!(found.outcome, tlstax_doc::Outcome::Failed { .. }));
    Ok(if failed { ExitCode::from(failure::ENVIRONMENT) } else { ExitCode::SUCCESS })
}

fn line(measurement: &Measurement) -> String {
    let what = measurement.outcome.hole().unwrap_or_else(|| "works".to_owned());
    format!("{}: {what}\n", measurement.id)
}
