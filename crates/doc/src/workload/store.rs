//! Reading and writing workloads.

use std::path::Path;

use serde::de::Error as _;
use serde_json::error::Category;

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
    WORKLOAD.parse(text, path).map_err(unquoted)
}

/// The same error without what stands in the file: that may be a log, which was named by mistake, with all that is personal in it.
fn unquoted(error: StoreError) -> StoreError {
    match error {
        StoreError::Malformed { path, what, source, remedy } => {
            StoreError::Malformed { path, what, source: by_place(&source), remedy }
        }
        other => other,
    }
}

fn by_place(error: &serde_json::Error) -> serde_json::Error {
    let found = match error.classify() {
        Category::Eof => "it ends too early",
        Category::Syntax => "it is no JSON",
        Category::Data | Category::Io => "it has something else",
    };
    serde_json::Error::custom(format_args!("{found} at line {} column {}", error.line(), error.column()))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_workload_is_not_quoted() {
        for text in ["127.0.0.1 - - [", "\"planted\"", "{\"schema\":\"planted\"}", "{\"planted\":1}"] {
            let error = parse_workload(text, Path::new("file")).unwrap_err().to_string();
            assert!(!error.contains("planted") && !error.contains("127"), "{error}");
            assert!(error.contains("line 1") && error.contains("tlstax traffic"), "{error}");
        }
        let cut = parse_workload("{\"schema\":{\"major\":1,\"minor\":0}", Path::new("file")).unwrap_err();
        assert!(cut.to_string().contains("cut off"), "{cut}");
    }
}
