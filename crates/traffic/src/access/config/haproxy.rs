//! HAProxy: `log-format` and the options that stand for one. They are called by the section that they stand in.

use super::super::error::{FormatError, Problem};
use super::super::field::Escape;
use super::super::haproxy::{CLF, HTTP, HTTPS, TCP};
use super::found::Found;

/// Words that begin a section.
const SECTIONS: [&str; 5] = ["global", "defaults", "frontend", "listen", "backend"];

pub fn read(found: &mut Found, text: &str, place: &str) -> Result<Vec<String>, FormatError> {
    let mut section = "global".to_owned();
    for (at, line) in text.lines().enumerate() {
        let place = format!("{place}:{}", at + 1);
        let words = words(line).ok_or_else(|| Problem::Unclosed { what: "a quote".to_owned() }.at(&place))?;
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let format = match words[..] {
            [kind, ..] if SECTIONS.contains(&kind) => {
                section = words[..words.len().min(2)].join(" ");
                continue;
            }
            // A string without quotes has escaped spaces, and is one word.
            ["log-format", format] => format,
            ["log-format", ..] => {
                let (statement, lacks) = ("log-format".to_owned(), "a format in quotes");
                return Err(Problem::Incomplete { statement, lacks, server: "HAProxy" }.at(place));
            }
            ["option", "httplog", "clf"] => CLF,
            ["option", "httplog"] => HTTP,
            ["option", "httpslog"] => HTTPS,
            ["option", "tcplog"] => TCP,
            _ => continue,
        };
        found.add(&section, format, Escape::None, place);
    }
    Ok(Vec::new())
}

/// The words of a line; none if a quote in it is not closed. Within strong quotes a backslash stands for itself.
fn words(line: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut signs = line.chars();
    while let Some(sign) = signs.next() {
        match sign {
            '#' => break,
            ' ' | '\t' | '\r' => words.extend(word.take()),
            '\\' => {
                let known = word.get_or_insert_default();
                match signs.next() {
                    Some(next @ (' ' | '#' | '\\' | '"' | '\'')) => known.push(next),
                    Some('t') => known.push('\t'),
                    Some(other) => known.extend(['\\', other]),
                    None => known.push('\\'),
                }
            }
            '"' => weak(&mut signs, word.get_or_insert_default())?,
            '\'' => {
                let known = word.get_or_insert_default();
                loop {
                    match signs.next()? {
                        '\'' => break,
                        sign => known.push(sign),
                    }
                }
            }
            sign => word.get_or_insert_default().push(sign),
        }
    }
    words.extend(word);
    Some(words)
}

/// What is in weak quotes, behind the first one.
fn weak(signs: &mut std::str::Chars<'_>, word: &mut String) -> Option<()> {
    loop {
        match signs.next()? {
            '"' => return Some(()),
            '\\' => match signs.next()? {
                sign @ ('"' | '\\' | '$' | ' ') => word.push(sign),
                't' => word.push('\t'),
                other => word.extend(['\\', other]),
            },
            sign => word.push(sign),
        }
    }
}
