//! Reading and writing workloads.

use std::path::Path;

use serde::Deserialize;

use super::document::{WORKLOAD_VERSION, Workload};
use crate::store::{self, StoreError};
use crate::version::SchemaVersion;

/// Reads a workload.
///
/// # Errors
/// The file cannot be read, or holds no workload of a version that this program reads.
pub fn read_workload(path: &Path) -> Result<Workload, StoreError> {
    parse_workload(&store::read(path)?, path)
}

/// Reads the text of a workload; the path is for messages.
///
/// # Errors
/// The text holds no workload of a version that this program reads.
pub fn parse_workload(text: &str, path: &Path) -> Result<Workload, StoreError> {
    let malformed = |source: serde_json::Error| StoreError::Malformed {
        path: path.to_owned(),
        what: "workload",
        remedy: if source.is_eof() {
            "it was cut off: count the traffic anew"
        } else {
            "give a file that `tlstax traffic` wrote"
        },
        source,
    };
    let head: Head = serde_json::from_str(text).map_err(malformed)?;
    if head.document.as_deref() == Some("workload") && !WORKLOAD_VERSION.can_read(head.schema) {
        let (found, known) = (head.schema, WORKLOAD_VERSION);
        return Err(StoreError::Newer { path: path.to_owned(), what: "a workload", found, known });
    }
    serde_json::from_str(text).map_err(malformed)
}

/// Writes a workload: there whole, or not at all.
///
/// # Errors
/// The file cannot be written; what was there before stays.
pub fn write_workload(path: &Path, workload: &Workload) -> Result<(), StoreError> {
    // Maps with keys that are no strings do not occur in the types.
    let json = serde_json::to_vec(workload).expect("workloads have string keys");
    store::write(path, &json)
}

/// What says which document it is, whatever else is in it.
#[derive(Deserialize)]
struct Head {
    schema: SchemaVersion,
    document: Option<String>,
}
