//! Every figure of every claim as a flat row.

use tlstax_claims::{Answer, Here, There};

use crate::model::ClaimFigure;

pub(super) fn rows(answers: &[Answer<'_>]) -> Vec<ClaimFigure> {
    let of_claim = |answer: &Answer<'_>| {
        let empty = empty(answer);
        let there = answer.claim.there.iter().map(|figure| of_there(&empty, figure));
        let here = answer.here.iter().map(|figure| of_here(&empty, figure, answer));
        let rows: Vec<ClaimFigure> = there.chain(here).collect();
        if rows.is_empty() { vec![empty] } else { rows }
    };
    answers.iter().flat_map(of_claim).collect()
}

fn empty(answer: &Answer<'_>) -> ClaimFigure {
    let claim = answer.claim;
    ClaimFigure {
        claim: claim.id.to_string(),
        source: claim.source.clone(),
        words: claim.words.clone(),
        kind: claim.kind.name(),
        verdict: answer.verdict.name(),
        why: answer.why.clone().unwrap_or_default(),
        place: "",
        machine: String::new(),
        of: String::new(),
        value: None,
        low: None,
        high: None,
        unit: "",
    }
}

fn of_there(empty: &ClaimFigure, there: &There) -> ClaimFigure {
    ClaimFigure {
        place: "there",
        machine: there.machine.clone(),
        of: there.words.clone(),
        value: (there.low == there.high).then_some(there.low),
        low: Some(there.low),
        high: Some(there.high),
        unit: there.unit.name(),
        ..empty.clone()
    }
}

fn of_here(empty: &ClaimFigure, here: &Here, answer: &Answer<'_>) -> ClaimFigure {
    ClaimFigure {
        place: "here",
        machine: answer.machine.clone().unwrap_or_default(),
        of: here.words.clone(),
        value: Some(here.value),
        low: Some(here.low),
        high: Some(here.high),
        unit: here.unit.name(),
        ..empty.clone()
    }
}
