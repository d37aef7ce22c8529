//! Which claims of a book somebody wants.

use tlstax_names::did_you_mean;

use crate::book::Book;
use crate::claim::Claim;

/// A word that is neither the id of a claim nor a source.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no claim and no source of {book} is called '{word}';{question} known: {known}")]
pub struct UnknownClaim {
    pub word: String,
    pub book: String,
    question: String,
    known: String,
}

/// The claims that go by these ids, or are of these sources, whatever their capitals, in the order of the book; all where no word
/// is given.
pub(crate) fn wanted<'b>(book: &'b Book, words: &[String]) -> Result<Vec<&'b Claim>, UnknownClaim> {
    let fits = |claim: &Claim, word: &str| {
        claim.id.eq_ignore_ascii_case(word) || claim.source.eq_ignore_ascii_case(word)
    };
    let is_unknown = |word: &&String| !book.claims.iter().any(|claim| fits(claim, word));
    if let Some(word) = words.iter().find(is_unknown) {
        return Err(unknown(book, word));
    }
    let is_wanted = |claim: &&Claim| words.is_empty() || words.iter().any(|word| fits(claim, word));
    Ok(book.claims.iter().filter(is_wanted).collect())
}

fn unknown(book: &Book, word: &str) -> UnknownClaim {
    let mut known: Vec<&str> = book.claims.iter().map(|claim| claim.source.as_str()).collect();
    known.dedup();
    known.extend(book.claims.iter().map(|claim| claim.id.as_str()));
    let question = did_you_mean(word, known.iter().copied());
    UnknownClaim { word: word.to_owned(), book: book.name.clone(), question, known: known.join(", ") }
}
