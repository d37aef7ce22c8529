//! Apache: `LogFormat`, `CustomLog`, `TransferLog`.

use super::super::error::{FormatError, Problem};
use super::super::field::Escape;
use super::found::Found;

pub fn read(found: &mut Found, text: &str, place: &str) -> Result<Vec<String>, FormatError> {
    let mut includes = Vec::new();
    for (line, statement) in statements(text) {
        let place = format!("{place}:{line}");
        let (directive, rest) = word(&statement).map_err(|problem| problem.at(&place))?;
        let directive = directive.to_ascii_lowercase();
        let is_known = ["logformat", "customlog", "transferlog", "include", "includeoptional"];
        if !is_known.contains(&directive.as_str()) {
            continue;
        }
        let words = words(rest).map_err(|problem| problem.at(&place))?;
        match (directive.as_str(), &words[..]) {
            ("include" | "includeoptional", [path, ..]) => includes.push(path.clone()),
            ("logformat", [format, name, ..]) => {
                found.add(name, format, Escape::Backslash, place);
            }
            // The one of `TransferLog`.
            ("logformat", [format]) => found.add("(none)", format, Escape::Backslash, place),
            ("transferlog", [path, ..]) => found.add_log(path, "(none)"),
            ("customlog", [path, format, ..]) => {
                // A format in place of the name of one.
                if format.contains('%') {
                    found.add(path, format, Escape::Backslash, place);
                    found.add_log(path, path);
                } else {
                    found.add_log(path, format);
                }
            }
            (_, _) => {
                let lacks = "its format";
                return Err(Problem::Incomplete { statement: directive, lacks, server: "Apache" }.at(place));
            }
        }
    }
    Ok(includes)
}

/// The statements of a text, each with the line that it begins in. A backslash at the end of a line continues it.
fn statements(text: &str) -> Vec<(usize, String)> {
    let mut statements = Vec::new();
    let mut open: Option<(usize, String)> = None;
    for (at, line) in text.lines().enumerate() {
        let (begun, mut statement) = open.take().unwrap_or((at + 1, String::new()));
        match line.strip_suffix('\\') {
            Some(part) => {
                statement.push_str(part);
                open = Some((begun, statement));
            }
            None => {
                statement.push_str(line);
                statements.push((begun, statement));
            }
        }
    }
    statements.extend(open);
    let is_there = |text: &str| !text.is_empty() && !text.starts_with('#');
    statements.retain(|(_, statement)| is_there(statement.trim_start()));
    statements
}

fn words(mut text: &str) -> Result<Vec<String>, Problem> {
    let mut words = Vec::new();
    while !text.trim_start().is_empty() {
        let (word, rest) = word(text)?;
        words.push(word);
        text = rest;
    }
    Ok(words)
}

/// The first word of a text, and what is behind it. In quotes, a backslash stands before a quote or another one.
fn word(text: &str) -> Result<(String, &str), Problem> {
    let text = text.trim_start();
    let Some(quote) = text.chars().next().filter(|sign| matches!(sign, '"' | '\'')) else {
        let end = text.find(char::is_whitespace).unwrap_or(text.len());
        return Ok((text[..end].to_owned(), &text[end..]));
    };
    let mut word = String::new();
    let mut signs = text.char_indices().skip(1).peekable();
    while let Some((at, sign)) = signs.next() {
        match sign {
            '\\' if signs.peek().is_some_and(|(_, next)| *next == quote || *next == '\\') => {
                word.extend(signs.next().map(|(_, next)| next));
            }
            sign if sign == quote => return Ok((word, &text[at + 1..])),
            sign => word.push(sign),
        }
    }
    Err(Problem::Unclosed { what: "a quote".to_owned() })
}
