//! What a report shows, as tests ask for it.

use tlstax_doc::Results;
use tlstax_report::{Block, Cell, Section, Table, View};

pub fn section(results: &Results, id: &str) -> Option<Section> {
    View::of(results).sections.into_iter().find(|section| section.id == id)
}

pub fn tables(section: &Section) -> Vec<&Table> {
    let mut tables = Vec::new();
    for block in &section.blocks {
        if let Block::Table(table) = block {
            tables.push(table);
        }
    }
    tables
}

/// The cells of a column in the rows whose first cell is this text.
pub fn column<'a>(table: &'a Table, library: &str, title: &str) -> Vec<&'a Cell> {
    let place = table.columns.iter().position(|column| column.title == title).unwrap();
    let is_it = |cell: &Cell| matches!(cell, Cell::Text { text } if text == library);
    table.rows.iter().filter(|row| is_it(&row.cells[0])).map(|row| &row.cells[place]).collect()
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

#[track_caller]
pub fn says(section: &Section, wanted: &str) {
    assert!(section.sentences.iter().any(|said| said.contains(wanted)), "{wanted}: {:#?}", section.sentences);
}
