//! One flat row per case and metric, with every field of the case in a column of its own.

use serde_json::Value;
use tlstax_spec::FlatCase;

use super::style::Style;
use crate::model::{Figure, View};
use crate::printable::Printable;

const BEFORE: &[&str] = &["run", "id"];

/// The columns of the case, as documents name them.
const CASE: &[&str] = FlatCase::FIELDS;

const AFTER: &[&str] =
    &["metric", "value", "low", "high", "unit", "basis", "kept", "total", "verdict", "hole", "as_it_went"];

pub(super) fn render(view: &View, _: &Style) -> Printable {
    let mut writer = ::csv::Writer::from_writer(Vec::new());
    let header = BEFORE.iter().chain(CASE).chain(AFTER);
    // Writing to memory does not fail, and every row has as many fields as the header.
    writer.write_record(header).expect("a header has one length");
    for figure in &view.figures {
        writer.write_record(row(figure)).expect("every row has the length of the header");
    }
    let bytes = writer.into_inner().expect("memory takes everything");
    String::from_utf8(bytes).expect("every field was text").into()
}

fn row(figure: &Figure) -> Vec<String> {
    let figure = serde_json::to_value(figure).expect("a figure has string keys");
    let case = &figure["case"];
    let of = |value: &Value, name: &str| match value.get(name) {
        // One thread is what absence means.
        None if name == "threads" => "1".to_owned(),
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => inert(text),
        Some(other) => other.to_string(),
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
