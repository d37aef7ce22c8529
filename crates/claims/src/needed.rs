//! [`needed`]: the cases that have to be measured for claims without a figure.

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
    for claim in chosen(book, wanted)? {
        let checks = claim.checks.iter().filter(|check| check.is_quick || !quick);
        let open = checks.filter(|check| !documents.iter().any(|document| document.answers(check)));
        for term in open.filter_map(|check| check.asked(usable)).flat_map(|candidate| &candidate.terms) {
            match needs.iter_mut().find(|need| need.case == term.case) {
                Some(need) if need.claims.iter().any(|known| known.id == claim.id) => {}
                Some(need) => need.claims.push(claim),
                None => needs.push(Need { case: term.case.clone(), claims: vec![claim] }),
            }
        }
    }
    Ok(needs)
}

impl Document<'_> {
    /// Whether measuring again would bring nothing that the document lacks for a check.
    fn answers(&self, check: &Check) -> bool {
        let has_all = |candidate: &Candidate| candidate.terms.iter().all(|term| self.has_answer(&term.case));
        check.candidates.iter().any(has_all)
    }
}

impl Check {
    /// Whom it is asked of.
    fn asked(&self, usable: &dyn Fn(&Id) -> bool) -> Option<&Candidate> {
        let is_usable = |case: &Case| {
            let client = match &case.workload {
                Workload::Load(load) => usable(&load.client),
                _ => true,
            };
            client && usable(&case.library)
        };
        let all = |candidate: &&Candidate| candidate.terms.iter().all(|term| is_usable(&term.case));
        self.candidates.iter().find(all).or(self.candidates.first())
    }
}
