//! One flat row per case and metric, with every field of the case in a column of its own.

use serde_json::Value;

use super::style::Style;
use crate::model::{Figure, View};
use crate::printable::Printable;

/// The columns that tell the figure apart from others.
const BEFORE: &[&str] = &["run", "id"];

/// The columns of the case, as documents name them.
const CASE: &[&str] = &[
    "library",
    "kind",
    "threads",
    "op",
    "algorithm",
    "size",
    "pattern",
    "version",
    "suite",
    "group",
    "key",
    "chain",
    "resumption",
    "mutual",
    "contexts",
    "direction",
    "record",
    "write",
    "buffer",
    "side",
    "connections",
    "client",
    "requests_per_connection",
    "body",
    "work_us",
    "resumed_percent",
    "http",
    "rate",
    "page",
    "sendfile",
    "tls_buffer",
    "workers",
    "pinned",
    "sessions",
];

/// The columns of the figure.
const AFTER: &[&str] =
    &["metric", "value", "low", "high", "unit", "basis", "kept", "total", "verdict", "hole"];

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
#[allow(clippy::unwrap_used)]
mod tests {
    use tlstax_spec::{
        Algorithm, Contexts, Direction, FlatCase, Group, Http, Key, Op, Page, Pattern, Resumption, Sessions,
        Side, Suite, Version,
    };

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

    #[test]
    fn every_field_of_a_case_has_a_column() {
        let all = FlatCase {
            library: "l".to_owned(),
            kind: "k".to_owned(),
            threads: Some(2),
            op: Some(Op::Sign),
            algorithm: Some(Algorithm::Md5),
            size: Some(1),
            pattern: Some(Pattern::Tls),
            version: Some(Version::Tls13),
            suite: Some(Suite::Aes128Gcm),
            group: Some(Group::X25519),
            key: Some(Key::Ed25519),
            chain: Some(1),
            resumption: Some(Resumption::Psk),
            mutual: Some(true),
            contexts: Some(Contexts::PerThread),
            direction: Some(Direction::Upload),
            record: Some(1),
            write: Some(1),
            buffer: Some(1),
            side: Some(Side::Client),
            connections: Some(1),
            client: Some("c".to_owned()),
            requests_per_connection: Some(1),
            body: Some(1),
            work_us: Some(1),
            resumed_percent: Some(1),
            http: Some(Http::Http2),
            rate: Some(1),
            page: Some(Page::FastCgi),
            sendfile: Some(false),
            tls_buffer: Some(1),
            workers: Some(1),
            pinned: Some(false),
            sessions: Some(Sessions::PerWorker),
        };
        let value = serde_json::to_value(&all).unwrap();
        let names: Vec<&str> = value.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(names.len(), CASE.len());
        assert!(names.iter().all(|name| CASE.contains(name)), "{names:?}");
    }
}
