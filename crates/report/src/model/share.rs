//! [`Share`]: the part of CPU time that one class takes, as a row of a data frame.

use serde::Serialize;

/// A row of a data frame: what a class takes of a whole.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Share {
    /// The profile, by the name of its file.
    pub profile: String,
    pub cost: &'static str,
    /// Empty where the class has none.
    pub algorithm: &'static str,
    /// tls, process or machine.
    pub of: &'static str,
    /// Percent.
    pub value: f64,
    pub low: f64,
    pub high: f64,
    /// Samples' weight.
    pub weight: u64,
    pub unit: &'static str,
}
