//! [`compare()`]: the changes between two runs, case by case.

use std::collections::{BTreeMap, BTreeSet};

use tlstax_doc::{Cores, LibraryKind, Measurement, Metric, Note, Observed, Results, Use};
use tlstax_spec::Workload;
use tlstax_stats::{Percent, Ratio, Settings, Side, Verdict};

use super::circumstances::{circumstances, holes, moved};
use crate::figure::empty;
use crate::model::Figure;

#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// When the first run began.
    pub old: String,
    /// When the other run began.
    pub new: String,
    /// One entry per case and metric that both runs have.
    pub changes: Vec<Change>,
    /// What else differs: machines, libraries, cases that only one run has a figure for.
    pub notes: Vec<Note>,
    /// How many cases both runs have, with figures or without.
    pub shared: usize,
    /// How many of these can become regressions: all but those of the control.
    pub judged: usize,
    /// Cases that had a figure in the first run and have none in the other; those of the control are left out.
    pub lost: Vec<Lost>,
    /// The ids of cases that had a figure in the first run and are not in the other at all; likewise.
    pub absent: Vec<String>,
    pub(super) figures: Vec<Figure>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    pub id: String,
    pub library: String,
    /// Whether it is of the row without crypto.
    pub control: bool,
    pub metric: Metric,
    pub found: tlstax_stats::Comparison,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Lost {
    pub id: String,
    pub why: String,
}

/// A case that became slower by more than is allowed.
#[derive(Debug, Clone, PartialEq)]
pub struct Regression {
    pub id: String,
    pub metric: Metric,
    /// New cost / old cost.
    pub ratio: Ratio,
}

/// A run with the cores by which its costs compare with those of the other.
pub(super) struct Run<'a> {
    pub results: &'a Results,
    cores: Cores,
}

/// How the times of a case are judged that two observed.
pub(super) type Judge = fn(Side<'_>, Side<'_>, &Settings) -> tlstax_stats::Comparison;

impl<'a> Run<'a> {
    /// Readings of different kernels do not compare.
    pub fn of(results: &'a Results, are_comparable: bool) -> Self {
        let batches = results.measurements.iter().map(Measurement::batches);
        let cores = if are_comparable { Cores::of(&results.slices, batches) } else { Cores::default() };
        Self { results, cores }
    }

    fn observed(&self, measurement: &Measurement, metric: Metric) -> Observed<'_> {
        self.cores.observed(&measurement.case, measurement.batches(), &self.results.slices, metric)
    }
}

/// Compares two runs case by case; cases are joined by their ids.
pub fn compare(old: &Results, new: &Results, settings: &Settings) -> Comparison {
    let are_comparable = old.tool.reference_kernels == new.tool.reference_kernels;
    let (old_run, new_run) = (Run::of(old, are_comparable), Run::of(new, are_comparable));
    let before: BTreeMap<&str, &Measurement> =
        old.measurements.iter().map(|measurement| (measurement.id.as_str(), measurement)).collect();
    let shared: Vec<(&Measurement, &Measurement)> =
        new.measurements.iter().filter_map(|now| Some((*before.get(now.id.as_str())?, now))).collect();
    let judged: Vec<_> = shared.iter().filter(|(_, now)| !is_control(new, now)).collect();
    let changes = shared.iter().flat_map(|(before, now)| {
        let judge = tlstax_stats::compare;
        let change = |metric| change((&old_run, before), (&new_run, now), (metric, judge), settings);
        let metrics: Vec<Metric> = match (&old.counted, &new.counted) {
            (None, None) => Metric::of(&now.case, Use::Comparison).collect(),
            (Some(before), Some(after)) if before.by == after.by => Metric::counted(&now.case).to_vec(),
            // Times are no counts, and the CPU's counter knows instructions that callgrind's CPU has not.
            _ => Vec::new(),
        };
        metrics.into_iter().filter_map(change).collect::<Vec<_>>()
    });
    let (changes, figures) = changes.unzip();
    Comparison {
        old: old.started.clone(),
        new: new.started.clone(),
        changes,
        notes: circumstances(old, new)
            .into_iter()
            .chain(moved(&old_run.cores, &new_run.cores))
            .chain(holes(old, new))
            .collect(),
        shared: shared.len(),
        judged: judged.len(),
        lost: judged.iter().filter_map(|(before, now)| lost(before, now)).collect(),
        absent: absent(old, new),
        figures,
    }
}

/// What the cost of a load differs by from run to run on one machine, whatever its rounds say: seven runs of `quick` gave up to 8 %
/// where a server copies large bodies through the kernel. That work waits for memory and caches which others use too, and the
/// reference kernels stay in the first of them.
const LOADS: Ratio = Ratio(0.05);

/// What it differs by where the cores of both ends were further apart in one run than in the other: up to 10 % of the server's cost and 25 %
/// of the client's were seen.
const LOADS_APART: Ratio = Ratio(0.25);

/// One metric of a case by both, and the same as a figure; none where one of them has no value of it.
pub(super) fn change(
    (old, before): (&Run<'_>, &Measurement),
    (new, now): (&Run<'_>, &Measurement),
    (metric, judge): (Metric, Judge),
    settings: &Settings,
) -> Option<(Change, Figure)> {
    let (earlier, later) = (old.observed(before, metric), new.observed(now, metric));
    if earlier.observations.is_empty() || later.observations.is_empty() {
        return None;
    }
    let left_open = match now.case.workload {
        Workload::Load(_) if moved(&old.cores, &new.cores).is_some() => LOADS_APART,
        Workload::Load(_) => LOADS,
        _ => settings.left_open,
    };
    let settings = &Settings { left_open, ..*settings };
    let found = match metric.is_count() {
        true => tlstax_stats::compare_counts(&earlier.observations, &later.observations, settings),
        false => judge(earlier.side(), later.side(), settings),
    };
    let figure = Figure {
        value: found.ratio.map(|ratio| ratio.value),
        low: found.ratio.map(|ratio| ratio.low),
        high: found.ratio.map(|ratio| ratio.high),
        unit: "new/old",
        kept: later.observations.len(),
        total: later.observations.len(),
        verdict: name(found.verdict),
        ..empty(new.results, now, metric.name())
    };
    let (id, library) = (now.id.clone(), now.case.library.to_string());
    let control = is_control(new.results, now);
    Some((Change { id, library, control, metric, found }, figure))
}

fn is_control(results: &Results, measurement: &Measurement) -> bool {
    results.kind(&measurement.case.library) == LibraryKind::Control
}

pub(super) fn lost(before: &Measurement, now: &Measurement) -> Option<Lost> {
    let why = now.outcome.hole().filter(|_| before.outcome.hole().is_none())?;
    Some(Lost { id: now.id.clone(), why })
}

/// The cases with a figure that the other run does not have at all.
fn absent(old: &Results, new: &Results) -> Vec<String> {
    let there: BTreeSet<&str> = new.measurements.iter().map(|measurement| measurement.id.as_str()).collect();
    let is_absent = |before: &&Measurement| {
        let had_figure = !is_control(old, before) && before.outcome.hole().is_none();
        had_figure && !there.contains(before.id.as_str())
    };
    old.measurements.iter().filter(is_absent).map(|before| before.id.clone()).collect()
}

fn name(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Faster => "faster",
        Verdict::Slower => "slower",
        Verdict::Same { .. } => "same",
        Verdict::CannotTell => "cannot tell",
    }
}

impl Comparison {
    /// The cases whose verdict is slower, by more than `fail_above`. The control is left out: it shows the harness's
    /// own cost, and no library became slower by it.
    pub fn regressions(&self, fail_above: Percent) -> Vec<Regression> {
        let slower = |change: &Change| {
            let ratio = change.found.ratio.filter(|_| change.found.verdict == Verdict::Slower)?.value;
            (ratio > 1.0 + fail_above.ratio().0).then(|| Regression {
                id: change.id.clone(),
                metric: change.metric,
                ratio: Ratio(ratio),
            })
        };
        self.changes.iter().filter(|change| !change.control).filter_map(slower).collect()
    }
}
