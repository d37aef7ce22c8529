//! [`Check`]: one thing that a claim says, what it is computed from, and where it has to lie.

use tlstax_doc::Metric;
use tlstax_spec::{Case, Id, Switch, Workload};

use crate::expression::Expression;
use crate::unit::Unit;
use crate::witness::Verb;

/// One thing that has to be so for a claim to hold.
#[derive(Debug, Clone, PartialEq)]
pub struct Check {
    /// What is measured, without its library: "AES-128-GCM, 1 KiB: without / with AES instructions".
    pub words: String,
    pub rule: Rule,
    pub unit: Unit,
    /// Where the figure has to lie; none for one that is shown or compared.
    pub claimed: Option<Claimed>,
    /// Whether it is shown only, and no part of the verdict.
    pub aside: bool,
    /// Whether the quick form of the study measures it. Where it is not measured, the verdict does without one that is not.
    pub is_quick: bool,
    /// What the CPU must have, or the check says nothing.
    pub needs: Vec<Switch>,
    /// Whom it may be asked of, the first choice first; nobody where no case is needed.
    pub candidates: Vec<Candidate>,
}

/// How the figure of a check comes about.
#[derive(Debug, Clone, PartialEq)]
pub enum Rule {
    /// A quotient of costs within one run, in any arithmetic; of single bytes where cases work on messages of different sizes.
    Ratio { value: Expression, per_byte: bool },
    /// How many cores feed a line of so many Gbit/s: CPU seconds for as many bytes as it carries in a second.
    Line { gigabits: f64 },
    /// How many bytes or operations one core does in a second, to be compared with the figure of another machine.
    Rate,
    /// Bytes of memory of one idle connection.
    Memory,
    /// What TLS adds to the bytes on the wire, in percent of the payload.
    Wire,
    /// Round trips of a handshake before the request can be sent.
    RoundTrips,
    /// The same with False Start, computed from those without.
    FalseStart,
    /// What no results document can say: another verb will, by this question.
    Other { verb: Verb, ask: String },
    /// What cannot be measured here, and why.
    Never { why: String },
}

/// Where a figure has to lie.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Claimed {
    Above(f64),
    Below(f64),
    /// Both ends belong to it; they may be the same.
    Between(f64, f64),
}

/// A library that a check can be asked of, with the cases that it has to have.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    pub library: Id,
    /// What makes its cases others than those of the library's other candidates: "64 MiB". Empty where there are none.
    pub of: String,
    /// In the order in which the rule names them.
    pub terms: Vec<Term>,
}

/// One measured cost.
#[derive(Debug, Clone, PartialEq)]
pub struct Term {
    pub case: Case,
    pub metric: Metric,
}

impl Term {
    /// The bytes that one iteration works on; none where it works on no message.
    pub fn bytes(&self) -> Option<f64> {
        let bytes = match &self.case.workload {
            Workload::Primitive(primitive) => primitive.size,
            Workload::Bulk(bulk) => bulk.buffer,
            Workload::Load(load) => load.body,
            Workload::Handshake(_) | Workload::Idle(_) => 0,
        };
        (bytes > 0).then(|| f64::from(bytes))
    }
}
