//! What documents say to claims.

use tlstax_claims::{Answer, Book, Witness};
use tlstax_doc::{Profile, Results};
use tlstax_report::{ProfileWitness, View, claims_view};

use crate::failure::Usage;

/// The answers to some claims.
///
/// # Errors
/// A word is neither an id nor a source.
pub fn answers<'b>(book: &'b Book, wanted: &[String], runs: &[&Results]) -> Result<Vec<Answer<'b>>, Usage> {
    tlstax_claims::answer(book, wanted, runs).map_err(|error| Usage(error.to_string()))
}

/// The view of claims whose words were looked at before.
pub fn view(book: &Book, wanted: &[String], runs: &[&Results], profiles: &[Profile]) -> View {
    let witnesses: Vec<ProfileWitness<'_>> = profiles.iter().map(ProfileWitness).collect();
    let witnesses: Vec<&dyn Witness> = witnesses.iter().map(|witness| witness as &dyn Witness).collect();
    let answers = tlstax_claims::answer_with(book, wanted, runs, &witnesses);
    claims_view(&answers.unwrap_or_else(|error| unreachable!("the words were looked at: {error}")), runs)
}
