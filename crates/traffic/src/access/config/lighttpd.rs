//! lighttpd: `accesslog.format` and `accesslog.filename`.

use super::super::error::{FormatError, Problem};
use super::super::field::Escape;
use super::found::Found;

/// The format of logs for which none is set.
const USUAL: &str = r#"%h %V %u %t "%r" %>s %b "%{Referer}i" "%{User-Agent}i""#;

const FORMAT: &str = "accesslog.format";

pub fn read(found: &mut Found, text: &str, place: &str) -> Result<Vec<String>, FormatError> {
    let mut includes = Vec::new();
    let mut paths = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let line = line.trim();
        let place = || format!("{place}:{}", at + 1);
        let value = |name: &str| {
            let rest = line.strip_prefix(name)?.trim_start();
            rest.strip_prefix("=").or_else(|| rest.strip_prefix(":=")).map(string)
        };
        let unclosed = || Problem::Unclosed { what: "a quote".to_owned() }.at(place());
        if let Some(format) = value(FORMAT) {
            found.add(FORMAT, format.ok_or_else(unclosed)?, Escape::Backslash, place());
        } else if let Some(path) = value("accesslog.filename") {
            paths.push(path.ok_or_else(unclosed)?);
        } else if let Some(rest) = line.strip_prefix("include ") {
            includes.push(string(rest).ok_or_else(unclosed)?);
        }
    }
    if found.formats.is_empty() && !paths.is_empty() {
        found.add(FORMAT, USUAL, Escape::Backslash, place.to_owned());
    }
    paths.into_iter().for_each(|path| found.add_log(path, FORMAT));
    Ok(includes)
}

/// A string in quotes, in which a backslash stands before a quote or another one.
fn string(text: &str) -> Option<String> {
    let mut word = String::new();
    let mut signs = text.trim_start().strip_prefix('"')?.chars();
    loop {
        match signs.next()? {
            '"' => return Some(word),
            '\\' => match signs.next()? {
                sign @ ('"' | '\\') => word.push(sign),
                't' => word.push('\t'),
                other => word.extend(['\\', other]),
            },
            sign => word.push(sign),
        }
    }
}
