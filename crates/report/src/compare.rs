//! Two runs of the same cases: what became faster or slower, and whether that can be told at all.

use std::collections::{BTreeMap, BTreeSet};

use tlstax_doc::{
    Library, LibraryKind, Measurement, Metric, Note, Results, Severity, baseline, observations,
};
use tlstax_spec::Workload;
use tlstax_stats::{Interval, Reason, Settings, Side, Verdict};

use crate::figure::{Figure, empty, metrics};
use crate::number;
use crate::view::{Block, Cell, Column, Row, Section, Table, View};

/// What changed from one run to another.
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
    figures: Vec<Figure>,
}

/// One metric of one case in both runs.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    /// The case's readable path.
    pub id: String,
    /// The library it is a case of.
    pub library: String,
    /// Whether it is of the row without crypto.
    pub control: bool,
    /// What is compared.
    pub metric: Metric,
    /// What can be said.
    pub found: tlstax_stats::Comparison,
}

/// A case that has no figure any more.
#[derive(Debug, Clone, PartialEq)]
pub struct Lost {
    /// The case's readable path.
    pub id: String,
    /// Why there is none.
    pub why: String,
}

/// A case that became slower by more than is allowed.
#[derive(Debug, Clone, PartialEq)]
pub struct Regression {
    /// The case's readable path.
    pub id: String,
    /// What became slower.
    pub metric: Metric,
    /// New cost / old cost.
    pub ratio: f64,
}

/// Compares two runs case by case; cases are joined by their ids.
pub fn compare(old: &Results, new: &Results, settings: &Settings) -> Comparison {
    // Readings of different kernels do not compare.
    let comparable = old.tool.reference_kernels == new.tool.reference_kernels;
    let base = |results: &Results| baseline(&results.slices).filter(|_| comparable);
    let (old_base, new_base) = (base(old), base(new));
    let places: BTreeMap<&str, usize> =
        old.measurements.iter().enumerate().map(|(i, m)| (m.id.as_str(), i)).collect();
    let mut comparison = Comparison {
        old: old.started.clone(),
        new: new.started.clone(),
        changes: Vec::new(),
        notes: circumstances(old, new),
        shared: 0,
        judged: 0,
        lost: Vec::new(),
        absent: absent(old, new),
        figures: Vec::new(),
    };
    for measurement in &new.measurements {
        let Some(before) = places.get(measurement.id.as_str()).map(|&place| &old.measurements[place]) else {
            continue;
        };
        comparison.shared += 1;
        let control = is_control(new, measurement);
        if !control {
            comparison.judged += 1;
            comparison.lost.extend(lost(before, measurement));
        }
        for &metric in compared(&measurement.case.workload, measurement.case.threads) {
            let earlier = observations(before.batches(), &old.slices, metric);
            let later = observations(measurement.batches(), &new.slices, metric);
            if earlier.is_empty() || later.is_empty() {
                continue;
            }
            let side = |observations, baseline| Side { observations, baseline };
            let found = tlstax_stats::compare(
                side(&earlier, old_base.as_ref()),
                side(&later, new_base.as_ref()),
                settings,
            );
            comparison.figures.push(Figure {
                value: found.ratio.map(|ratio| ratio.value),
                low: found.ratio.map(|ratio| ratio.low),
                high: found.ratio.map(|ratio| ratio.high),
                unit: "new/old",
                kept: later.len(),
                total: later.len(),
                verdict: name(found.verdict),
                ..empty(new, measurement, metric.name())
            });
            let (id, library) = (measurement.id.clone(), measurement.case.library.to_string());
            comparison.changes.push(Change { id, library, control, metric, found });
        }
    }
    comparison.notes.extend(holes(old, new));
    comparison
}

/// The costs that are compared. The elapsed time of a load is not: it holds the client and the network as well.
fn compared(workload: &Workload, threads: u16) -> &'static [Metric] {
    match workload {
        Workload::Load(_) => &[Metric::Server, Metric::Client],
        other => metrics(other, threads),
    }
}

fn is_control(results: &Results, measurement: &Measurement) -> bool {
    results.kind(&measurement.case.library) == LibraryKind::Control
}

/// A case whose figure is gone, with the reason.
fn lost(before: &Measurement, now: &Measurement) -> Option<Lost> {
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

impl Comparison {
    /// The cases that are certainly slower, and by more than this share as far as can be told: 0.03 is 3 %. The
    /// control is left out: it shows the harness's own cost, and no library became slower by it.
    pub fn regressions(&self, fail_above: f64) -> Vec<Regression> {
        let slower = |change: &Change| {
            let ratio = change.found.ratio.filter(|_| change.found.verdict == Verdict::Slower)?.value;
            (ratio > 1.0 + fail_above).then(|| Regression {
                id: change.id.clone(),
                metric: change.metric,
                ratio,
            })
        };
        self.changes.iter().filter(|change| !change.control).filter_map(slower).collect()
    }

    /// The comparison as a view of its own.
    pub fn view(&self) -> View {
        Self::view_of(std::slice::from_ref(self))
    }

    /// Several comparisons, such as of several runs with one first, as one view.
    pub fn view_of(comparisons: &[Self]) -> View {
        let section = |(index, comparison): (usize, &Self)| comparison.section(index);
        View {
            title: "What changed".to_owned(),
            about: match comparisons {
                [one] => format!("the run of {} against that of {}", one.new, one.old),
                several => format!("{} runs against the first", several.len()),
            },
            legend: String::new(),
            sections: comparisons.iter().enumerate().map(section).collect(),
            figures: comparisons.iter().flat_map(|comparison| comparison.figures.clone()).collect(),
        }
    }

    fn section(&self, index: usize) -> Section {
        let of = |wanted: fn(Verdict) -> bool| {
            let mut found: Vec<&Change> =
                self.changes.iter().filter(|change| wanted(change.found.verdict)).collect();
            found.sort_by(|a, b| change_of(b).total_cmp(&change_of(a)));
            found
        };
        let tables = [
            ("Slower", of(|verdict| verdict == Verdict::Slower)),
            ("Faster", of(|verdict| verdict == Verdict::Faster)),
            ("Cannot tell", of(|verdict| verdict == Verdict::CannotTell)),
            ("Same", of(|verdict| matches!(verdict, Verdict::Same { .. }))),
        ];
        let mut blocks = Vec::new();
        if !self.notes.is_empty() {
            blocks.push(Block::Notes { notes: self.notes.clone() });
        }
        let filled = tables.into_iter().filter(|(_, changes)| !changes.is_empty());
        blocks.extend(filled.map(|(caption, changes)| Block::Table(table(caption, &changes))));
        Section {
            id: format!("comparison-{}", index + 1),
            title: format!("{} against {}", self.new, self.old),
            intro: "The change of each cost, with its interval: above zero is slower. The interval holds what chance and a \
                    change of the machine leave open; where it does not decide, the verdict is cannot tell."
                .to_owned(),
            blocks,
            sentences: vec![self.sentence()],
        }
    }

    fn sentence(&self) -> String {
        let count =
            |wanted: &str| self.changes.iter().filter(|change| name(change.found.verdict) == wanted).count();
        format!(
            "Of {} figures, {} became slower and {} faster; {} are the same, and of {} it cannot be told.",
            self.changes.len(),
            count("slower"),
            count("faster"),
            count("same"),
            count("cannot tell")
        )
    }
}

/// How far a ratio is from 1, either way.
fn change_of(change: &Change) -> f64 {
    change.found.ratio.map_or(0.0, |ratio| ratio.value.ln().abs())
}

fn table(caption: &str, changes: &[&Change]) -> Table {
    let row = |change: &&Change| {
        let percent = |ratio: f64| (ratio - 1.0) * 100.0;
        let shown = |ratio: Interval| {
            let (value, low, high) = (percent(ratio.value), percent(ratio.low), percent(ratio.high));
            Cell::text(format!("{value:+.1} % [{low:+.1}, {high:+.1}]"))
        };
        Row::plain(vec![
            change.found.ratio.map_or(Cell::Empty, shown),
            Cell::text(change.metric.name()),
            Cell::text(said(&change.found)),
            Cell::text(&change.id),
        ])
    };
    Table {
        caption: format!("{caption}: {}", changes.len()),
        columns: vec![
            Column::label("change"),
            Column::label("cost"),
            Column::label("verdict"),
            Column::words("case"),
        ],
        rows: changes.iter().map(row).collect(),
    }
}

/// A verdict in words, with its reason where it is none.
fn said(found: &tlstax_stats::Comparison) -> String {
    match found.verdict {
        Verdict::Faster => "faster".to_owned(),
        Verdict::Slower => "slower".to_owned(),
        Verdict::Same { within } => format!("same within {}", number::share_of(within)),
        Verdict::CannotTell => format!("cannot tell: {}", why(found.why)),
    }
}

fn why(reason: Reason) -> &'static str {
    match reason {
        Reason::Interval => "the interval does not decide",
        Reason::TooFewRounds => "too few rounds",
        Reason::NoReferences => "no reference readings",
        Reason::MachineChanged => "the machine changed between the runs",
        Reason::Noise => "too much noise",
    }
}

fn name(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Faster => "faster",
        Verdict::Slower => "slower",
        Verdict::Same { .. } => "same",
        Verdict::CannotTell => "cannot tell",
    }
}

/// Cases that only one of the runs has a figure for.
fn holes(old: &Results, new: &Results) -> Vec<Note> {
    let measured = |results: &Results| -> BTreeMap<String, Option<String>> {
        results.measurements.iter().map(|m| (m.id.clone(), m.outcome.hole())).collect()
    };
    let (before, after) = (measured(old), measured(new));
    let mut notes = Vec::new();
    for (id, hole) in &after {
        match (before.get(id), hole) {
            (Some(None), Some(reason)) => {
                notes.push(note(Severity::Warning, format!("no figure any more: {id}: {reason}")))
            }
            (Some(Some(_)), None) => notes.push(note(Severity::Info, format!("a figure now: {id}"))),
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
        ));
    }
    notes
}

/// What else differs between the runs, and may be the reason.
fn circumstances(old: &Results, new: &Results) -> Vec<Note> {
    let mut notes = Vec::new();
    let cpu = |results: &Results| results.host.cpu.name.clone();
    let governor = |results: &Results| results.host.frequency.governor.clone();
    let hypervisor = |results: &Results| results.host.virtualisation.hypervisor.clone();
    let kernels = |results: &Results| Some(results.tool.reference_kernels.to_string());
    notes.extend(differs("another CPU", cpu(old), cpu(new)));
    notes.extend(differs("another kernel", old.host.kernel.clone(), new.host.kernel.clone()));
    notes.extend(differs("another governor", governor(old), governor(new)));
    notes.extend(differs("another hypervisor", hypervisor(old), hypervisor(new)));
    notes.extend(differs("another version of the reference kernels", kernels(old), kernels(new)));
    for library in &new.libraries {
        let Some(before) = old.libraries.iter().find(|other| other.id == library.id) else { continue };
        let version = |library: &Library| library.hello.as_ref().map(|hello| hello.version.clone());
        let what = format!("{}, another version", library.id);
        notes.extend(differs(&what, version(before), version(library)));
        if version(before) == version(library) && before.receipt != library.receipt {
            let what = format!("{}: the same version, but other files were loaded", library.id);
            notes.push(note(Severity::Info, what));
        }
    }
    notes
}

fn differs(what: &str, old: Option<String>, new: Option<String>) -> Option<Note> {
    let name = |value: &Option<String>| value.clone().unwrap_or_else(|| "unknown".to_owned());
    (old != new)
        .then(|| note(Severity::Warning, format!("{what}: {} before, {} now", name(&old), name(&new))))
}

fn note(severity: Severity, what: String) -> Note {
    Note { severity, what, remedy: String::new() }
}
