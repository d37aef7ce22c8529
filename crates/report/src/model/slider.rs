//! [`Slider`]: the costs of a plan by terms, from which a page computes other resumed shares and rates.

use serde::Serialize;

use super::quantity::Quantity;

/// What a page needs to say how many cores another resumed share and another rate take. Each kind of connection resumes less or more
/// in the same proportion: a share below that of now is a mixture of none and now, one above it a mixture of now and all.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Slider {
    pub title: String,
    /// CPUs that there are.
    pub cpus: u32,
    /// The share of connections that resume now, 0 to 1.
    pub share: f64,
    /// Cores by the program, with their intervals: as it is, if none resumed, and if all did. Of a mixture the ends of the interval
    /// are those of its parts in the same mixture: the deviation of a sum is not more than the sum of the deviations.
    pub now: Quantity,
    pub full: Quantity,
    pub resumed: Quantity,
    pub terms: Vec<SliderTerm>,
}

/// A term with what it costs once, and how many times it is done in a second.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SliderTerm {
    pub name: String,
    /// Nanoseconds.
    pub ns: f64,
    pub now: f64,
    pub full: f64,
    pub resumed: f64,
}
