//! What was captured: where, when, how, and what it took.

use tlstax_doc::{Capture, Note, Profile, Severity};

use super::account::SECOND;
use crate::grid::{Grid, Measure};
use crate::model::{Quantity, Section, Table};
use crate::notes::{note, sorted_notes};
use crate::sections::machine;

pub(super) fn section(profile: &Profile) -> Section {
    Section::new("captures", "Captures", "")
        .with(table(profile))
        .with(super::processes::table(profile))
        .with(sorted_notes(notes(profile)))
}

fn table(profile: &Profile) -> Option<Table> {
    let rows = profile.captures.iter().map(|capture| ([capture.target.clone()], capture));
    let seconds = |ns: u64| Quantity::exact(ns as f64 / SECOND, "s");
    Grid::new(["what"], rows)
        .measure(Measure::words("begun", |capture: &&Capture| capture.started.clone()).where_found())
        .measure(
            Measure::plain("for", "s", move |capture: &&Capture| capture.duration_ns.map(seconds))
                .where_found(),
        )
        .measure(
            Measure::words("CPUs", |capture: &&Capture| capture.cpus.map(|cpus| cpus.to_string()))
                .where_found(),
        )
        .measure(Measure::words("sampled", |capture: &&Capture| sampled(capture)))
        .measure(Measure::count("samples", |capture: &&Capture| samples(capture)))
        .measure(Measure::count("lost", |capture: &&Capture| capture.lost))
        .measure(
            Measure::plain("CPU of tlstax", "s", move |capture: &&Capture| {
                capture.own.as_ref().map(|own| seconds(own.cpu_ns))
            })
            .where_found(),
        )
        .measure(
            Measure::words("machine", |capture: &&Capture| capture.host.as_ref().map(machine::cpu))
                .where_found(),
        )
        .table("What was captured")
}

fn samples(capture: &Capture) -> u64 {
    capture.spans.iter().map(|span| span.samples).sum()
}

fn sampled(capture: &Capture) -> String {
    let origin = &capture.origin;
    let rate = origin.hertz.map(|hertz| format!("at {hertz:.0} Hz"));
    let stacks = origin.stacks.as_ref().map(|stacks| format!("stacks by {stacks}"));
    let facts = [Some(origin.format.clone()), origin.event.clone(), rate, stacks];
    facts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// Those of the captures, and what follows from the samples; of several captures each once.
fn notes(profile: &Profile) -> Vec<Note> {
    let mut notes: Vec<Note> = Vec::new();
    for found in
        profile.captures.iter().flat_map(|capture| capture.notes.iter().cloned().chain(lost(capture)))
    {
        if !notes.contains(&found) {
            notes.push(found);
        }
    }
    notes
}

/// A loss of more samples than that, of all, is worth a warning: what is lost is of the busiest moments.
const LOSS: f64 = 0.01;

fn lost(capture: &Capture) -> Option<Note> {
    let all = capture.lost + samples(capture);
    let share = capture.lost as f64 / all.max(1) as f64;
    (share > LOSS).then(|| {
        let what = format!(
            "{} of {all} samples were lost ({:.1} %): the shares are those of the others",
            capture.lost,
            share * 100.0
        );
        note(Severity::Warning, what, "sample less often (--hertz), or fewer processes")
    })
}
