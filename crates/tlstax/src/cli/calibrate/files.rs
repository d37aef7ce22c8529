//! Results that exist.

use std::path::{Path, PathBuf};

use tlstax_doc::{DocumentKind, Results, document_kind, parse_results};

use crate::failure::Usage;

/// Reads results.
///
/// # Errors
/// A file cannot be read, or holds something else.
pub fn results(paths: &[PathBuf]) -> anyhow::Result<Vec<Results>> {
    paths.iter().map(|path| one(path)).collect()
}

fn one(path: &Path) -> anyhow::Result<Results> {
    let text = tlstax_doc::read(path)?;
    let instead = match document_kind(&text) {
        DocumentKind::Model => {
            "a model already, and a model is fitted to results: give those beside it, *.results.json"
        }
        _ => return Ok(parse_results(&text, path)?),
    };
    Err(Usage(format!("{} is {instead}", path.display())).into())
}
