//! What the action github-action-benchmark takes: a JSON array with an entry for each cost, of which less is better.
//!
//! Source: <https://github.com/benchmark-action/github-action-benchmark>, README, `tool: customSmallerIsBetter`: `name`, `unit` and
//! `value`; `range` and `extra` are texts, shown beside the value and below it.

use serde::Serialize;

use super::measured::{Measured, measured};
use super::style::Style;
use crate::model::{Quantity, View};
use crate::number;
use crate::printable::Printable;

#[derive(Serialize)]
struct Entry {
    name: String,
    unit: &'static str,
    value: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    range: Option<String>,
    extra: String,
}

pub(super) fn render(view: &View, _: &Style) -> Printable {
    let entries: Vec<Entry> = measured(view).iter().map(entry).collect();
    let json = serde_json::to_string_pretty(&entries).expect("an entry has string keys");
    Printable::from(json + "\n")
}

fn entry(Measured { figure, value, low, high }: &Measured<'_>) -> Entry {
    Entry {
        name: format!("{} {}", figure.id, figure.metric),
        unit: figure.unit,
        value: *value,
        range: number::half_width(&Quantity::between(*value, *low, *high, figure.unit)),
        extra: format!(
            "interval {low} to {high}\n{}, {} of {} rounds\nrun {}",
            figure.basis, figure.kept, figure.total, figure.run
        ),
    }
}
