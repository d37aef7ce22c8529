//! What else differs between two runs, as notes: the machines, the libraries, the cases.

use std::collections::BTreeMap;

use tlstax_doc::{Cores, Library, Note, Results, Severity};

use crate::notes::note;

/// Cases that only one of the runs has a figure for.
pub(super) fn holes(old: &Results, new: &Results) -> Vec<Note> {
    let measured = |results: &Results| -> BTreeMap<String, Option<String>> {
        results.measurements.iter().map(|m| (m.id.clone(), m.outcome.hole())).collect()
    };
    let (before, after) = (measured(old), measured(new));
    let mut notes = Vec::new();
    for (id, hole) in &after {
        match (before.get(id), hole) {
            (Some(None), Some(reason)) => {
                notes.push(note(Severity::Warning, format!("no figure any more: {id}: {reason}"), ""))
            }
            (Some(Some(_)), None) => notes.push(note(Severity::Info, format!("a figure now: {id}"), "")),
            _ => {}
        }
    }
    let only = |these: &BTreeMap<String, Option<String>>, those: &BTreeMap<String, Option<String>>| {
        these.keys().filter(|id| !those.contains_key(*id)).count()
    };
    let (gone, come) = (only(&before, &after), only(&after, &before));
    if gone + come > 0 {
        notes.push(note(
            Severity::Info,
            format!("{gone} cases are only in the first run, {come} only in the other"),
            "",
        ));
    }
    notes
}

/// What is compared of two runs, in words.
type Fact = (&'static str, fn(&Results) -> Option<String>);

/// What else differs between the runs, and may be the reason.
pub(super) fn circumstances(old: &Results, new: &Results) -> Vec<Note> {
    let mut notes = Vec::new();
    let facts: [Fact; 6] = [
        ("another measure", |run| {
            Some(run.counted.as_ref().map_or_else(|| "time".to_owned(), ToString::to_string))
        }),
        ("another CPU", |run| run.host.cpu.name.clone()),
        ("another kernel", |run| run.host.kernel.clone()),
        ("another governor", |run| run.host.frequency.governor.clone()),
        ("another hypervisor", |run| run.host.virtualisation.hypervisor.clone()),
        ("another version of the reference kernels", |run| Some(run.tool.reference_kernels.to_string())),
    ];
    notes.extend(facts.iter().filter_map(|(what, fact)| differs(what, fact(old), fact(new))));
    for library in &new.libraries {
        let Some(before) = old.libraries.iter().find(|other| other.id == library.id) else { continue };
        let version = |library: &Library| library.hello.as_ref().map(|hello| hello.version.clone());
        let what = format!("{}, another version", library.id);
        notes.extend(differs(&what, version(before), version(library)));
        if version(before) == version(library) && before.receipt != library.receipt {
            let what = format!("{}: the same version, but other files were loaded", library.id);
            notes.push(note(Severity::Info, what, ""));
        }
    }
    notes
}

/// That the cores of both ends of loads were further apart in one run than in the other.
pub(super) fn moved(old: &Cores, new: &Cores) -> Option<Note> {
    let (before, now) = (old.apart()?, new.apart()?);
    let what = format!(
        "the cores of both ends of loads were {:.0} ns apart (a cache line's way there and back), and {:.0} ns in the other run: requests \
         cost more where it is further, so that loads are called changed only beyond that",
        before.usual, now.usual
    );
    (!before.is_same(now.usual))
        .then(|| note(Severity::Warning, what, "measure again until both runs are alike"))
}

fn differs(what: &str, old: Option<String>, new: Option<String>) -> Option<Note> {
    let name = |value: &Option<String>| value.clone().unwrap_or_else(|| "unknown".to_owned());
    (old != new)
        .then(|| note(Severity::Warning, format!("{what}: {} before, {} now", name(&old), name(&new)), ""))
}
