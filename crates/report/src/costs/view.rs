//! The view of one model.

use tlstax_doc::model::Model;

use super::known::Known;
use super::{loads, rows, said, terms};
use crate::checked;
use crate::model::{Section, View};
use crate::notes::sorted_notes;

const TERMS: &str = "\
    The cost of a load is the sum over these of how many times each is done and what it costs. What is \"in place of\" something, or \
    \"on\" it, is what it adds, and may be less than nothing. Intervals are those of the fit, of each line alone: what is too much in one \
    may be too little in another.";

const LOADS: &str = "\
    What was measured, what the model says of it, and what it says when it is fitted without that load: only the last shows what it \
    says of loads that it has not seen, and the miss is of it where there is one.";

/// The view of a model.
pub fn model_view(model: &Model) -> View {
    let known = Known { model };
    View {
        title: "What a server's work costs it".to_owned(),
        about: about(model),
        sections: sections(&known),
        legend: String::new(),
        figures: Vec::new(),
        claims: Vec::new(),
        shares: Vec::new(),
        traffic: Vec::new(),
        costs: rows::rows(&known),
    }
}

fn sections(known: &Known<'_>) -> Vec<Section> {
    let model = known.model;
    let sections = [
        Section::new("doubts", "Before you read on", "").with(sorted_notes(model.notes.clone())),
        // The answer stands before the tables that it comes from.
        Section::new("costs", "What things cost", "").saying(said::sentences(known)),
        Section::new("terms", "Term by term", TERMS).with(terms::table(known)),
        Section::new("loads", "What it was fitted to", LOADS)
            .with(loads::table(model))
            .with(loads::holes(model)),
        Section::new("checked", "How right it was", "").with(checked::table(&model.checked)),
        Section::new("sharper", "What would make it sharper", "").with(loads::sharper(model)),
    ];
    let is_shown = |section: &Section| !section.blocks.is_empty() || !section.sentences.is_empty();
    sections.into_iter().filter(is_shown).collect()
}

/// The server, the machine, the state in which it was measured, and when.
fn about(model: &Model) -> String {
    let regime = &model.regime;
    let version = model.server_version.clone().unwrap_or_default();
    let server = match version.is_empty() || version.starts_with(model.server.as_str()) {
        true if version.is_empty() => model.server.to_string(),
        true => version,
        false => format!("{} {version}", model.server),
    };
    let library = model.library.as_ref().map(|library| format!("with {library}"));
    let workers = match regime.workers {
        1 => "1 worker".to_owned(),
        many => format!("{many} workers"),
    };
    let load = match regime.rate {
        0 => format!("{} connections of {} at a time, busy all the time", regime.connections, regime.client),
        rate => format!("{} connections of {}, {rate} requests/s offered", regime.connections, regime.client),
    };
    let apart = model.core_round_trip_ns.map(|time| {
        format!("cores of server and client {time:.0} ns apart (a cache line's way there and back)")
    });
    let server = [Some(server), library].into_iter().flatten().collect::<Vec<_>>().join(" ");
    let machine = model.host.cpu.name.clone();
    let facts = [Some(server), machine, Some(workers), Some(load), apart, Some(model.measured.clone())];
    facts.into_iter().flatten().collect::<Vec<_>>().join("; ")
}
