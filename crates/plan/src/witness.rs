//! [`ModelWitness`]: what a model says to claims that no results can answer.

mod break_even;
mod small_site;

use tlstax_claims::{Span, Verb, Witness};
use tlstax_doc::model::{Bounds, Model};

use self::break_even::{Handshake, bulk_as_dear, half_of_tls};
use self::small_site::{bulk_to_handshakes, of_longer_key};
use crate::costs::Costs;
use crate::demand::Demand;

/// A model as a witness of claims (docs/claims.md has its questions).
#[derive(Debug)]
pub struct ModelWitness {
    pub model: Model,
    /// The traffic of the small site that claims are about, before its change and after it.
    pub before: Vec<Demand>,
    pub after: Vec<Demand>,
}

impl Witness for ModelWitness {
    fn figure(&self, verb: Verb, ask: &str) -> Option<Result<Span, String>> {
        let question = QUESTIONS.iter().find(|question| verb == Verb::Plan && question.ask == ask)?;
        Some((question.answer)(self).map(span))
    }
}

/// A question of a claim, by its word, and its answer.
struct Question {
    ask: &'static str,
    answer: fn(&ModelWitness) -> Result<Bounds, String>,
}

const QUESTIONS: &[Question] = &[
    // Bytes.
    Question { ask: "break-even-body", answer: |of| Handshake::of(&of.costs())?.solve(half_of_tls) },
    Question { ask: "break-even-bytes", answer: |of| Handshake::of(&of.costs())?.solve(bulk_as_dear) },
    // A multiple.
    Question { ask: "bulk-to-handshakes", answer: |of| bulk_to_handshakes(&of.after, &of.costs()) },
    // Percent.
    Question { ask: "explain", answer: |of| of_longer_key(&of.before, &of.after, &of.costs()) },
];

impl ModelWitness {
    fn costs(&self) -> Costs<'_> {
        Costs::of(&self.model)
    }
}

const fn span(Bounds { value, low, high }: Bounds) -> Span {
    Span { value, low, high }
}

#[cfg(test)]
mod tests;
