//! The view of one workload.

use tlstax_doc::{Note, Workload};

use super::times::{self, Times};
use super::{kinds, known, per_connection, rows, said, sizes, sources, totals};
use crate::model::{Block, Section, View};

/// The view of one workload; `name` is that of its file.
pub fn workload_view(name: &str, workload: &Workload) -> View {
    View {
        title: "What the traffic was".to_owned(),
        about: about(name, workload),
        sections: sections(workload),
        legend: String::new(),
        figures: Vec::new(),
        claims: Vec::new(),
        shares: Vec::new(),
        traffic: rows::rows(name, workload),
        costs: Vec::new(),
    }
}

fn sections(workload: &Workload) -> Vec<Section> {
    let tables = [totals::table(workload), per_connection::table(workload)];
    let sections = [
        doubts(sources::warnings(workload)),
        // The answer stands before the tables that it comes from.
        Section::new("traffic", "What was asked of the servers", "").saying(said::sentences(workload)),
        Section::new("amounts", "In all", "").with(tables.into_iter().flatten()),
        kinds::section(workload).answering(said::mix(workload)),
        sizes::section(workload),
        times::section(workload),
        sources::section(workload),
    ];
    let is_shown = |section: &Section| !section.blocks.is_empty() || !section.sentences.is_empty();
    sections.into_iter().filter(is_shown).collect()
}

/// What has to be known before all else.
pub(super) fn doubts(notes: Vec<Note>) -> Section {
    let said = notes.iter().map(|note| format!("Warning: {}.", note.what)).collect();
    let notes = (!notes.is_empty()).then_some(Block::Notes { notes });
    Section::new("doubts", "Before you read on", "").with(notes).answering(said)
}

/// The file, its sources and its time, in a line.
fn about(name: &str, workload: &Workload) -> String {
    let source = |source: &tlstax_doc::Source| {
        format!("{}, {} in {}", source.format, known::size(source.bytes), entries(source.entries))
    };
    let sources = workload.sources.iter().map(source);
    let time = Times::of(workload).map(|times| times.period());
    std::iter::once(name.to_owned()).chain(sources).chain(time).collect::<Vec<_>>().join("; ")
}

fn entries(count: u64) -> String {
    format!("{} {}", known::count(count), if count == 1 { "entry" } else { "entries" })
}
