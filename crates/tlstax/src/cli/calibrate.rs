//! `tlstax calibrate`: what each thing that a server does costs it.

mod args;
mod files;
mod study;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use tlstax_doc::Results;
use tlstax_doc::model::{Model, write_model};
use tlstax_plan::{Given, fit};
use tlstax_report::View;
use tlstax_spec::Id;

pub use self::args::Args;
use super::common::{Measuring, Printed, Showing};
use super::documents::tool;
use super::execution::Executed;
use super::measuring::{self, Ended};
use super::new_files;
use super::plans;
use super::project::Project;
use crate::failure::Usage;
use crate::output::warn;

pub fn run(args: Args, project: impl FnOnce() -> anyhow::Result<Project>) -> anyhow::Result<ExitCode> {
    refuse(&args)?;
    // A file that is no use is told before minutes are spent.
    let in_memory = files::results(&args.with)?;
    if !args.from.is_empty() {
        let runs = files::results(&args.from)?;
        let server = args.measuring.library.first();
        return conclude(&args, server, &runs, &in_memory).map(|()| ExitCode::SUCCESS);
    }
    let project = project()?;
    // That there is one was looked at; the results have it by the name of the registry.
    let server = project.registry.canonical(&args.measuring.library[0]);
    let study = study::of(&args, &server)?;
    let measuring = Measuring {
        library: vec![server.clone()],
        output: args.measuring.output.as_deref().map(beside),
        ..args.measuring.clone()
    };
    let again = format!("tlstax calibrate{} --from", output(&args));
    let showing = Showing { view: &View::of, again: &again, printed: Printed::Nothing };
    match measuring::results_of(study, measuring, &project, &showing)? {
        Ended::Looked(code) => Ok(code),
        Ended::Measured(executed) => {
            let Executed { results, code } = *executed;
            match nothing(&results) {
                Some(why) => warn(&format!("no load has a figure, so there is no model: {why}")),
                None => conclude(&args, Some(&server), &[results], &in_memory)?,
            }
            Ok(code)
        }
    }
}

/// Why there is nothing to fit; none if there is something.
fn nothing(results: &Results) -> Option<String> {
    let is_measured = results.measurements.iter().any(|one| one.proof().is_some());
    let mut holes = results.measurements.iter().filter_map(|one| one.outcome.hole());
    if is_measured { None } else { holes.next().or_else(|| Some("nothing was measured".to_owned())) }
}

/// Fits, writes and prints the model of some results, of the loads on one server if it is named.
fn conclude(args: &Args, server: Option<&Id>, runs: &[Results], in_memory: &[Results]) -> anyhow::Result<()> {
    let (runs, in_memory): (Vec<&Results>, Vec<&Results>) =
        (runs.iter().collect(), in_memory.iter().collect());
    let scope = server.map_or_else(|| args.scope(), |server| study::scope(args, server));
    let is_possible = study::is_possible;
    let given =
        Given { runs: &runs, server, in_memory: &in_memory, scope: &scope, is_possible, tool: tool() };
    let model = fit(given).map_err(|error| Usage(error.to_string()))?;
    let path = written(args.measuring.output.as_deref(), &model)?;
    let shown = plans::of_model(&model);
    let page = new_files::write_page(&path, &shown.view)?;
    let places = if args.measuring.quiet { Vec::new() } else { plans::places(Some(&path), Some(&page)) };
    shown.print(&model, &args.measuring.form, args.extent, &places)
}

fn written(output: Option<&Path>, model: &Model) -> anyhow::Result<PathBuf> {
    let path = match output {
        Some(path) => path.to_owned(),
        None => new_files::free(&format!("model-{}", model.server))?,
    };
    write_model(&path, model)?;
    Ok(path)
}

/// The results of a model lie beside it.
fn beside(model: &Path) -> PathBuf {
    model.with_extension("results.json")
}

fn output(args: &Args) -> String {
    args.measuring.output.as_ref().map(|path| format!(" -o {}", path.display())).unwrap_or_default()
}

/// Flags that make no sense where the design says what is measured, or where a model is what comes of it.
fn refuse(args: &Args) -> Result<(), Usage> {
    let flags = &args.measuring;
    new_files::check(flags.output.as_deref())?;
    let problem = if flags.count.is_some() {
        "a model is of time, and counts are no time: leave --count away"
    } else if !flags.without.is_empty() {
        "a server is calibrated as it is: leave --without away"
    } else if flags.library.len() > 1 {
        "a model is of one server: name one with --library, and calibrate the others after it"
    } else if flags.library.is_empty() && args.from.is_empty() {
        "name the server with --library: nginx, apache, haproxy, lighttpd, caddy, or a library in a worker such as openssl-3.6"
    } else {
        return Ok(());
    };
    Err(Usage(problem.to_owned()))
}
