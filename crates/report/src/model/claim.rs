//! [`ClaimFigure`]: one figure of a claim, of the machine that it was made of or of this one.

use serde::Serialize;

/// A row of a data frame. A claim without a figure has one row, whose figure is empty.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ClaimFigure {
    pub claim: String,
    pub source: String,
    pub words: String,
    pub kind: &'static str,
    /// holds, does not hold, cannot tell, not measurable here, not measured; compared, which is none.
    pub verdict: &'static str,
    /// Why there is no verdict, or which verb gives one; may be empty.
    pub why: String,
    /// there or here; empty for a claim without a figure.
    pub place: &'static str,
    /// The machine of the claim; empty for this one.
    pub machine: String,
    /// What the figure is of.
    pub of: String,
    /// None of a range.
    pub value: Option<f64>,
    pub low: Option<f64>,
    pub high: Option<f64>,
    pub unit: &'static str,
}
