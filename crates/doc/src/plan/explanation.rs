//! [`Explanation`]: what of a rise of CPU time changes of the traffic explain.

use serde::Serialize;

use crate::model::Bounds;

/// What of a rise of a server's CPU time changes of its traffic explain, and what is left. Made of two workloads and a model whenever
/// it is asked for, and not kept.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Explanation {
    /// Seconds of CPU time in a second that the traffic costs by the model.
    pub before: Bounds,
    pub after: Bounds,
    /// What each change explains, the most first; they add up to `explained`. Empty where nothing changed.
    pub parts: Vec<Explained>,
    /// All changes together, cores.
    pub explained: Bounds,
    /// None where no rise was measured.
    pub rise: Option<Risen>,
    /// What the model has no cost of, with what stands for it or that it is left out, a sentence each.
    pub missing: Vec<String>,
}

/// What one change explains.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Explained {
    /// What changed, one word: `suite`.
    pub what: String,
    /// In words: what most of the traffic had.
    pub before: String,
    pub after: String,
    /// Cores: the mean over all orders in which the changes can be made, one after the other.
    pub cores: Bounds,
    /// The same by the order that gives it least, and by the one that gives it most; without what chance leaves open.
    pub least: f64,
    pub most: f64,
    /// The same as a multiple of what the traffic costs before: 0.1 is a tenth of it.
    pub of_before: Bounds,
}

/// A rise that was measured.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Risen {
    /// Cores, as it was measured; where only a factor is known, of what the traffic costs before by the model.
    pub cores: f64,
    /// Cores that were measured before; none where only a factor is known.
    pub before: Option<f64>,
    /// What no change of the traffic explains, cores: with `explained` it is the rise.
    pub left: Bounds,
}
