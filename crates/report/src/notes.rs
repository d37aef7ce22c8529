//! Notes of measurements as a block of a section.

use tlstax_doc::{Measurement, Note};

use crate::model::Block;

/// The notes of some measurements as a block, each said once.
pub(crate) fn notes<'a>(measurements: impl Iterator<Item = &'a Measurement>) -> Option<Block> {
    sorted_notes(gathered(measurements))
}

/// The notes of some measurements, each said once, with where it was found.
pub(crate) fn gathered<'a>(measurements: impl Iterator<Item = &'a Measurement>) -> Vec<Note> {
    let mut found: Vec<(Note, Vec<&str>)> = Vec::new();
    for (note, id) in measurements.flat_map(|m| m.notes.iter().map(|note| (note, m.id.as_str()))) {
        match found.iter_mut().find(|(known, _)| known == note) {
            Some((_, ids)) => ids.push(id),
            None => found.push((note.clone(), vec![id])),
        }
    }
    let named = |(note, ids): (Note, Vec<&str>)| {
        let place = match ids.as_slice() {
            [one] => (*one).to_owned(),
            [first, rest @ ..] => format!("{first} and {} more", rest.len()),
            [] => String::new(),
        };
        Note { what: format!("{place}: {}", note.what), ..note }
    };
    found.into_iter().map(named).collect()
}

/// Notes as a block, the most severe first; none without notes.
pub(crate) fn sorted_notes(mut notes: Vec<Note>) -> Option<Block> {
    notes.sort_by_key(|note| std::cmp::Reverse(note.severity));
    (!notes.is_empty()).then_some(Block::Notes { notes })
}
