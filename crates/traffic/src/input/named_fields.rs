//! Logs that name their fields, as candidates: which of them a log is, is asked of its first lines.

use crate::classes::Classes;
use crate::line::Lines;
use crate::reader::Candidate;
use crate::structured::{self, BadField, JsonLog, Structured};

/// What `--format` takes, each with what it is.
pub const WORDS: [(&str, &str); 6] = [
    ("caddy", "lines of JSON by Caddy"),
    ("envoy", "lines of JSON by Envoy"),
    ("nginx-json", "lines of JSON by nginx, whose keys are called as its variables"),
    ("haproxy-json", "lines of JSON by HAProxy, whose keys are called as its variables"),
    ("zeek", "ssl.log or conn.log of Zeek"),
    ("table", "a table with a line that names its columns"),
];

/// All that the lines may be of.
pub fn detect(lines: &[&[u8]], classes: &Classes) -> Vec<Candidate> {
    let found = structured::detect(lines).into_iter();
    found.map(|found| candidate(found.reader, classes)).collect()
}

/// The one of that word, if the lines are of it.
pub fn of_word(word: &str, lines: &[&[u8]], classes: &Classes) -> Option<Candidate> {
    structured::detect(lines)
        .into_iter()
        .map(|found| candidate(found.reader, classes))
        .find(|candidate| candidate.word == word)
}

/// A log of JSON whose fields the user maps: `suite=tls.cipher,time=ts`.
///
/// # Errors
/// One is not of the form, or no field of ours.
pub fn of_mapping(mapping: &str, classes: &Classes) -> Result<Candidate, BadField> {
    let log = JsonLog::of_mapping(mapping.split(','))?.with_classes(classes.clone());
    Ok(Candidate::new(format!("json:{mapping}"), "lines of JSON", log))
}

fn candidate(reader: Structured, classes: &Classes) -> Candidate {
    let word = match &reader {
        Structured::Json(log) if matches!(log.format(), "nginx" | "haproxy") => {
            format!("{}-json", log.format())
        }
        reader => reader.format().to_owned(),
    };
    let about = WORDS.iter().find(|(known, _)| *known == word).map_or("lines of JSON", |(_, about)| about);
    Candidate::new(word, about, reader.with_classes(classes.clone()))
}
