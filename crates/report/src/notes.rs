//! Notes of measurements as a block of a section.

use tlstax_doc::{Measurement, Note, Severity};

use crate::ask::grouped;
use crate::model::{Block, Section};

pub(crate) fn note(severity: Severity, what: String, remedy: impl Into<String>) -> Note {
    Note { severity, what, remedy: remedy.into() }
}

/// The notes of some measurements as a block, each once.
pub(crate) fn notes<'a>(measurements: impl Iterator<Item = &'a Measurement>) -> Option<Block> {
    sorted_notes(gathered(measurements))
}

/// The notes of some measurements, each once, with where it was found.
pub(crate) fn gathered<'a>(measurements: impl Iterator<Item = &'a Measurement>) -> Vec<Note> {
    let each =
        measurements.flat_map(|measurement| measurement.notes.iter().map(move |note| (note, measurement)));
    let named = |(note, found): (&Note, Vec<(&Note, &Measurement)>)| {
        let others = if found.len() > 1 { format!(" and {} more", found.len() - 1) } else { String::new() };
        Note { what: format!("{}{others}: {}", found[0].1.id, note.what), ..note.clone() }
    };
    grouped(each, |(note, _)| *note).into_iter().map(named).collect()
}

/// Notes as a block, the most severe first; none without notes.
pub(crate) fn sorted_notes(mut notes: Vec<Note>) -> Option<Block> {
    notes.sort_by_key(|note| std::cmp::Reverse(note.severity));
    (!notes.is_empty()).then_some(Block::Notes { notes })
}

/// What the reader has to know before the figures; none without notes.
pub(crate) fn doubts(notes: &[Note]) -> Option<Section> {
    let block = sorted_notes(notes.to_vec())?;
    Some(Section::new("doubts", "Before you read on", "").with([block]))
}
