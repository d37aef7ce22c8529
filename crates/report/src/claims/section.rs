//! The section of claims.

use tlstax_claims::{Answer, Verdict};
use tlstax_doc::{Note, Severity};

use super::{picture, sum, table, words};
use crate::model::{Block, Section};
use crate::notes::note;

/// The word for links.
pub(super) const ID: &str = "claims";

const INTRO: &str = "\
    The interval decides, not the median: a claim holds if the whole of it lies on the claimed side, and cannot be told if it lies \
    on both. Ratios are made within one run. A rate of another machine is compared and never judged.";

pub(super) fn section(answers: &[Answer<'_>]) -> Section {
    let (sum, exceptions) = (sum::sum(answers), sum::exceptions(answers));
    let pictures = picture::pictures(answers).into_iter().map(Block::Marks);
    Section::new(ID, "Claims", format!("{sum} {INTRO}"))
        .with([table::table(answers)])
        .with(unmeasured(answers).map(|note| Block::Notes { notes: vec![note] }))
        .with(pictures)
        .with(table::details(answers).map(Block::Details))
        .answering(std::iter::once(sum).chain(exceptions.iter().cloned()).collect())
        .saying(exceptions)
}

/// The claims that the results lack cases of, why the first one has none, and how to measure them.
fn unmeasured(answers: &[Answer<'_>]) -> Option<Note> {
    let open: Vec<&Answer<'_>> =
        answers.iter().filter(|answer| answer.verdict == Verdict::NotMeasured).collect();
    let first = open.first()?;
    let ids: Vec<&str> = open.iter().map(|answer| answer.claim.id.as_str()).collect();
    let what = format!("not measured, {}: {}", first.claim.id, words::reason(first));
    Some(note(Severity::Info, what, format!("to measure what they need: tlstax claims {}", ids.join(" "))))
}
