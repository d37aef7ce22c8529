//! [`compare_libraries()`]: two libraries of one run, case by case, as two builds of one library.

use std::collections::HashMap;

use tlstax_doc::{Measurement, Metric, Note, Outcome, Results, Severity, Use};
use tlstax_spec::{Id, Workload};
use tlstax_stats::{Settings, compare_within};

use super::comparison::{Comparison, Run, change, lost};
use crate::notes::note;

/// Compares two libraries case by case, within the rounds that both took part in; cases are joined by what is done in them.
/// The ids of changes are those of `new`.
pub fn compare_libraries(results: &Results, old: &Id, new: &Id, settings: &Settings) -> Comparison {
    let run = Run::of(results, true);
    let (before, now) = (by_work(results, old), by_work(results, new));
    let shared: Vec<(&Measurement, &Measurement)> =
        of(results, new).filter_map(|now| Some((*before.get(&work(now))?, now))).collect();
    let changes = shared.iter().flat_map(|(before, now)| {
        let change = |metric| change((&run, before), (&run, now), (metric, compare_within), settings);
        let metrics: Vec<Metric> = match results.counted {
            None => Metric::of(&now.case, Use::Comparison).collect(),
            Some(_) => Metric::counted(&now.case).to_vec(),
        };
        metrics.into_iter().filter_map(change).collect::<Vec<_>>()
    });
    let (changes, figures) = changes.unzip();
    let is_absent = |one: &&Measurement| one.outcome.hole().is_none() && !now.contains_key(&work(one));
    Comparison {
        old: old.to_string(),
        new: new.to_string(),
        changes,
        notes: shared.iter().filter_map(|(before, now)| one_sided(before, now)).collect(),
        shared: shared.len(),
        judged: shared.len(),
        // What there was no time for has not become slower: a note says that it has no figure.
        lost: shared
            .iter()
            .filter(|(_, now)| !matches!(now.outcome, Outcome::Skipped { .. }))
            .filter_map(|(before, now)| lost(before, now))
            .collect(),
        absent: of(results, old).filter(is_absent).map(|one| one.id.clone()).collect(),
        figures,
    }
}

/// What is done, by whichever library.
type Work<'r> = (u16, &'r Workload);

fn of<'r>(results: &'r Results, library: &Id) -> impl Iterator<Item = &'r Measurement> {
    results.measurements.iter().filter(move |one| one.case.library == *library)
}

fn by_work<'r>(results: &'r Results, library: &Id) -> HashMap<Work<'r>, &'r Measurement> {
    of(results, library).map(|one| (work(one), one)).collect()
}

fn work(measurement: &Measurement) -> Work<'_> {
    (measurement.case.threads, &measurement.case.workload)
}

/// That only one of the two has a figure.
fn one_sided(before: &Measurement, now: &Measurement) -> Option<Note> {
    let (id, why) = match (before.outcome.hole(), now.outcome.hole()) {
        (None, Some(why)) => (&now.id, why),
        (Some(why), None) => (&before.id, why),
        _ => return None,
    };
    Some(note(Severity::Warning, format!("a figure on one side only, none of {id}: {why}"), ""))
}
