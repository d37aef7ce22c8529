//! The files that a verb writes for what it has found: a document and what stands beside it.

use std::path::{Path, PathBuf};

use tlstax_doc::{StoreError, rfc3339, take_name, write};
use tlstax_measure::clock;
use tlstax_report::{Style, View};

use crate::failure::Usage;

/// Where documents lie when nobody says where.
const FOLDER: &str = "results";

/// Refuses a name that cannot be that of a document, before anything is measured.
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

/// Takes a name with the time; of documents that end in one second, each later one has a number behind it.
///
/// # Errors
/// Nothing can be written there.
pub fn free(what: &str) -> Result<PathBuf, StoreError> {
    let stamp = rfc3339(clock::wall()).replace([':', '-'], "");
    let first = PathBuf::from(FOLDER).join(format!("{what}-{stamp}.json"));
    let numbered = (2..).map(|number| PathBuf::from(FOLDER).join(format!("{what}-{stamp}-{number}.json")));
    for path in std::iter::once(first).chain(numbered) {
        if take_name(&path)? {
            return Ok(path);
        }
    }
    unreachable!("the numbers do not end")
}

/// Writes the page of a document beside it.
///
/// # Errors
/// The file cannot be written.
pub fn write_page(json: &Path, view: &View) -> Result<PathBuf, StoreError> {
    let html = json.with_extension("html");
    let page = tlstax_report::format("html").unwrap_or_else(|| unreachable!("html is one of the formats"));
    write(&html, page.draw(view, &Style::default()).as_bytes())?;
    Ok(html)
}
