//! JSON Schemas of the documents, generated from their types.

use crate::results::{RESULTS_VERSION, Results};

/// The schema of [`Results`], pretty-printed, and the name of the file under `schemas/` that holds it.
pub fn results_schema() -> (String, String) {
    let schema = schemars::schema_for!(Results);
    let text = serde_json::to_string_pretty(&schema).expect("a schema has string keys");
    (format!("results.v{}.schema.json", RESULTS_VERSION.major), text + "\n")
}
