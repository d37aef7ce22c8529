//! [`needed`]: the cases that have to be measured for claims without a figure.

use std::collections::HashMap;

use tlstax_doc::Results;
use tlstax_spec::{Case, Id, Workload};

use crate::book::Book;
use crate::check::{Candidate, Check};
use crate::claim::Claim;
use crate::document::Document;
use crate::wanted::{UnknownClaim, wanted as chosen};

/// A case that has to be measured, and for which claims.
#[derive(Debug, Clone, PartialEq)]
pub struct Need<'b> {
    pub case: Case,
    pub claims: Vec<&'b Claim>,
}

/// The cases that have to be measured, in one run, so that the claims that are wanted have an answer: those of each check that no
/// results can answer by themselves. `usable` says which libraries are there: of a check's candidates the first is measured whose
/// libraries all are; where there is none, the first, whose hole then says what to do.
///
/// # Errors
/// A word is neither an id nor a source.
pub fn needed<'b>(
    book: &'b Book,
    wanted: &[String],
    runs: &[&Results],
    quick: bool,
    usable: &dyn Fn(&Id) -> bool,
) -> Result<Vec<Need<'b>>, UnknownClaim> {
    let documents: Vec<Document<'_>> = runs.iter().map(|results| Document::of(results)).collect();
    let mut needs: Vec<Need<'b>> = Vec::new();
    let mut places: HashMap<&Case, usize> = HashMap::new();
    for claim in chosen(book, wanted)? {
        let checks = claim.checks.iter().filter(|check| check.is_quick || !quick);
        let asked = checks.filter_map(|check| asked(check, &documents, usable));
        for term in asked.flat_map(|candidate| &candidate.terms) {
            let place = *places.entry(&term.case).or_insert(needs.len());
            if place == needs.len() {
                needs.push(Need { case: term.case.clone(), claims: Vec::new() });
            }
            // Claims come one after the other.
            if needs[place].claims.last().is_none_or(|last| last.id != claim.id) {
                needs[place].claims.push(claim);
            }
        }
    }
    Ok(needs)
}

/// Whom a check still has to be asked of; nobody where a document has all of its cases, or nobody has such a thing.
fn asked<'c>(
    check: &'c Check,
    documents: &[Document<'_>],
    usable: &dyn Fn(&Id) -> bool,
) -> Option<&'c Candidate> {
    let is_answered = |candidate: &Candidate| {
        documents.iter().any(|one| candidate.terms.iter().all(|term| one.is_measured(&term.case)))
    };
    let is_unsupported = |candidate: &Candidate| {
        candidate.terms.iter().any(|term| documents.iter().any(|one| one.is_unsupported(&term.case)))
    };
    // A library that lacks it lacks it with other values, too.
    let lacks_it = |candidate: &Candidate| {
        check.candidates.iter().any(|other| other.library == candidate.library && is_unsupported(other))
    };
    if check.candidates.iter().any(is_answered) {
        return None;
    }
    let open = || check.candidates.iter().filter(|candidate| !lacks_it(candidate));
    let is_there = |candidate: &&Candidate| candidate.terms.iter().all(|term| is_usable(&term.case, usable));
    let tried = check.candidates.iter().any(lacks_it);
    open().find(is_there).or_else(|| open().next().filter(|_| !tried))
}

fn is_usable(case: &Case, usable: &dyn Fn(&Id) -> bool) -> bool {
    let client = match &case.workload {
        Workload::Load(load) => usable(&load.client),
        _ => true,
    };
    client && usable(&case.library)
}
