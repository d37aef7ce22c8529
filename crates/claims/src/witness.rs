//! [`Witness`]: what answers those claims that no results document can.

use crate::span::Span;

/// A verb that answers what results documents do not hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verb {
    /// Samples of a running server.
    Observe,
    /// The cost model.
    Plan,
}

impl Verb {
    pub const ALL: [Self; 2] = [Self::Observe, Self::Plan];

    /// As it stands behind `tlstax`, and in a claims file as a rule.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Observe => "observe",
            Self::Plan => "plan",
        }
    }

    /// The document that it is asked by, which results are not.
    pub(crate) const fn document(self) -> &'static str {
        match self {
            Self::Observe => "a profile of a running server, which `tlstax observe` writes",
            Self::Plan => "a model of a server's costs, which `tlstax calibrate` writes",
        }
    }
}

/// Somebody who can be asked beside the results documents: the profile of a server, or the cost model.
pub trait Witness {
    /// The figure that answers a question of a claim; none where this is not the one to ask.
    ///
    /// # Errors
    /// It is the one to ask, and cannot say: why.
    fn figure(&self, verb: Verb, ask: &str) -> Option<Result<Span, String>>;
}
