//! Access logs by format strings, as candidates.

use std::sync::Arc;

use super::settings::Settings;
use crate::access::{AccessLog, Layout, Server, fitting_formats, known_formats};
use crate::reader::Candidate;

/// All known formats that the lines may be of.
pub fn detect(lines: &[&[u8]], settings: &Settings) -> Vec<Candidate> {
    let fitting = fitting_formats(lines).into_iter();
    fitting.map(|known| candidate(known.word, known.about, known.layout(), settings)).collect()
}

/// The known format of that word.
pub fn of_word(word: &str, settings: &Settings) -> Option<Candidate> {
    let known = known_formats().find(|known| known.word == word)?;
    Some(candidate(word, known.about, known.layout(), settings))
}

/// The format of a layout.
pub fn of_layout(word: &str, server: Server, layout: Layout, settings: &Settings) -> Candidate {
    candidate(word, &format!("a format of {}", server.title()), layout, settings)
}

fn candidate(word: &str, about: &str, layout: Layout, settings: &Settings) -> Candidate {
    let has_zone = layout.has_zone();
    let mut log = AccessLog::new(layout).with_offset(settings.offset.unwrap_or(0));
    if !settings.classes.is_empty() {
        let classes = settings.classes.clone();
        log = log.classed_by(Arc::new(move |server| classes.of(server)));
    }
    Candidate { has_zone, ..Candidate::new(word, about, log) }
}
