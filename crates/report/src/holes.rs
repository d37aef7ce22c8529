//! What was not measured, in few words where tables would hold nothing but holes.

use tlstax_doc::Severity;

use crate::ask::{Facts, grouped};
use crate::grid::{Grid, Measure};
use crate::model::{Block, Cell, Section, Table};
use crate::notes::note;

/// So many reasons are listed one by one.
const MOST_REASONS: usize = 12;

/// Of the tables of one section, so many reasons.
const MOST_IN_A_NOTE: usize = 3;

/// Reasons with how often each was found, the most frequent first; how many are left out beyond so many.
fn ranked(reasons: impl Iterator<Item = String>, most: usize) -> (Vec<(String, usize)>, usize) {
    let mut counts: Vec<_> =
        grouped(reasons, String::clone).into_iter().map(|(reason, all)| (reason, all.len())).collect();
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let others = counts.split_off(most.min(counts.len()));
    (counts, others.len())
}

/// The section of a run without figures: every reason with the number of cases that it struck.
pub(crate) fn nothing(facts: &Facts<'_>) -> Option<Section> {
    let measurements = &facts.results.measurements;
    if measurements.is_empty() || facts.has_figures() {
        return None;
    }
    let reasons = measurements.iter().filter_map(|measurement| measurement.outcome.hole());
    let (ranked, others) = ranked(reasons, MOST_REASONS);
    let cases = |(reason, count)| ([format!("{count} of {}", measurements.len())], reason);
    let mut rows: Vec<([String; 1], String)> = ranked.into_iter().map(cases).collect();
    if others > 0 {
        rows.push((["others".to_owned()], format!("{others} more reasons")));
    }
    let table = Grid::new(["cases"], rows)
        .measure(Measure::words("why there is no figure", String::clone))
        .table(String::new())?;
    Some(Section::new("nothing", "Nothing was measured", "").with([table]))
}

/// The section with what its tables without a figure would show, in one note, and without these tables.
pub(crate) fn folded(mut section: Section) -> Section {
    let mut captions = Vec::new();
    let mut reasons: Vec<String> = Vec::new();
    section.blocks.retain(|block| match block {
        Block::Table(table) if is_of_holes(table) => {
            captions.push(table.caption.trim_end_matches(':').to_owned());
            reasons.extend(holes(table).map(str::to_owned));
            false
        }
        Block::Chart(chart) | Block::Marks(chart) => {
            chart.series.iter().flat_map(|series| &series.points).any(|cell| cell.quantity().is_some())
        }
        _ => true,
    });
    if captions.is_empty() {
        return section;
    }
    if section.tables().next().is_none() {
        section.intro.clear();
    }
    let (ranked, others) = ranked(reasons.into_iter(), MOST_IN_A_NOTE);
    let mut why: Vec<String> = ranked.iter().map(|(reason, count)| format!("{reason} ({count}x)")).collect();
    if others > 0 {
        why.push(format!("{others} more reasons"));
    }
    let what = format!("there are no figures for: {}. Why: {}", captions.join("; "), why.join("; "));
    section.with([Block::Notes { notes: vec![note(Severity::Info, what, "")] }])
}

/// Whether a table has holes where its figures should be, and no figure.
fn is_of_holes(table: &Table) -> bool {
    let has_figures = table.rows.iter().flat_map(|row| row.cells.iter().zip(&table.columns)).any(
        |(cell, column)| match cell {
            Cell::Quantity(_) => true,
            Cell::Text { .. } => !column.label && column.numeric,
            Cell::Hole { .. } | Cell::Empty => false,
        },
    );
    !has_figures && holes(table).next().is_some()
}

fn holes(table: &Table) -> impl Iterator<Item = &str> {
    table.rows.iter().flat_map(|row| &row.cells).filter_map(|cell| match cell {
        Cell::Hole { reason } => Some(reason.as_str()),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Column, Quantity, Row};

    fn table(caption: &str, cells: Vec<Cell>) -> Block {
        let rows = cells.into_iter().map(|cell| Row::plain(vec![Cell::text("sha256"), cell])).collect();
        let columns = vec![Column::label("algorithm"), Column::quantity("cost", "ns")];
        Block::Table(Table { caption: caption.to_owned(), columns, rows })
    }

    fn hole(reason: &str) -> Cell {
        Cell::Hole { reason: reason.to_owned() }
    }

    fn section(blocks: Vec<Block>) -> Section {
        Section::new("a", "A", "How.").with(blocks)
    }

    #[test]
    fn d39_tables_of_holes_are_folded_into_one_note() {
        let found = folded(section(vec![
            table("one", vec![hole("no time"), hole("no time")]),
            table("two", vec![hole("crashed"), hole("no time"), Cell::Empty]),
        ]));
        let [Block::Notes { notes }] = found.blocks.as_slice() else { unreachable!("{found:?}") };
        assert_eq!(notes.len(), 1);
        assert_eq!(notes[0].what, "there are no figures for: one; two. Why: no time (3x); crashed (1x)");
        assert_eq!(found.intro, "", "there is nothing that it would explain");
    }

    #[test]
    fn a_table_with_one_figure_stays_as_it_is() {
        let whole =
            section(vec![table("one", vec![hole("no time"), Cell::Quantity(Quantity::exact(1.0, "ns"))])]);
        assert_eq!(folded(whole.clone()), whole);
    }
}
