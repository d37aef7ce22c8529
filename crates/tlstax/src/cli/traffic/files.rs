//! The files of a workload: the document and a page.

use std::path::{Path, PathBuf};

use anyhow::Context;
use tlstax_doc::{Workload, rfc3339, write, write_workload};
use tlstax_measure::clock;
use tlstax_report::{Style, View};

use crate::failure::Usage;

/// Where workloads lie when nobody says where.
const FOLDER: &str = "results";

/// What was written, for the reader to find.
pub struct Written {
    json: PathBuf,
    html: PathBuf,
}

/// Refuses a name that cannot be that of the document, before anything is counted.
///
/// # Errors
/// It is a folder, or nothing that ends in a name.
pub fn check(output: Option<&Path>) -> Result<(), Usage> {
    match output {
        Some(path) if path == Path::new("-") => {
            Err(Usage("- is no file: --output names one, and --json prints to standard output".to_owned()))
        }
        Some(path) if path.is_dir() || path.file_name().is_none() => {
            Err(Usage(format!("{} is a folder: name a file in it", path.display())))
        }
        _ => Ok(()),
    }
}

/// Writes everything under the name that was asked for, or one that is free.
///
/// # Errors
/// A file cannot be written.
pub fn write_all(output: Option<&Path>, workload: &Workload, view: &View) -> anyhow::Result<Written> {
    let json = output.map_or_else(free, Path::to_owned);
    let html = json.with_extension("html");
    write_workload(&json, workload)?;
    let page = tlstax_report::format("html").unwrap_or_else(|| unreachable!("html is one of the formats"));
    write(&html, page.draw(view, &Style::default()).as_bytes()).context("the workload itself is written")?;
    Ok(Written { json, html })
}

/// The time; of workloads that end in one second, each later one has a number behind it.
fn free() -> PathBuf {
    let stamp = rfc3339(clock::wall()).replace([':', '-'], "");
    let first = PathBuf::from(FOLDER).join(format!("workload-{stamp}.json"));
    let numbered = (2..).map(|number| PathBuf::from(FOLDER).join(format!("workload-{stamp}-{number}.json")));
    let is_free = |path: &PathBuf| path.symlink_metadata().is_err();
    std::iter::once(first)
        .chain(numbered)
        .find(is_free)
        .unwrap_or_else(|| unreachable!("the numbers do not end"))
}

impl Written {
    /// Where the rest is, for the last lines of an answer.
    pub fn places(&self) -> Vec<String> {
        vec![
            format!("Every table: tlstax report {} --full", self.json.display()),
            format!("Page: {}", self.html.display()),
        ]
    }
}
