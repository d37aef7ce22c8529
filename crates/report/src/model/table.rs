//! [`Table`]: columns, rows and cells.

use serde::Serialize;

use super::quantity::Quantity;

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Table {
    /// What is shown, with everything that is the same in all rows.
    pub caption: String,
    /// The columns; those that name the row come first.
    pub columns: Vec<Column>,
    pub rows: Vec<Row>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Column {
    /// The heading; where no column has one, the table has no heading.
    pub title: String,
    /// The unit of the cells that do not name another; empty for text.
    pub unit: &'static str,
    pub label: bool,
    pub interval: bool,
    /// Whether it holds numbers, which stand to the right.
    pub numeric: bool,
    /// Where a screen has no room for all, columns of the highest rank go first. Most have none, which is 0: of these the last
    /// goes first. Those that name the row stay.
    #[serde(skip)]
    pub rank: u8,
}

impl Column {
    pub fn label(title: impl Into<String>) -> Self {
        Self { label: true, ..Self::words(title) }
    }

    /// A column of words that do not name the row.
    pub fn words(title: impl Into<String>) -> Self {
        Self { title: title.into(), unit: "", label: false, interval: false, numeric: false, rank: 0 }
    }

    pub fn quantity(title: impl Into<String>, unit: &'static str) -> Self {
        Self { unit, interval: true, numeric: true, ..Self::words(title) }
    }

    /// A column of quantities whose intervals stand in a column of their own, or that have none.
    pub fn plain(title: impl Into<String>, unit: &'static str) -> Self {
        Self { interval: false, ..Self::quantity(title, unit) }
    }

    /// A column of whole numbers, which are counted and have no interval.
    pub fn count(title: impl Into<String>) -> Self {
        Self { numeric: true, ..Self::words(title) }
    }

    /// The same, to go before others where a screen has no room for all.
    pub fn ranked(self, rank: u8) -> Self {
        Self { rank, ..self }
    }
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    pub role: Role,
    pub cells: Vec<Cell>,
}

impl Row {
    pub fn plain(cells: Vec<Cell>) -> Self {
        Self { role: Role::Plain, cells }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// It shows what was measured.
    Plain,
    Ratio,
    /// It shows what the harness itself costs.
    Control,
}

/// What stands where a row and a column meet.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "is", rename_all = "lowercase")]
pub enum Cell {
    /// Nothing belongs here.
    Empty,
    Text {
        text: String,
    },
    Quantity(Quantity),
    /// A figure belongs here and there is none.
    Hole {
        reason: String,
    },
}

impl Cell {
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text { text: text.into() }
    }

    pub fn quantity(&self) -> Option<&Quantity> {
        if let Self::Quantity(quantity) = self { Some(quantity) } else { None }
    }
}

impl From<Quantity> for Cell {
    fn from(quantity: Quantity) -> Self {
        Self::Quantity(quantity)
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self::Text { text }
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Self::text(text)
    }
}

/// Nothing where it does not apply.
impl<C: Into<Cell>> From<Option<C>> for Cell {
    fn from(cell: Option<C>) -> Self {
        cell.map_or(Self::Empty, Into::into)
    }
}

/// What was to be there, or why it is not.
impl<C: Into<Cell>> From<Result<C, String>> for Cell {
    fn from(outcome: Result<C, String>) -> Self {
        outcome.map_or_else(|reason| Self::Hole { reason }, Into::into)
    }
}
