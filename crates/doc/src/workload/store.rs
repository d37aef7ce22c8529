//! Reading and writing workloads.

use std::path::Path;

use super::document::{WORKLOAD_VERSION, Workload};
use crate::named::Named;
use crate::store::{self, StoreError};

const WORKLOAD: Named = Named {
    word: "workload",
    one: "a workload",
    version: WORKLOAD_VERSION,
    anew: "it was cut off: count the traffic anew",
    instead: "give a file that `tlstax traffic` wrote",
};

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
    WORKLOAD.parse(text, path)
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
