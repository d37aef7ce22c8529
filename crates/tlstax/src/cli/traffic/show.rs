//! What becomes of a workload: it is printed and kept.

use std::path::Path;
use std::process::ExitCode;

use tlstax_doc::Workload;
use tlstax_report::{Printable, View};
use tlstax_traffic::Counted;

use super::args::Args;
use super::files;
use crate::cli::answer::Extent;
use crate::cli::workloads;
use crate::output::{print, style, warn};

/// Prints what was counted, and writes it.
pub fn show(args: &Args, counted: Counted) -> anyhow::Result<ExitCode> {
    let named = [(name(args.output.as_deref()), counted.workload)];
    let view = workloads::view(&named);
    let written = files::write_all(args.output.as_deref(), &named[0].1, &view);
    let places = written.as_ref().map(files::Written::places).unwrap_or_default();
    // Whatever becomes of the files, what was found is shown.
    print(drawn(&named, &view, args.json, args.extent, places.clone()))?;
    written?;
    if !args.quiet && !args.extent.is_brief(!args.json) {
        places.iter().for_each(|place| warn(place));
    }
    Ok(ExitCode::SUCCESS)
}

/// What is printed of workloads: the answer on a terminal, every table elsewhere.
pub fn drawn(
    named: &[(String, Workload)],
    view: &View,
    as_json: bool,
    extent: Extent,
    places: Vec<String>,
) -> Printable {
    if extent.is_brief(!as_json) {
        return workloads::brief(named, view, places).draw(&style());
    }
    let name = if as_json { "json" } else { "text" };
    let format = tlstax_report::format(name).unwrap_or_else(|| unreachable!("both are formats"));
    format.draw(view, &style())
}

/// What tables call it.
pub fn name(output: Option<&Path>) -> String {
    let stem = output.and_then(Path::file_stem);
    stem.map_or_else(|| "workload".to_owned(), |stem| stem.to_string_lossy().into_owned())
}
