//! [`needed`]: the cases that have to be measured for claims without a figure.

use tlstax_doc::Results;
use tlstax_spec::{Case, Id};

use crate::answer::UnknownClaim;
use crate::book::{Book, Claim};

/// A case that has to be measured, and for which claims.
#[derive(Debug, Clone, PartialEq)]
pub struct Need<'b> {
    pub case: Case,
    pub claims: Vec<&'b Claim>,
}

/// The cases that have to be measured, in one run, so that the claims that are wanted have an answer: those of each check that no
/// results can answer by themselves. `usable` says which libraries are there: of a check's candidates the first of those is
/// measured, and where none is there, the first, whose hole then says what to do.
///
/// # Errors
/// A word is neither an id nor a source.
pub fn needed<'b>(
    _book: &'b Book,
    _wanted: &[String],
    _runs: &[&Results],
    _quick: bool,
    _usable: &dyn Fn(&Id) -> bool,
) -> Result<Vec<Need<'b>>, UnknownClaim> {
    unimplemented!("the next commit")
}
