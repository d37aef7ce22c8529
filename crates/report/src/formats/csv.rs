//! One flat row per case and metric, with every field of the case in a column of its own; of claims, one per figure; of profiles, one per
//! share; of workloads, one per kind of connection, size and span of time; of models and plans, one per figure. Of a view without any of
//! these, one per figure of its tables.

use serde::Serialize;
use serde_json::Value;
use tlstax_spec::FlatCase;

use super::style::Style;
use crate::model::{Block, Cell, Figure, Row, Section, Table, View};
use crate::printable::Printable;

const BEFORE: &[&str] = &["run", "id"];

/// The columns of the case, as documents name them.
const CASE: &[&str] = FlatCase::FIELDS;

const AFTER: &[&str] =
    &["metric", "value", "low", "high", "unit", "basis", "kept", "total", "verdict", "hole", "as_it_went"];

const CLAIM: &[&str] = &[
    "claim", "source", "words", "kind", "verdict", "why", "place", "machine", "of", "value", "low", "high",
    "unit",
];

const SHARE: &[&str] = &["profile", "cost", "algorithm", "of", "value", "low", "high", "weight", "unit"];

const TRAFFIC: &[&str] = &[
    "workload",
    "table",
    "name",
    "connections",
    "connections_at_most",
    "full",
    "resumed",
    "requests",
    "bytes_out",
    "bytes_in",
    "value",
    "unit",
];

const COST: &[&str] = &["document", "at", "table", "name", "value", "low", "high", "unit", "remark"];

const OF_TABLE: &[&str] = &["section", "table", "row", "column", "value", "low", "high", "unit", "hole"];

pub(super) fn render(view: &View, _: &Style) -> Printable {
    if !view.shares.is_empty() {
        return table(SHARE.iter().copied(), view.shares.iter().map(|share| named_row(share, SHARE)));
    }
    if !view.traffic.is_empty() {
        return table(TRAFFIC.iter().copied(), view.traffic.iter().map(|row| named_row(row, TRAFFIC)));
    }
    if !view.costs.is_empty() {
        return table(COST.iter().copied(), view.costs.iter().map(|row| named_row(row, COST)));
    }
    if view.figures.is_empty() && !view.claims.is_empty() {
        return table(CLAIM.iter().copied(), view.claims.iter().map(|claim| named_row(claim, CLAIM)));
    }
    if view.figures.is_empty() && !is_of_a_run(view) {
        return table(OF_TABLE.iter().copied(), view.sections.iter().flat_map(of_section));
    }
    table(BEFORE.iter().chain(CASE).chain(AFTER).copied(), view.figures.iter().map(row))
}

fn table(header: impl Iterator<Item = &'static str>, rows: impl Iterator<Item = Vec<String>>) -> Printable {
    let mut writer = ::csv::Writer::from_writer(Vec::new());
    // Writing to memory does not fail, and every row has as many fields as the header.
    writer.write_record(header).expect("a header has one length");
    for row in rows {
        writer.write_record(row).expect("every row has the length of the header");
    }
    let bytes = writer.into_inner().expect("memory takes everything");
    String::from_utf8(bytes).expect("every field was text").into()
}

/// The report on a run has rows of cases, even where no case has a figure.
fn is_of_a_run(view: &View) -> bool {
    view.sections.iter().any(|section| section.id == "machine")
}

/// The figures of a section's tables, those that are hidden at first too.
fn of_section(section: &Section) -> Vec<Vec<String>> {
    let tables = section.blocks.iter().filter_map(|block| match block {
        Block::Table(table) | Block::Details(table) => Some(table),
        _ => None,
    });
    tables.flat_map(|table| table.rows.iter().flat_map(|row| of_row(&section.id, table, row))).collect()
}

fn of_row(section: &str, table: &Table, row: &Row) -> Vec<Vec<String>> {
    let cells = || table.columns.iter().zip(&row.cells);
    let labels = cells().filter(|(column, _)| column.label).filter_map(|(_, cell)| match cell {
        Cell::Text { text } => Some(text.as_str()),
        _ => None,
    });
    let name = labels.collect::<Vec<_>>().join(" / ");
    let figure = |title: &str, figure: [String; 5]| {
        let words = [section, &table.caption, &name, title].map(inert);
        words.into_iter().chain(figure).collect()
    };
    let number = |number: f64| number.to_string();
    let found = cells().filter_map(|(column, cell)| match cell {
        Cell::Quantity(it) => {
            let [value, low, high] = [it.value, it.low, it.high].map(number);
            Some(figure(&column.title, [value, low, high, inert(it.unit), String::new()]))
        }
        Cell::Hole { reason } => {
            let [value, low, high, unit] = [const { String::new() }; 4];
            Some(figure(&column.title, [value, low, high, unit, inert(reason)]))
        }
        _ => None,
    });
    found.collect()
}

fn named_row(row: &impl Serialize, names: &[&str]) -> Vec<String> {
    let row = serde_json::to_value(row).expect("a row has string keys");
    // What is not known is not there.
    names.iter().map(|name| field(&row[*name])).collect()
}

fn field(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => inert(text),
        other => other.to_string(),
    }
}

fn row(figure: &Figure) -> Vec<String> {
    let figure = serde_json::to_value(figure).expect("a figure has string keys");
    let case = &figure["case"];
    let of = |value: &Value, name: &str| match value.get(name) {
        // One thread is what absence means.
        None if name == "threads" => "1".to_owned(),
        found => field(found.unwrap_or(&Value::Null)),
    };
    let outer = |names: &[&str]| names.iter().map(|name| of(&figure, name)).collect::<Vec<_>>();
    let inner = CASE.iter().map(|name| of(case, name));
    outer(BEFORE).into_iter().chain(inner).chain(outer(AFTER)).collect()
}

/// Text that a spreadsheet takes as text: what it would take as a formula gets an apostrophe before it, as OWASP advises.
fn inert(text: &str) -> String {
    let begins_formula = text.starts_with(['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠']);
    if begins_formula { format!("'{text}") } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn d17_text_that_begins_a_formula_is_text_to_a_spreadsheet() {
        for text in ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "＝1"] {
            assert_eq!(inert(text), format!("'{text}"));
        }
        for text in ["", "openssl", "a=b", "2026-01-02", "'=1"] {
            assert_eq!(inert(text), text);
        }
    }
}
