//! [`Claim`]: what somebody has found or said of the cost of TLS.

use tlstax_spec::Id;

use crate::check::Check;
use crate::unit::Unit;

/// What somebody has found or said, and what would check it.
#[derive(Debug, Clone, PartialEq)]
pub struct Claim {
    pub id: Id,
    /// Who says it: `S0` to `S4` for the write-ups.
    pub source: String,
    /// The claim, in our words.
    pub words: String,
    pub kind: Kind,
    /// The figures that it was made with, each with its machine; some claims have none.
    pub there: Vec<There>,
    /// What has to be so for the claim to hold: all of it.
    pub checks: Vec<Check>,
}

/// A figure of the claim, from the machine that it was made on.
#[derive(Debug, Clone, PartialEq)]
pub struct There {
    pub machine: String,
    pub low: f64,
    /// The same as `low` for a single figure.
    pub high: f64,
    pub unit: Unit,
    /// What it is a figure of.
    pub words: String,
}

/// What a verdict rests on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A quotient within one run.
    Ratio,
    /// An absolute figure of another machine: compared, never judged.
    Rate,
    /// It follows from measured figures of one machine.
    Arithmetic,
    /// What is counted: round trips, bytes.
    Count,
    /// It needs samples of a running server.
    Profile,
    /// It needs the cost model.
    Model,
    /// Parts of several kinds.
    Mixed,
}

impl Kind {
    pub const ALL: [Self; 7] =
        [Self::Ratio, Self::Rate, Self::Arithmetic, Self::Count, Self::Profile, Self::Model, Self::Mixed];

    /// One lower-case word, as claims files have it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ratio => "ratio",
            Self::Rate => "rate",
            Self::Arithmetic => "arithmetic",
            Self::Count => "count",
            Self::Profile => "profile",
            Self::Model => "model",
            Self::Mixed => "mixed",
        }
    }
}
