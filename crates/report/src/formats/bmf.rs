//! Bencher Metric Format: one JSON object with a benchmark for each case, and in it a measure for each of its costs.
//!
//! Source: <https://bencher.dev/docs/reference/bencher-metric-format>, with its schema `bmf.json` (JSON Schema, draft 7). A measure
//! is named by its slug, of at most 64 characters, from which Bencher makes it where it does not exist. Units are no part of the
//! format, so they are a part of the slug.

use std::collections::BTreeMap;

use serde::Serialize;

use super::measured::{Measured, measured};
use super::style::Style;
use crate::model::{Figure, View};
use crate::printable::Printable;

#[derive(Serialize)]
struct Metric {
    value: f64,
    lower_value: f64,
    upper_value: f64,
}

pub(super) fn render(view: &View, _: &Style) -> Printable {
    let mut benchmarks: BTreeMap<&str, BTreeMap<String, Metric>> = BTreeMap::new();
    for Measured { figure, value, low, high } in measured(view) {
        let metric = Metric { value, lower_value: low, upper_value: high };
        benchmarks.entry(&figure.id).or_default().insert(slug(figure), metric);
    }
    // Maps with keys that are no strings do not occur.
    let json = serde_json::to_string_pretty(&benchmarks).expect("benchmarks and measures go by strings");
    Printable::from(json + "\n")
}

/// The metric and the unit of its number.
fn slug(figure: &Figure) -> String {
    let unit = match figure.unit {
        "ns/iteration" => "-ns",
        "bytes/connection" => "-bytes",
        "new/old" => "-ratio",
        // Counts are named by what is counted.
        _ => "",
    };
    format!("{}{unit}", figure.metric)
}
