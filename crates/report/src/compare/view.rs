//! Comparisons as a view.

use tlstax_stats::{Interval, Ratio, Reason, Verdict};

use super::comparison::{Change, Comparison};
use crate::model::{Block, Cell, Column, Row, Section, Table, View};
use crate::number;

/// Whether a verdict is of one kind.
pub(super) type Kind = fn(Verdict) -> bool;

pub(super) const SLOWER: Kind = |verdict| verdict == Verdict::Slower;
pub(super) const FASTER: Kind = |verdict| verdict == Verdict::Faster;
pub(super) const UNDECIDED: Kind = |verdict| verdict == Verdict::CannotTell;
const SAME: Kind = |verdict| matches!(verdict, Verdict::Same { .. });

impl Comparison {
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
            claims: Vec::new(),
            shares: Vec::new(),
            traffic: Vec::new(),
            costs: Vec::new(),
        }
    }

    /// The changes with such a verdict, the largest first.
    pub(super) fn of_kind(&self, is_it: Kind) -> Vec<&Change> {
        let mut found: Vec<&Change> =
            self.changes.iter().filter(|change| is_it(change.found.verdict)).collect();
        found.sort_by(|a, b| change_of(b).total_cmp(&change_of(a)));
        found
    }

    fn section(&self, index: usize) -> Section {
        let tables = [("Slower", SLOWER), ("Faster", FASTER), ("Cannot tell", UNDECIDED), ("Same", SAME)];
        let notes = (!self.notes.is_empty()).then(|| Block::Notes { notes: self.notes.clone() });
        let tables = tables.map(|(caption, kind)| (caption, self.of_kind(kind))).into_iter();
        let filled = tables.filter(|(_, changes)| !changes.is_empty());
        let title = format!("{} against {}", self.new, self.old);
        let intro = "\
            The change of each cost, with its interval: above zero is slower. The interval holds what chance and a \
            change of the machine leave open; where it does not decide, the verdict is cannot tell.";
        Section::new(format!("comparison-{}", index + 1), title, intro)
            .with(notes)
            .with(filled.map(|(caption, changes)| table(caption, &changes)))
            .saying(vec![self.sentence()])
    }

    fn sentence(&self) -> String {
        let count = |is_it: Kind| self.changes.iter().filter(|change| is_it(change.found.verdict)).count();
        format!(
            "Of {} figures, {} became slower and {} faster; {} are the same, and of {} it cannot be told.",
            self.changes.len(),
            count(SLOWER),
            count(FASTER),
            count(SAME),
            count(UNDECIDED)
        )
    }
}

/// How far a ratio is from 1, either way.
fn change_of(change: &Change) -> f64 {
    change.found.ratio.map_or(0.0, |ratio| ratio.value.ln().abs())
}

pub(super) fn table(caption: &str, changes: &[&Change]) -> Table {
    let row = |change: &&Change| {
        let shown = |Interval { value, low, high }: Interval| {
            let [value, low, high] = [value, low, high].map(|ratio| Ratio(ratio).change().0);
            let digits = if change.metric.is_count() { 3 } else { 1 };
            Cell::text(format!("{value:+.digits$} % [{low:+.digits$}, {high:+.digits$}]"))
        };
        Row::plain(vec![
            change.found.ratio.map_or(Cell::Empty, shown),
            Cell::text(change.metric.name()),
            Cell::text(words(change)),
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
fn words(change: &Change) -> String {
    let found = &change.found;
    match found.verdict {
        Verdict::Faster => "faster".to_owned(),
        Verdict::Slower => "slower".to_owned(),
        Verdict::Same { within } if change.metric.is_count() => {
            format!("same within {} %", number::significant(within.percent().0, 2))
        }
        Verdict::Same { within } => format!("same within {}", number::percent(within)),
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
