//! The study of the claims: the cases that the built-in claims need, and no others.

use std::collections::HashSet;

use tlstax_claims::{Book, needed};
use tlstax_libraries::{Home, LibraryPattern};
use tlstax_run::{Cast, Extent, Study};
use tlstax_spec::{Case, Id};

use crate::stage::root;

/// What `make` builds, and what a distribution has.
fn is_usual(id: &str) -> bool {
    let base = id.split_once("-without-").map_or(id, |(base, off)| if off == "asm" { id } else { base });
    !["boringssl", "openssl-3.6-without-asm", "afalg"].contains(&base)
}

/// Whether a library is there, by its id.
type IsThere = fn(&str) -> bool;

/// The cases of a study for those of its libraries that are there.
fn cases(study: &str, extent: Extent, is_there: IsThere) -> HashSet<Case> {
    let home = Home::find(Some(root())).unwrap();
    let study = Study::read(&home, study, extent).unwrap();
    let libraries: Vec<Id> =
        study.libraries.iter().filter_map(LibraryPattern::id).filter(|id| is_there(id)).cloned().collect();
    let cast = Cast {
        libraries: &libraries,
        servers: &[],
        control_row: None,
        is_peer: &|id| ["nginx", "apache", "curl", "wget"].contains(&id),
        usable: &|_| true,
    };
    study.cases(&cast).unwrap().into_iter().collect()
}

#[test]
fn every_case_that_a_claim_needs_is_in_the_study() {
    let book = Book::built_in();
    let forms: [(Extent, IsThere); 3] =
        [(Extent::Full, is_usual), (Extent::Quick, is_usual), (Extent::Full, |_| true)];
    for (extent, is_there) in forms {
        let measured = cases("claims", extent, is_there);
        let is_quick = extent == Extent::Quick;
        for need in needed(&book, &[], &[], is_quick, &|id| is_there(id)).unwrap() {
            // Whose library is not built has a hole that says how to get it.
            if is_there(&need.case.library) {
                assert!(measured.contains(&need.case), "{} is not in {extent:?}", need.case.id());
            }
        }
    }
}

#[test]
fn no_case_of_the_study_is_in_vain() {
    let book = Book::built_in();
    let checks = || book.claims.iter().flat_map(|claim| &claim.checks);
    for (extent, is_quick) in [(Extent::Full, false), (Extent::Quick, true)] {
        let wanted = checks().filter(|check| check.is_quick || !is_quick);
        let wanted: HashSet<&Case> = wanted
            .flat_map(|check| &check.candidates)
            .flat_map(|one| &one.terms)
            .map(|term| &term.case)
            .collect();
        for case in cases("claims", extent, |_| true) {
            assert!(wanted.contains(&case), "{} answers no claim in {extent:?}", case.id());
        }
    }
}

/// The claims that were made with large files are answered by the study of large files, too.
#[test]
fn large_transfer_answers_the_claims_that_are_about_it() {
    let book = Book::built_in();
    let measured = cases("large-transfer", Extent::Full, |_| true);
    for id in ["S0-library-effect", "S0-client-like-server", "S0-default-suite", "S0-one-gigabit"] {
        let claim = book.claims.iter().find(|claim| *claim.id == *id).unwrap();
        for check in &claim.checks {
            let is_answered = check
                .candidates
                .iter()
                .any(|candidate| candidate.terms.iter().all(|term| measured.contains(&term.case)));
            assert!(is_answered, "{id}: {}", check.words);
        }
    }
}

#[test]
fn the_study_takes_no_longer_than_it_says() {
    let home = Home::find(Some(root())).unwrap();
    let budget = |extent| Study::read(&home, "claims", extent).unwrap().budget_s;
    assert!(budget(Extent::Full) <= 900.0 && budget(Extent::Quick) <= 180.0);
}
