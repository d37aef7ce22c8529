//! The section of claims.

use tlstax_claims::Answer;

use super::{picture, sum, table};
use crate::model::{Block, Section};

/// The word for links.
pub(super) const ID: &str = "claims";

const INTRO: &str = "\
    The interval decides, not the median: a claim holds if the whole of it lies on the claimed side, and cannot be told if it lies \
    on both. Ratios are made within one run. A rate of another machine is compared and never judged.";

pub(super) fn section(answers: &[Answer<'_>]) -> Section {
    let pictures = picture::pictures(answers).into_iter().map(Block::Marks);
    Section::new(ID, "Claims", format!("{} {INTRO}", sum::sum(answers)))
        .with([table::table(answers)])
        .with(pictures)
        .with(table::details(answers).map(Block::Details))
        .saying(sum::exceptions(answers))
}
