//! Cells as text, with the reasons of holes and other remarks as numbered notes below the table.

use crate::model::{Cell, Column, Table};

const HOLE: &str = "—";

pub(super) struct Plain {
    /// Per row, per column: the text and the number of the note it refers to.
    pub rows: Vec<Vec<(String, Option<usize>)>>,
    /// In the order in which cells refer to them, each once; the first has number 1.
    pub notes: Vec<String>,
}

pub(super) fn plain(table: &Table) -> Plain {
    let mut notes: Vec<String> = Vec::new();
    let mut number = |note: &String| {
        let known = notes.iter().position(|known| known == note);
        let place = known.unwrap_or_else(|| {
            notes.push(note.clone());
            notes.len() - 1
        });
        place + 1
    };
    let mut shown = |(cell, column): (&Cell, &Column)| match cell {
        Cell::Empty => (String::new(), None),
        Cell::Text { text } => (text.clone(), None),
        Cell::Hole { reason } => (HOLE.to_owned(), Some(number(reason))),
        Cell::Quantity(quantity) => (quantity.show(column), quantity.remark.as_ref().map(&mut number)),
    };
    let rows =
        table.rows.iter().map(|row| row.cells.iter().zip(&table.columns).map(&mut shown).collect()).collect();
    Plain { rows, notes }
}
