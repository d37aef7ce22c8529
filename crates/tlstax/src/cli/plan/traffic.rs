//! The traffic that a verb is given: a workload that was counted, or one that was written by hand.

use std::path::Path;

use tlstax_doc::{Workload, parse_workload};
use tlstax_traffic::by_hand;

use crate::cli::documents::tool;
use crate::failure::Usage;

/// Reads a workload: the JSON that `tlstax traffic` writes, or the TOML that a person does.
///
/// # Errors
/// It cannot be read, or is neither.
pub fn read(path: &Path) -> anyhow::Result<Workload> {
    let text = tlstax_doc::read(path)?;
    // TOML has no text that begins so.
    if text.trim_start().starts_with('{') {
        return Ok(parse_workload(&text, path)?);
    }
    by_hand(&text, &path.display().to_string(), tool()).map_err(|error| Usage(error.to_string()).into())
}
