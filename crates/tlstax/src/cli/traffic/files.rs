//! The files of a workload: the document and a page.

use std::path::{Path, PathBuf};

use anyhow::Context;
use tlstax_doc::{Workload, write_workload};
use tlstax_report::View;

use crate::cli::new_files::{free, write_page};

/// What was written, for the reader to find.
pub struct Written {
    json: PathBuf,
    html: PathBuf,
}

/// Writes everything under the name that was asked for, or one that is free.
///
/// # Errors
/// A file cannot be written.
pub fn write_all(output: Option<&Path>, workload: &Workload, view: &View) -> anyhow::Result<Written> {
    let json = output.map_or_else(|| free("workload"), |path| Ok(path.to_owned()))?;
    write_workload(&json, workload)?;
    let html = write_page(&json, view).context("the workload itself is written")?;
    Ok(Written { json, html })
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
