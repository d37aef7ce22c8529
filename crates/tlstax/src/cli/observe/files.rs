//! The files of a profile: the document, a page, and a flame graph.

use std::path::{Path, PathBuf};

use anyhow::Context;
use tlstax_doc::{Profile, write, write_profile};
use tlstax_report::{View, flame_graph};

use crate::cli::new_files::{free, write_page};

/// What was written, for the reader to find.
pub struct Written {
    pub json: PathBuf,
    pub html: PathBuf,
    pub svg: PathBuf,
}

/// Writes everything under the name that was asked for, or one that is free.
///
/// # Errors
/// A file cannot be written.
pub fn write_all(output: Option<&Path>, profile: &Profile, view: &View) -> anyhow::Result<Written> {
    let json = output.map_or_else(|| free("profile"), |path| Ok(path.to_owned()))?;
    let svg = json.with_extension("svg");
    write_profile(&json, profile)?;
    let html = write_page(&json, view).context("the profile itself is written")?;
    write(&svg, flame_graph(profile).as_bytes()).context("the profile itself is written")?;
    Ok(Written { json, html, svg })
}

impl Written {
    /// Where the rest is, for the last lines of an answer.
    pub fn places(&self) -> Vec<String> {
        vec![
            format!("Every table: tlstax report {} --full", self.json.display()),
            format!("Page: {}; flame graph: {}", self.html.display(), self.svg.display()),
        ]
    }
}
