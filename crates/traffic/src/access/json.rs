//! Formats that write a JSON object.

use serde_json::Value;

use super::piece::Piece;

/// The keys of the object that a format writes, and the variable behind each; none if it writes something else. Keys of inner
/// objects are joined by dots. A value that is not one variable alone is left out.
pub fn keys(pieces: &[Piece]) -> Option<Vec<(String, String)>> {
    let Some(Piece::Text(first)) = pieces.first() else { return None };
    if !first.trim_ascii_start().starts_with(b"{") {
        return None;
    }
    let (text, names) = with_marks(pieces)?;
    let value: Value = serde_json::from_str(&text).ok()?;
    let mut keys = Vec::new();
    collect("", &value, &names, &mut keys);
    value.is_object().then_some(keys)
}

/// What stands for a variable; it is not written in a format.
const MARK: char = '\u{1}';

/// The text of a format with marks in place of variables, each a string of its own where it does not stand in one.
fn with_marks(pieces: &[Piece]) -> Option<(String, Vec<&str>)> {
    let mut text = String::new();
    let mut names = Vec::new();
    let mut is_in_string = false;
    for piece in pieces {
        match piece {
            Piece::Text(bytes) => {
                let plain = std::str::from_utf8(bytes).ok()?;
                let mut is_escaped = false;
                for sign in plain.chars() {
                    is_in_string ^= sign == '"' && !is_escaped;
                    is_escaped = sign == '\\' && !is_escaped;
                }
                text.push_str(plain);
            }
            Piece::Field(_, name) => {
                let quote = if is_in_string { "" } else { "\"" };
                text.push_str(&format!("{quote}\\u0001{}\\u0001{quote}", names.len()));
                names.push(name.trim_start_matches(['$', '%']));
            }
        }
    }
    Some((text, names))
}

fn collect(path: &str, value: &Value, names: &[&str], keys: &mut Vec<(String, String)>) {
    match value {
        Value::Object(members) => {
            for (key, value) in members {
                let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                collect(&path, value, names, keys);
            }
        }
        Value::String(text) => {
            let mark = text.strip_prefix(MARK).and_then(|text| text.strip_suffix(MARK));
            let name = mark.and_then(|mark| names.get(mark.parse::<usize>().ok()?));
            keys.extend(name.map(|name| (path.to_owned(), (*name).to_owned())));
        }
        _ => {}
    }
}
