//! `tlstax measure`: run a study.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, bail};
use serde_json::json;
use tlstax_names::Written;
use tlstax_report::View;
use tlstax_run::{Extent, Plan, Study};
use tlstax_spec::{Bytes, Id};

use super::answer;
use super::common::{self, Measuring, Showing};
use super::complete;
use super::execution::execute;
use super::measuring;
use super::project::Project;
use super::result_files::ResultFiles;
use crate::failure::Usage;
use crate::output::print_document;

/// Run a study: a declared matrix of cases, each with its question.
///
/// The libraries are chosen by you or by the registry, not by the study: what a library cannot do becomes a row that
/// says so. Batches of all cases are interleaved and shuffled; a case is done when its interval is narrow enough.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  tlstax measure quick\n  tlstax measure quick -l openssl,rustls-ring --budget 5m\n  \
                        tlstax measure large-transfer --quick\n  \
                        tlstax measure small-server --body 500,4k,80k\n  \
                        tlstax measure my-study.toml --verify\n  tlstax measure --resume results/quick-….journal"
)]
pub struct Args {
    /// The name of a study in studies/, or the path of a .toml file; without it, the studies are listed.
    #[arg(add = complete::studies())]
    study: Option<String>,

    /// Go on with the journal of a run that was stopped.
    #[arg(long, value_name = "JOURNAL", conflicts_with_all = ["study", "library", "seed", "precision", "count", "list", "verify", "output"])]
    resume: Option<PathBuf>,

    /// The quick form of the study: its most telling cases, in two minutes.
    #[arg(long, conflicts_with = "resume")]
    quick: bool,

    /// Sizes of files for all loads of the study, in place of its own: 1k,20k,1M.
    #[arg(long, value_name = "SIZE", value_delimiter = ',', value_parser = size, conflicts_with = "resume")]
    body: Vec<Bytes>,

    #[command(flatten)]
    measuring: Measuring,

    #[command(flatten)]
    extent: answer::Extent,
}

fn size(text: &str) -> Result<Bytes, String> {
    Bytes::parse(text, None)
}

pub fn run(args: Args, project: &Project) -> anyhow::Result<ExitCode> {
    let printed = args.extent.printed(args.measuring.form.is_text());
    let showing = Showing { view: &View::of, again: common::REPORT, printed };
    if let Some(journal) = args.resume {
        return resume(journal, args.measuring, project, &showing);
    }
    let Some(name) = args.study else {
        return list_studies(project, args.measuring.form.is_json());
    };
    let extent = if args.quick { Extent::Quick } else { Extent::Full };
    let mut study = Study::read(&project.home, &name, extent)?;
    if !args.body.is_empty() {
        if study.load.is_empty() {
            bail!(Usage(format!(
                "study {} makes no loads, and --body is for those that it makes",
                study.name
            )));
        }
        study = study.with_bodies(&args.body)?;
    }
    measuring::measure_as(study, args.measuring, project, &showing)
}

fn list_studies(project: &Project, as_json: bool) -> anyhow::Result<ExitCode> {
    let mut questions = Vec::new();
    for name in Study::names(&project.home) {
        let study = Study::read(&project.home, &name, Extent::Full)?;
        questions.push((name, study.question.trim().to_owned()));
    }
    let item = |(name, question): &(String, String)| json!({ "name": name, "question": question });
    let line = |(name, question): &(String, String)| {
        format!("{name:16} {}\n", question.lines().next().unwrap_or_default())
    };
    let json = || serde_json::to_string_pretty(&questions.iter().map(item).collect::<Vec<_>>());
    print_document(as_json, json, || questions.iter().map(line).collect())?;
    Ok(ExitCode::SUCCESS)
}

fn resume(
    journal: PathBuf,
    flags: Measuring,
    project: &Project,
    showing: &Showing<'_>,
) -> anyhow::Result<ExitCode> {
    if journal.extension().is_none_or(|extension| extension != "journal") {
        bail!(Usage(format!("{} is no journal: its name ends in .journal", journal.display())));
    }
    let begun = tlstax_doc::read_journal(&journal)?.results;
    if begun.counted.is_some() {
        bail!(Usage("a run that counts is not gone on with: start it anew".to_owned()));
    }
    let mut study = Study::resumed(&begun);
    study.budget_s = flags.budget.unwrap_or(study.budget_s);
    let libraries: Vec<Id> = begun.libraries.into_iter().map(|library| library.id).collect();
    let mut registry = project.registry.clone();
    registry.derive(&libraries, &project.home)?;
    let (seed, version) = (begun.study.seed, env!("CARGO_PKG_VERSION").to_owned());
    let plan = Plan { home: &project.home, registry: &registry, study, libraries, seed, version };
    let files = ResultFiles::of_journal(&journal)?;
    let executed = execute(plan, files, &flags, showing).context("going on with a journal")?;
    Ok(executed.code)
}
