//! What is printed of workloads.

use std::path::Path;

use tlstax_doc::Workload;
use tlstax_report::{Printable, View};

use crate::cli::answer::Extent;
use crate::cli::workloads;
use crate::output::style;

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
