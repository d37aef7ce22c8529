//! [`CostFigure`]: a figure of a model or a plan as a row of a data frame.

use serde::Serialize;

/// A row of a data frame. What is not known, or has no interval, is empty.
#[derive(Debug, Default, Clone, PartialEq, Serialize)]
pub struct CostFigure {
    /// `model` or `plan`.
    pub document: &'static str,
    /// When the model was measured or the plan made: tells the rows of several documents apart.
    pub at: String,
    /// What the row is about. Of models: term, load (as measured), fit (the same load by the model), checked (predicted) and
    /// measured. Of plans: all, part, suite, key, resumption, kind, resource, and of changes: change (cores after them) and more
    /// (cores more than now).
    pub table: &'static str,
    pub name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub low: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub high: Option<f64>,
    pub unit: String,
    /// Where the figure comes from, or why there is none.
    pub remark: String,
}
