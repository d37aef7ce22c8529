//! Documents of a newer minor version: what this program does not understand in them is left out, and reported.

use serde_json::Value;

use crate::results::{Measurement, Note, Results, Severity};

/// How many measurements are named.
const NAMED: usize = 5;

/// The results without the measurements that have words which this program does not know, and a note on those; none where
/// more than measurements is not understood.
pub(crate) fn understood(text: &str) -> Option<Results> {
    let mut document: Value = serde_json::from_str(text).ok()?;
    let measurements = document.get_mut("measurements")?.as_array_mut()?;
    let is_known = |one: &Value| serde_json::from_value::<Measurement>(one.clone()).is_ok();
    let (known, unknown): (Vec<Value>, Vec<Value>) =
        std::mem::take(measurements).into_iter().partition(is_known);
    *measurements = known;
    let mut results: Results = serde_json::from_value(document).ok()?;
    let note = note(&results, &unknown);
    results.notes.push(note);
    Some(results)
}

fn note(results: &Results, unknown: &[Value]) -> Note {
    let name = |one: &Value| one.get("id").and_then(Value::as_str).unwrap_or("one without an id").to_owned();
    let mut names: Vec<String> = unknown.iter().take(NAMED).map(name).collect();
    if unknown.len() > NAMED {
        names.push("...".to_owned());
    }
    Note {
        severity: Severity::Warning,
        what: format!(
            "{} measurements are left out: a newer tlstax ({}, results of schema {}) measured what this one does not know: {}",
            unknown.len(),
            results.tool.version,
            results.schema,
            names.join(", ")
        ),
        remedy: "read the document with the tlstax that wrote it, or a newer one".to_owned(),
    }
}
