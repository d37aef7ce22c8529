//! Cells as text, with the reasons of holes and other remarks as numbered notes below the table.

use crate::model::{Cell, Column, Table};

pub(super) const HOLE: &str = "—";

/// The notes of one table, in the order in which cells refer to them; each is said once.
#[derive(Debug, Default)]
pub(super) struct Footnotes(Vec<String>);

#[derive(Debug)]
pub(super) struct Plain {
    /// Per row, per column: the text and the number of the note it refers to.
    pub rows: Vec<Vec<(String, Option<usize>)>>,
    /// The notes; the first has number 1.
    pub notes: Vec<String>,
}

pub(super) fn plain(table: &Table) -> Plain {
    let mut notes = Footnotes::default();
    let rows = table
        .rows
        .iter()
        .map(|row| {
            row.cells.iter().zip(&table.columns).map(|(cell, column)| notes.cell(cell, column)).collect()
        })
        .collect();
    Plain { rows, notes: notes.0 }
}

impl Footnotes {
    fn cell(&mut self, cell: &Cell, column: &Column) -> (String, Option<usize>) {
        match cell {
            Cell::Empty => (String::new(), None),
            Cell::Text { text } => (text.clone(), None),
            Cell::Hole { reason } => (HOLE.to_owned(), Some(self.number(reason))),
            Cell::Quantity(quantity) => {
                (quantity.show(column), quantity.remark.as_ref().map(|remark| self.number(remark)))
            }
        }
    }

    fn number(&mut self, note: &str) -> usize {
        let known = self.0.iter().position(|known| known == note);
        known.unwrap_or_else(|| {
            self.0.push(note.to_owned());
            self.0.len() - 1
        }) + 1
    }
}
