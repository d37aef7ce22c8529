//! The [`View`]: the one model that all formats draw.

use serde::Serialize;
use tlstax_doc::{Note, Results};

use crate::facts::Facts;
use crate::figure::{Figure, figures};
use crate::quantity::{Quantity, Sign};
use crate::sections::{Published, sections};

/// What a report shows, in the order it is shown.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct View {
    /// What the report is about, in a few words.
    pub title: String,
    /// Whose figures these are, in one line.
    pub about: String,
    /// The parts of the report; what was not measured has none.
    pub sections: Vec<Section>,
    /// What the signs before figures mean, where there are any; may be empty.
    pub legend: String,
    /// Every summary as a flat row, for data frames.
    pub figures: Vec<Figure>,
}

impl View {
    /// The report on one run.
    pub fn of(results: &Results) -> Self {
        Self::with_published(results, &Published::default())
    }

    /// The report on one run, with this machine set beside machines whose figures were published.
    pub fn with_published(results: &Results, published: &Published) -> Self {
        let facts = Facts::of(results);
        let sections = sections(&facts, published);
        Self {
            title: "What TLS costs".to_owned(),
            about: about(results),
            legend: legend(&sections),
            sections,
            figures: figures(&facts),
        }
    }
}

/// The study, the machine and the time.
fn about(results: &Results) -> String {
    let cpu =
        results.host.cpu.name.clone().unwrap_or_else(|| format!("an {} CPU", results.host.architecture));
    format!("study {}, {cpu}, {}", results.study.name, results.started)
}

/// What the signs mean that the tables of some sections have.
fn legend(sections: &[Section]) -> String {
    let tables = sections.iter().flat_map(|section| &section.blocks).filter_map(|block| match block {
        Block::Table(table) => Some(table),
        _ => None,
    });
    let signs: Vec<Sign> = tables
        .flat_map(|table| table.rows.iter().flat_map(|row| &row.cells))
        .filter_map(|cell| match cell {
            Cell::Quantity(quantity) => quantity.sign,
            _ => None,
        })
        .collect();
    let meanings = Sign::ALL.iter().filter(|sign| signs.contains(sign));
    meanings.map(|sign| format!("{} {}", sign.shown(), sign.meaning())).collect::<Vec<_>>().join("; ")
}

/// One part of a report.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Section {
    /// A word for links.
    pub id: String,
    /// The heading.
    pub title: String,
    /// How the figures below were obtained; may be empty.
    pub intro: String,
    /// Tables, charts and notes.
    pub blocks: Vec<Block>,
    /// What the figures say in plain words: only what their intervals support.
    pub sentences: Vec<String>,
}

/// A piece of a section.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "is", rename_all = "lowercase")]
pub enum Block {
    /// Rows and columns.
    Table(Table),
    /// A table that few ask for: formats with room can hide it until it is asked for, others leave it out.
    Details(Table),
    /// Bars, for formats that can draw; their figures stand in a table too.
    Chart(Chart),
    /// What the reader has to know, and what can be done about it.
    Notes {
        /// The most severe first.
        notes: Vec<Note>,
    },
}

/// Rows and columns.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Table {
    /// What is shown, with everything that is the same in all rows.
    pub caption: String,
    /// The columns; those that name the row come first.
    pub columns: Vec<Column>,
    /// The rows; each has as many cells as there are columns.
    pub rows: Vec<Row>,
}

/// A column of a table.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Column {
    /// The heading; where no column has one, the table has no heading.
    pub title: String,
    /// The unit of the cells that do not name another; empty for text.
    pub unit: &'static str,
    /// Whether the column names the row.
    pub label: bool,
    /// Whether intervals are shown beside the values.
    pub interval: bool,
    /// Whether it holds numbers, which stand to the right.
    pub numeric: bool,
}

impl Column {
    /// A column that names the row.
    pub fn label(title: impl Into<String>) -> Self {
        Self { label: true, ..Self::words(title) }
    }

    /// A column of words that do not name the row.
    pub fn words(title: impl Into<String>) -> Self {
        Self { title: title.into(), unit: "", label: false, interval: false, numeric: false }
    }

    /// A column of quantities with their intervals.
    pub fn quantity(title: impl Into<String>, unit: &'static str) -> Self {
        Self { unit, interval: true, numeric: true, ..Self::words(title) }
    }

    /// A column of quantities whose intervals stand in a column of their own, or that have none.
    pub fn plain(title: impl Into<String>, unit: &'static str) -> Self {
        Self { interval: false, ..Self::quantity(title, unit) }
    }
}

/// A row of a table.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    /// What the row is for.
    pub role: Role,
    /// One cell per column.
    pub cells: Vec<Cell>,
}

impl Row {
    /// An ordinary row.
    pub fn plain(cells: Vec<Cell>) -> Self {
        Self { role: Role::Plain, cells }
    }
}

/// What a row is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// It shows what was measured.
    Plain,
    /// It sets other rows in relation.
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
    /// Words.
    Text {
        /// The words.
        text: String,
    },
    /// A number with its interval.
    Quantity(Quantity),
    /// A figure belongs here and there is none.
    Hole {
        /// Why.
        reason: String,
    },
}

impl Cell {
    /// A cell of words.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text { text: text.into() }
    }

    /// A quantity, or nothing where it does not apply.
    pub fn maybe(quantity: Option<Quantity>) -> Self {
        quantity.map_or(Self::Empty, Self::Quantity)
    }

    /// What a figure was to be, or why there is none.
    pub fn of(outcome: Result<Quantity, String>) -> Self {
        match outcome {
            Ok(quantity) => Self::Quantity(quantity),
            Err(reason) => Self::Hole { reason },
        }
    }
}

/// Bars in groups: one group per label, one bar in it per series.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Chart {
    /// What is shown.
    pub title: String,
    /// The unit of every bar.
    pub unit: &'static str,
    /// Whether the axis is logarithmic.
    pub log: bool,
    /// The names of the groups.
    pub labels: Vec<String>,
    /// The bars.
    pub series: Vec<Series>,
}

/// One bar in every group.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Series {
    /// What the bars have in common.
    pub name: String,
    /// One cell per label.
    pub points: Vec<Cell>,
}
