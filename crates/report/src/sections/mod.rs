//! The sections of a report, each in a file of its own: from facts to tables, charts and sentences.

mod bulk;
mod handshakes;
mod holes;
mod http2;
mod load;
mod machine;
mod post_quantum;
mod primitives;
mod public_keys;
mod published;
mod scaling;
mod server_handshakes;
mod setup;
mod side_by_side;
mod small_server;
mod switches;
mod transfers;

use tlstax_doc::{Measurement, Note};

use crate::facts::Facts;
use crate::view::{Block, Section};

pub use published::{Published, PublishedError};

/// Every section that has something to show, in the order of the report; of a run without figures, why there are none.
pub(crate) fn sections(facts: &Facts<'_>, published: &Published) -> Vec<Section> {
    let machine = machine::section(facts);
    if let Some(nothing) = holes::nothing(facts) {
        return vec![nothing, machine];
    }
    let all = [
        primitives::section(facts),
        public_keys::section(facts),
        setup::section(facts),
        handshakes::section(facts),
        post_quantum::section(facts),
        scaling::section(facts),
        bulk::section(facts),
        load::section(facts),
        transfers::section(facts),
        small_server::section(facts),
        server_handshakes::section(facts),
        http2::section(facts),
        switches::section(facts),
        published::section(facts, published),
    ];
    std::iter::once(machine).chain(all.into_iter().flatten().map(holes::folded)).collect()
}

/// The notes of some measurements as a block, each said once.
fn notes<'a>(measurements: impl Iterator<Item = &'a Measurement>) -> Option<Block> {
    sorted_notes(gathered(measurements))
}

/// The notes of some measurements, each said once, with where it was found.
fn gathered<'a>(measurements: impl Iterator<Item = &'a Measurement>) -> Vec<Note> {
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
fn sorted_notes(mut notes: Vec<Note>) -> Option<Block> {
    notes.sort_by_key(|note| std::cmp::Reverse(note.severity));
    (!notes.is_empty()).then_some(Block::Notes { notes })
}
