//! What several results documents say to one check.

use crate::check::{Candidate, Check, Rule};
use crate::document::{Document, Hole};
use crate::sentence;
use crate::span::Span;
use crate::witness::Witness;

/// A figure, whom it is of, and the place of the document that it is from.
pub(crate) struct Found<'c> {
    pub span: Span,
    pub candidate: Option<&'c Candidate>,
    pub from: Option<usize>,
}

/// The documents that a check may be answered from, each with its place among all, and all of them.
pub(crate) struct Evidence<'a> {
    /// Those of one machine.
    pub asked: Vec<usize>,
    pub all: &'a [Document<'a>],
    pub witnesses: &'a [&'a dyn Witness],
}

impl Evidence<'_> {
    /// The figure of the first document that has one: all that a ratio is made of is from one.
    pub fn figure<'c>(&self, check: &'c Check) -> Result<Found<'c>, Hole> {
        match &check.rule {
            Rule::Never { why } => return Err(Hole::Unmeasurable(why.clone())),
            Rule::Other { verb, ask } => {
                let asked = self.witnesses.iter().find_map(|witness| witness.figure(*verb, ask));
                let asked = asked.unwrap_or_else(|| Err(sentence::later(*verb)));
                let found = |span| Found { span, candidate: None, from: None };
                return asked.map(found).map_err(Hole::Unmeasurable);
            }
            _ => {}
        }
        let mut holes = Vec::new();
        for &place in &self.asked {
            match self.all[place].figure(check) {
                Ok((span, candidate)) => {
                    return Ok(Found { span, candidate: Some(candidate), from: Some(place) });
                }
                Err(hole) => holes.push(hole),
            }
        }
        Err(self.worst(check, holes))
    }

    /// Of the reasons why no document has a figure the one that says most: that it cannot be had, then what is wrong with the
    /// documents.
    fn worst(&self, check: &Check, holes: Vec<Hole>) -> Hole {
        let tried = holes.iter().position(|hole| matches!(hole, Hole::Unmeasurable(_)));
        if let Some(tried) = tried {
            return holes.into_iter().nth(tried).unwrap_or_else(|| unreachable!("it has that place"));
        }
        if let Some(apart) = self.apart(check) {
            return Hole::Unmeasured(apart);
        }
        let none = || Hole::Unmeasured("no results have its cases".to_owned());
        holes.into_iter().next().unwrap_or_else(none)
    }

    /// That the cases are there, and in no document together.
    fn apart(&self, check: &Check) -> Option<String> {
        let has = |document: &Document<'_>, candidate: &Candidate| {
            candidate.terms.iter().filter(|term| document.has(&term.case)).count()
        };
        let is_apart = |candidate: &&Candidate| {
            let is_anywhere = |term: &crate::check::Term| self.all.iter().any(|one| one.has(&term.case));
            candidate.terms.iter().all(is_anywhere)
                && self.all.iter().all(|one| has(one, candidate) < candidate.terms.len())
        };
        let candidate = check.candidates.iter().find(is_apart)?;
        let mut machines: Vec<String> =
            self.all.iter().filter(|one| has(one, candidate) > 0).map(Document::machine).collect();
        machines.dedup();
        let machines = machines.join(" and ");
        Some(format!(
            "its cases are in results of different runs ({machines}), and a ratio is made within one run: measure them together"
        ))
    }
}
