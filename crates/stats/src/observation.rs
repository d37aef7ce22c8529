//! [`Observation`]: what a batch cost, and how many of them an estimate needs.

use crate::baseline::{Baseline, Gate};
use crate::reference::Reading;

/// What one batch of a case cost, between two readings of the reference kernels.
#[derive(Debug, Default, Clone, PartialEq)]
pub struct Observation {
    /// The round of the run that the batch belongs to.
    pub round: u32,
    /// Which set of processes ran it: rounds of one sitting share the luck of how code, stack and heap came to lie.
    pub sitting: u32,
    /// The cost of one iteration in nanoseconds (or whatever else is compared); above zero.
    pub cost: f64,
    /// The reading before the batch; [`Reading::default`] where there is none.
    pub before: Reading,
    pub after: Reading,
    /// The place of the reading before it among all of the run.
    pub reading: usize,
    /// The cost of one iteration in each of its parts, in order; none where only the whole is known.
    pub parts: Vec<f64>,
}

/// The batches of a case with the machine that they ran on, as one side of a ratio or a comparison.
#[derive(Debug, Clone, Copy)]
pub struct Side<'a> {
    pub observations: &'a [Observation],
    /// The baseline of the core; none where no references were read.
    pub baseline: Option<&'a Baseline>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Basis {
    /// Parts of batches, at the usual clock of the run, in which nobody disturbed the machine.
    Undisturbed,
    /// The rounds in which the machine was quiet. What the references show above their best, at most the gate's
    /// width, is taken out.
    Quiet { gate: Gate },
    /// All rounds, because too few were quiet. What the references show above their best is taken out.
    Corrected,
    /// All rounds as they are: there were no references.
    Raw,
}

/// The least number of rounds that an estimate is made from: an interval for a median that holds in 95 of 100 cases
/// does not exist for fewer (2 x 0.5^5 is 6 %).
pub const MIN_ROUNDS: usize = 6;
