//! [`Figure`]: one metric of one case as a flat row.

use serde::Serialize;
use tlstax_spec::FlatCase;

/// One metric of one case: a row of a data frame.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Figure {
    /// When the run began: tells the rows of several runs apart.
    pub run: String,
    pub id: String,
    pub case: FlatCase,
    /// cpu, wall, client, server or memory.
    pub metric: &'static str,
    /// The median over rounds; none for a hole.
    pub value: Option<f64>,
    pub low: Option<f64>,
    pub high: Option<f64>,
    /// `ns/iteration`, `bytes/connection`, or `new/old` in a comparison.
    pub unit: &'static str,
    /// quiet, corrected or raw; see docs/method.md.
    pub basis: &'static str,
    /// Rounds that the figure was made from.
    pub kept: usize,
    /// Rounds there were.
    pub total: usize,
    /// faster, slower, same or cannot tell, in a comparison.
    pub verdict: &'static str,
    pub hole: String,
}
