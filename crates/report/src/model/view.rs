//! The [`View`] and its parts: what a report shows, in which order and in which words.

use serde::Serialize;
use tlstax_doc::Note;

use super::figure::Figure;
use super::table::{Cell, Table};

/// What a report shows, in the order it is shown.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct View {
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

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Section {
    /// A word for links.
    pub id: String,
    pub title: String,
    /// How the figures below were obtained; may be empty.
    pub intro: String,
    pub blocks: Vec<Block>,
    /// What the figures mean in plain words: only what their intervals support.
    pub sentences: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "is", rename_all = "lowercase")]
pub enum Block {
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
    pub title: String,
    pub unit: &'static str,
    pub log: bool,
    pub labels: Vec<String>,
    pub series: Vec<Series>,
}

/// One bar in every group.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Series {
    pub name: String,
    /// One cell per label.
    pub points: Vec<Cell>,
}
