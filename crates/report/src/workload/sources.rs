//! What a workload was counted from: what the sources tell, what they do not, and what could not be read.

mod names;
mod telling;

pub(super) use telling::{hint, untold};

use tlstax_doc::{Note, PassedOver, Severity, Source, Workload};

use self::names::names;
use super::known;
use crate::grid::{Grid, Measure};
use crate::model::{Column, Quantity, Section, Table};
use crate::notes::note;
use crate::number;

/// More bad entries than this share are worth a warning.
const MANY: f64 = 0.1;

pub(super) fn section(workload: &Workload) -> Section {
    let tables = [read(workload), bad(workload), passed_over(workload), telling::tells(workload)];
    let intro = hint(workload).unwrap_or_default();
    Section::new("sources", "Sources", intro).with(tables.into_iter().flatten())
}

/// What has so many bad entries that the answer may be wrong.
pub(super) fn warnings(workload: &Workload) -> Vec<Note> {
    let is_doubtful = |source: &&Source| source.bad_entries() as f64 > MANY * source.entries as f64;
    let warning = |source: &Source| {
        let what = format!(
            "{} of the {} entries of {} could not be read ({}): all that follows is of the others",
            known::count(source.bad_entries()),
            known::count(source.entries),
            source.format,
            number::whole_percent(source.bad_entries() as f64, source.entries as f64)
        );
        note(Severity::Warning, what, "see which in the section on sources; --format says what the files are")
    };
    workload.sources.iter().filter(is_doubtful).map(warning).collect()
}

fn read(workload: &Workload) -> Option<Table> {
    let rows = names(workload).into_iter().map(|name| [name]).zip(&workload.sources);
    let counted = |title: &'static str, of: fn(&Source) -> String| {
        Measure::new(Column::count(title), move |source: &&Source| of(source))
    };
    let share = |source: &&Source| {
        (source.entries > 0)
            .then(|| Quantity::exact(source.bad_entries() as f64 / source.entries as f64 * 100.0, "%"))
    };
    Grid::new(["source"], rows)
        .measure(counted("bytes, uncompressed", |source| known::size(source.bytes)))
        .measure(counted("lines, rows or packets", |source| known::count(source.entries)))
        .measure(counted("could not be read", |source| known::count(source.bad_entries())))
        .measure(Measure::plain("of all", "%", share))
        .measure(counted("passed over", |source| known::count(source.passed_over.values().fold(0, add))))
        .table("What was counted")
}

const fn add(sum: u64, count: &u64) -> u64 {
    sum.saturating_add(*count)
}

fn bad(workload: &Workload) -> Option<Table> {
    let kinds = names(workload).into_iter().zip(&workload.sources).flat_map(|(name, source)| {
        source.bad.iter().map(move |(bad, count)| ([name.clone(), bad.meaning().to_owned()], *count))
    });
    Grid::new(["source", "the entry"], kinds)
        .measure(Measure::new(Column::count("number"), |count: &u64| known::count(*count)))
        .table("What could not be read, and is in no count; --show-bad shows where")
}

fn passed_over(workload: &Workload) -> Option<Table> {
    let kinds = names(workload).into_iter().zip(&workload.sources).flat_map(|(name, source)| {
        source.passed_over.iter().map(move |(why, count)| ([name.clone(), meaning(*why).to_owned()], *count))
    });
    Grid::new(["source", "the entry"], kinds)
        .measure(Measure::new(Column::count("number"), |count: &u64| known::count(*count)))
        .table("What was read and does not count")
}

const fn meaning(why: PassedOver) -> &'static str {
    match why {
        PassedOver::Empty => "is empty, a comment or a header",
        PassedOver::OtherTime => "is of another time",
        PassedOver::NoRequest => "is no request",
        PassedOver::OtherProtocol => "is a packet of another protocol",
        PassedOver::BegunBefore => "is of a connection that began before the capture",
        PassedOver::BehindGap => "stands behind segments that are missing",
        PassedOver::Fragment => "is a part of an IP packet",
        PassedOver::Repeated => "is a segment that came before",
    }
}
