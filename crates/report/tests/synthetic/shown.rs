//! What a report shows, as tests ask for it.

use tlstax_doc::Results;
use tlstax_report::{Block, Cell, Quantity, Section, Table, View};

pub fn section(results: &Results, id: &str) -> Option<Section> {
    View::of(results).sections.into_iter().find(|section| section.id == id)
}

pub fn tables(section: &Section) -> Vec<&Table> {
    section.tables().collect()
}

/// The tables of all sections, with those that are hidden at first.
pub fn every_table(view: &View) -> impl Iterator<Item = &Table> {
    view.sections.iter().flat_map(|section| &section.blocks).filter_map(|block| match block {
        Block::Table(table) | Block::Details(table) => Some(table),
        _ => None,
    })
}

pub fn titles(table: &Table) -> Vec<&str> {
    table.columns.iter().map(|column| column.title.as_str()).collect()
}

/// The cells of a column in the rows whose first cell is this text.
pub fn column<'a>(table: &'a Table, library: &str, title: &str) -> Vec<&'a Cell> {
    let place = table.columns.iter().position(|column| column.title == title).unwrap();
    let is_it = |cell: &Cell| matches!(cell, Cell::Text { text } if text == library);
    table.rows.iter().filter(|row| is_it(&row.cells[0])).map(|row| &row.cells[place]).collect()
}

/// The number that is the only cell of a column in such rows.
#[track_caller]
pub fn only<'a>(table: &'a Table, library: &str, title: &str) -> &'a Quantity {
    let [cell] = column(table, library, title)[..] else { panic!("{library}, {title}: {table:?}") };
    cell.quantity().unwrap()
}

pub fn texts(cells: &[&Cell]) -> Vec<String> {
    let text = |cell: &&Cell| match cell {
        Cell::Text { text } => text.clone(),
        Cell::Quantity(quantity) => format!("{:.1}", quantity.value),
        Cell::Hole { reason } => reason.clone(),
        Cell::Empty => String::new(),
    };
    cells.iter().map(text).collect()
}

/// Each of these stands in one of the sentences.
#[track_caller]
pub fn says(said: &[String], wanted: &[&str]) {
    for wanted in wanted {
        assert!(said.iter().any(|said| said.contains(wanted)), "{wanted}: {said:#?}");
    }
}
