//! nginx: `log_format` and `access_log`.

use super::super::error::{FormatError, Problem};
use super::super::field::Escape;
use super::super::nginx::escape;
use super::found::Found;

/// The format that is there without being defined.
pub const COMBINED: &str = r#"$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent""#;

pub fn read(found: &mut Found, text: &str, place: &str) -> Result<Vec<String>, FormatError> {
    let mut includes = Vec::new();
    for Statement { words, line } in statements(text, place)? {
        let mut words = words.into_iter();
        match words.next().as_deref() {
            Some("include") => includes.extend(words),
            Some("log_format") => {
                let place = format!("{place}:{line}");
                let name = words.next();
                let mut pieces: Vec<String> = words.collect();
                let how = pieces.first().and_then(|first| first.strip_prefix("escape=")).map(escape);
                if how.is_some() {
                    pieces.remove(0);
                }
                let Some(name) = name.filter(|_| !pieces.is_empty()) else {
                    return Err(incomplete("log_format", "its name or its format").at(place));
                };
                found.add(name, pieces.concat(), how.unwrap_or(Escape::Backslash), place);
            }
            Some("access_log") => {
                if let Some(path) = words.next().filter(|path| path != "off") {
                    let format = words.next().filter(|word| !word.contains('='));
                    found.add_log(path, format.unwrap_or_else(|| "combined".to_owned()));
                }
            }
            _ => {}
        }
    }
    Ok(includes)
}

fn incomplete(statement: &str, lacks: &'static str) -> Problem {
    Problem::Incomplete { statement: statement.to_owned(), lacks, server: "nginx" }
}

/// A statement, and the line that it begins in.
struct Statement {
    words: Vec<String>,
    line: usize,
}

/// The statements of a text, whichever blocks they stand in.
fn statements(text: &str, place: &str) -> Result<Vec<Statement>, FormatError> {
    let mut statements = Vec::new();
    let mut words = Vec::new();
    let (mut line, mut begun) = (1, 1);
    let mut rest = text;
    while let Some(sign) = rest.chars().next() {
        if words.is_empty() {
            begun = line;
        }
        let length = match sign {
            '\n' => {
                line += 1;
                1
            }
            '#' => rest.find('\n').unwrap_or(rest.len()),
            ';' | '{' | '}' => {
                if sign == ';' && !words.is_empty() {
                    statements.push(Statement { words: std::mem::take(&mut words), line: begun });
                }
                words.clear();
                1
            }
            space if space.is_whitespace() => space.len_utf8(),
            '"' | '\'' => {
                let (word, length) = quoted(rest, sign).ok_or_else(|| {
                    Problem::Unclosed { what: "a quote".to_owned() }.at(format!("{place}:{line}"))
                })?;
                line += rest[..length].matches('\n').count();
                words.push(word);
                length
            }
            _ => {
                let (word, length) = bare(rest);
                words.push(word);
                length
            }
        };
        rest = &rest[length..];
    }
    Ok(statements)
}

/// What stands in quotes, and its length with them.
fn quoted(text: &str, quote: char) -> Option<(String, usize)> {
    let mut word = String::new();
    let mut signs = text.char_indices().skip(1);
    while let Some((at, sign)) = signs.next() {
        match sign {
            '\\' => unescape(signs.next()?.1, &mut word),
            sign if sign == quote => return Some((word, at + 1)),
            sign => word.push(sign),
        }
    }
    None
}

/// A word without quotes, and its length. A variable may have braces.
fn bare(text: &str) -> (String, usize) {
    let mut word = String::new();
    let mut signs = text.char_indices();
    let mut last = ' ';
    let mut is_in_braces = false;
    while let Some((at, sign)) = signs.next() {
        match sign {
            '\\' => {
                if let Some((_, next)) = signs.next() {
                    unescape(next, &mut word);
                }
            }
            '{' if last == '$' => {
                is_in_braces = true;
                word.push(sign);
            }
            '}' if is_in_braces => {
                is_in_braces = false;
                word.push(sign);
            }
            ';' | '{' | '}' => return (word, at),
            sign if sign.is_whitespace() => return (word, at),
            sign => word.push(sign),
        }
        last = sign;
    }
    (word, text.len())
}

/// Adds what a backslash before a sign stands for. It stays before what it does not stand for anything with.
fn unescape(sign: char, word: &mut String) {
    match sign {
        '"' | '\'' | '\\' | ' ' | ';' => word.push(sign),
        't' => word.push('\t'),
        'r' => word.push('\r'),
        'n' => word.push('\n'),
        other => word.extend(['\\', other]),
    }
}
