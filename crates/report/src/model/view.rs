//! The [`View`] and its parts: what a report shows, in which order and in which words.

use serde::Serialize;
use tlstax_doc::Note;
use tlstax_spec::FlatCase;

use super::claim::ClaimFigure;
use super::cost::CostFigure;
use super::share::Share;
use super::slider::Slider;
use super::table::{Cell, Table};
use super::traffic::TrafficFigure;

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
    /// Every figure of every claim as a flat row; empty where no claim was asked about.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub claims: Vec<ClaimFigure>,
    /// Every share of a profile as a flat row; empty of anything but profiles.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub shares: Vec<Share>,
    /// Every count and size of a workload as a flat row; empty of anything but workloads.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub traffic: Vec<TrafficFigure>,
    /// Every figure of a model or a plan as a flat row; empty of anything but these.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub costs: Vec<CostFigure>,
}

impl View {
    /// A view of sections alone, without rows for data frames: CSV takes the figures of its tables.
    pub fn of_sections(title: impl Into<String>, about: impl Into<String>, sections: Vec<Section>) -> Self {
        Self {
            title: title.into(),
            about: about.into(),
            sections,
            legend: String::new(),
            figures: Vec::new(),
            claims: Vec::new(),
            shares: Vec::new(),
            traffic: Vec::new(),
            costs: Vec::new(),
        }
    }
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
    /// What one screen says of this section, the most telling first: its main figures with their intervals, then its sentences.
    /// Where there are none, the sentences alone.
    #[serde(skip)]
    pub answers: Vec<String>,
}

impl Section {
    /// Without anything below its intro.
    pub fn new(id: impl Into<String>, title: impl Into<String>, intro: impl Into<String>) -> Self {
        let (blocks, sentences, answers) = (Vec::new(), Vec::new(), Vec::new());
        Self { id: id.into(), title: title.into(), intro: intro.into(), blocks, sentences, answers }
    }

    /// With more blocks.
    #[must_use]
    pub fn with<B: Into<Block>>(mut self, blocks: impl IntoIterator<Item = B>) -> Self {
        self.blocks.extend(blocks.into_iter().map(Into::into));
        self
    }

    /// Its tables, without those that are hidden at first.
    pub fn tables(&self) -> impl Iterator<Item = &Table> {
        self.blocks
            .iter()
            .filter_map(|block| if let Block::Table(table) = block { Some(table) } else { None })
    }

    /// With these sentences.
    #[must_use]
    pub fn saying(self, sentences: Vec<String>) -> Self {
        Self { sentences, ..self }
    }

    /// With its main figures in sentences, each with its interval.
    pub(crate) fn answering(self, answers: Vec<String>) -> Self {
        self.answering_in_place(0, answers)
    }

    /// The same, where the first so many of its sentences say no more.
    pub(crate) fn answering_in_place(self, replaced: usize, mut answers: Vec<String>) -> Self {
        answers.extend(self.sentences.iter().skip(replaced).cloned());
        Self { answers, ..self }
    }
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "is", rename_all = "lowercase")]
pub enum Block {
    Table(Table),
    /// A table that few ask for: formats with room can hide it until it is asked for, others leave it out.
    Details(Table),
    /// Bars, for formats that can draw; their figures stand in a table too.
    Chart(Chart),
    /// A row for each label on one axis: what was claimed, and what was measured by a mark whose form is the verdict, which is
    /// the name of its series. For formats that can draw, as bars are.
    Marks(Chart),
    /// A finished picture, for formats that can show it: an SVG element without scripts or references.
    Picture {
        title: String,
        #[serde(skip)]
        svg: String,
    },
    /// What a plan says of other shares and rates, for formats that can compute while they are read.
    Slider(Box<Slider>),
    /// What the reader has to know, and what can be done about it.
    Notes {
        /// The most severe first.
        notes: Vec<Note>,
    },
}

impl From<Table> for Block {
    fn from(table: Table) -> Self {
        Self::Table(table)
    }
}

impl From<Chart> for Block {
    fn from(chart: Chart) -> Self {
        Self::Chart(chart)
    }
}

impl From<Slider> for Block {
    fn from(slider: Slider) -> Self {
        Self::Slider(Box::new(slider))
    }
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

/// One metric of one case: a row of a data frame.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Figure {
    /// When the run began: tells the rows of several runs apart.
    pub run: String,
    pub id: String,
    pub case: FlatCase,
    /// cpu, wall, client, server or memory.
    pub metric: &'static str,
    /// What it costs while nobody disturbs the machine, as far as the basis goes; none for a hole.
    pub value: Option<f64>,
    pub low: Option<f64>,
    pub high: Option<f64>,
    /// `ns/iteration`, `bytes/connection`, or `new/old` in a comparison.
    pub unit: &'static str,
    /// undisturbed, quiet, corrected or raw; see docs/method.md.
    pub basis: &'static str,
    /// The mean over all batches, with all that disturbed them; none for a hole, and of memory.
    pub as_it_went: Option<f64>,
    /// Rounds that the figure was made from.
    pub kept: usize,
    /// Rounds there were.
    pub total: usize,
    /// faster, slower, same or cannot tell, in a comparison.
    pub verdict: &'static str,
    pub hole: String,
}
