//! [`answer`]: what results say to claims.

use tlstax_doc::Results;

use crate::book::{Book, Claim};
use crate::check::Claimed;
use crate::unit::Unit;
use crate::verdict::Verdict;
use crate::witness::Witness;

/// What one machine says to a claim.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer<'b> {
    pub claim: &'b Claim,
    /// The machine's CPU; none where no results have a figure.
    pub machine: Option<String>,
    /// The figures, in the order of the claim's checks; those that there are.
    pub here: Vec<Here>,
    pub verdict: Verdict,
    /// Why there is no better verdict, with what to do; for one that does not hold, what is not as it was claimed.
    pub why: Option<String>,
    /// What could not be checked, a sentence each.
    pub missing: Vec<String>,
    /// The places of the results that figures are from.
    pub from: Vec<usize>,
}

/// A figure of this machine.
#[derive(Debug, Clone, PartialEq)]
pub struct Here {
    pub value: f64,
    pub low: f64,
    pub high: f64,
    pub unit: Unit,
    /// Who was measured, doing what: "openssl: AES-128-GCM, 1 KiB: without / with AES instructions".
    pub words: String,
    /// Where it was claimed to lie.
    pub claimed: Option<Claimed>,
    /// What its interval says to that; [`Verdict::Compared`] where nothing is claimed.
    pub verdict: Verdict,
    /// Whether it is shown only, and no part of the claim's verdict.
    pub aside: bool,
    /// The place of the results that it is from; none for one that another verb has answered.
    pub from: Option<usize>,
}

/// A word that is neither the id of a claim nor a source.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no claim '{word}' in {book}, and no source;{question} known: {known}")]
pub struct UnknownClaim {
    pub word: String,
    pub book: String,
    pub question: String,
    pub known: String,
}

/// What results say to the claims that are wanted, by ids or sources; to all where none are named. A claim has an answer for each
/// machine whose results have a figure for it, and one without a machine where none has.
///
/// # Errors
/// A word is neither an id nor a source.
pub fn answer<'b>(
    book: &'b Book,
    wanted: &[String],
    runs: &[&Results],
) -> Result<Vec<Answer<'b>>, UnknownClaim> {
    answer_with(book, wanted, runs, &[])
}

/// As [`answer`], with others to ask for what no results hold.
///
/// # Errors
/// A word is neither an id nor a source.
pub fn answer_with<'b>(
    _book: &'b Book,
    _wanted: &[String],
    _runs: &[&Results],
    _witnesses: &[&dyn Witness],
) -> Result<Vec<Answer<'b>>, UnknownClaim> {
    unimplemented!("the next commit")
}
