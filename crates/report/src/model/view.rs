//! The [`View`] and its parts: what a report shows, in which order and in which words.

use serde::Serialize;
use tlstax_doc::Note;

use super::figure::Figure;
use super::table::{Cell, Table};

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
    /// What the figures mean in plain words: only what their intervals support.
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
