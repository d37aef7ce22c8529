//! What becomes of a workload: it is printed and kept.

use std::process::ExitCode;

use tlstax_traffic::Counted;

use super::args::Args;
use super::drawn::{drawn, name};
use super::files;
use crate::cli::workloads;
use crate::output::{print, warn};

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
