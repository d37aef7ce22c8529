//! Verdicts in words.

use tlstax_stats::{Comparison, Reason, Verdict};

use crate::number;

/// A verdict in words, with its reason where it is none.
pub(super) fn words(found: &Comparison) -> String {
    match found.verdict {
        Verdict::Faster => "faster".to_owned(),
        Verdict::Slower => "slower".to_owned(),
        Verdict::Same { within } => format!("same within {}", number::percent(within)),
        Verdict::CannotTell => format!("cannot tell: {}", why(found.why)),
    }
}

fn why(reason: Reason) -> &'static str {
    match reason {
        Reason::Interval => "the interval does not decide",
        Reason::TooFewRounds => "too few rounds",
        Reason::NoReferences => "no reference readings",
        Reason::MachineChanged => "the machine changed between the runs",
        Reason::Noise => "too much noise",
    }
}

pub(super) fn name(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Faster => "faster",
        Verdict::Slower => "slower",
        Verdict::Same { .. } => "same",
        Verdict::CannotTell => "cannot tell",
    }
}
