//! [`answer`]: what results say to claims.

use tlstax_doc::Results;

use crate::book::Book;
use crate::check::{Check, Claimed};
use crate::claim::{Claim, There};
use crate::document::{Document, Hole};
use crate::evaluate::{Evidence, Found};
use crate::sentence;
use crate::size::with_value;
use crate::span::Span;
use crate::unit::Unit;
use crate::verdict::{Verdict, judge, together};
use crate::wanted::{UnknownClaim, wanted as chosen};
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
    /// The checks that have no figure.
    pub missing: Vec<Missing>,
    /// The places of the results that figures are from.
    pub from: Vec<usize>,
}

/// A check without a figure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Missing {
    /// What could not be checked, and why.
    pub why: String,
    /// [`Verdict::NotMeasured`] or [`Verdict::NotMeasurable`].
    pub verdict: Verdict,
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

impl Here {
    /// How many times a figure of another machine this one is, for figures in the same unit: "x as fast here".
    pub fn beside(&self, there: &There) -> Option<Span> {
        let Self { value, low, high, .. } = *self;
        let middle = (there.low * there.high).sqrt();
        (self.unit == there.unit).then(|| Span { value, low, high }.times(1.0 / middle))
    }
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
    book: &'b Book,
    wanted: &[String],
    runs: &[&Results],
    witnesses: &[&dyn Witness],
) -> Result<Vec<Answer<'b>>, UnknownClaim> {
    let all: Vec<Document<'_>> = runs.iter().map(|results| Document::of(results)).collect();
    let machines = machines(&all);
    let mut answers = Vec::new();
    for claim in chosen(book, wanted)? {
        let of =
            |asked: &Vec<usize>| Answer::of(claim, &Evidence { asked: asked.clone(), all: &all, witnesses });
        let of_machines: Vec<Answer<'b>> = machines.iter().map(of).collect();
        let known: Vec<Answer<'b>> =
            of_machines.iter().filter(|answer| !answer.here.is_empty()).cloned().collect();
        match (known.is_empty(), of_machines.into_iter().next()) {
            (false, _) => answers.extend(known),
            (true, Some(first)) => answers.push(first),
            (true, None) => answers.push(of(&Vec::new())),
        }
    }
    Ok(answers)
}

/// The places of the documents of each machine, in the order of the documents.
fn machines(all: &[Document<'_>]) -> Vec<Vec<usize>> {
    let mut machines: Vec<Vec<usize>> = Vec::new();
    for (place, document) in all.iter().enumerate() {
        match machines.iter_mut().find(|known| all[known[0]].is_of_one_machine_with(document)) {
            Some(known) => known.push(place),
            None => machines.push(vec![place]),
        }
    }
    machines
}

impl<'b> Answer<'b> {
    fn of(claim: &'b Claim, evidence: &Evidence<'_>) -> Self {
        let found: Vec<Checked<'_>> =
            claim.checks.iter().map(|check| (check, evidence.figure(check))).collect();
        let here: Vec<Here> =
            found.iter().filter_map(|(check, found)| Some(Here::of(check, found.as_ref().ok()?))).collect();
        let missing =
            found.iter().filter_map(|(check, found)| Some(Missing::of(check, found.as_ref().err()?)));
        let missing = missing.collect();
        let parts = parts(&found);
        let verdict = together(&parts.iter().map(|part| part.verdict).collect::<Vec<_>>());
        let mut from: Vec<usize> = here.iter().filter_map(|figure| figure.from).collect();
        from.sort_unstable();
        from.dedup();
        let machine = from.first().map(|place| evidence.all[*place].machine());
        Self { claim, machine, here, verdict, why: why(verdict, &parts), missing, from }
    }
}

/// A check, and what came of it.
type Checked<'c> = (&'c Check, Result<Found<'c>, Hole>);

/// A check that is a part of the verdict: what came of it, and why.
struct Part {
    verdict: Verdict,
    why: Option<String>,
}

/// The checks that the verdict rests on. It does without those that the quick form leaves out where nobody measured them, if
/// there are others.
fn parts(found: &[Checked<'_>]) -> Vec<Part> {
    let judged = || found.iter().filter(|(check, _)| !check.aside);
    let is_left_out =
        |(check, found): &&Checked<'_>| !check.is_quick && matches!(found, Err(Hole::Unmeasured(_)));
    let asked: Vec<Part> = judged().filter(|one| !is_left_out(one)).map(Part::of).collect();
    if asked.is_empty() { judged().map(Part::of).collect() } else { asked }
}

impl Part {
    fn of((check, found): &Checked<'_>) -> Self {
        match found {
            Ok(found) => {
                let here = Here::of(check, found);
                Self { verdict: here.verdict, why: here.reason() }
            }
            Err(hole) => {
                let Missing { why, verdict } = Missing::of(check, hole);
                Self { verdict, why: Some(why) }
            }
        }
    }
}

impl Missing {
    fn of(check: &Check, hole: &Hole) -> Self {
        Self { why: sentence::hole(check, hole), verdict: hole.verdict() }
    }
}

/// Why the whole has its verdict: as the first part that has the same; of a claim of which only some parts could be checked, why
/// the first of the others could not.
fn why(verdict: Verdict, parts: &[Part]) -> Option<String> {
    let of = |wanted: Verdict| parts.iter().find(|part| part.verdict == wanted)?.why.clone();
    match verdict {
        Verdict::Holds | Verdict::Compared => None,
        Verdict::CannotTell => {
            of(verdict).or_else(|| of(Verdict::NotMeasurable)).or_else(|| of(Verdict::NotMeasured))
        }
        verdict => of(verdict),
    }
}

impl Here {
    fn of(check: &Check, found: &Found<'_>) -> Self {
        let Span { value, low, high } = found.span;
        let verdict = check.claimed.map_or(Verdict::Compared, |claimed| judge(found.span, claimed));
        let words = match found.candidate {
            Some(candidate) => format!("{}: {}", candidate.library, with_value(&check.words, &candidate.of)),
            None => check.words.clone(),
        };
        let (unit, claimed, aside) = (check.unit, check.claimed, check.aside);
        Self { value, low, high, unit, words, claimed, verdict, aside, from: found.from }
    }

    /// Why it has its verdict; nothing where it is as claimed.
    fn reason(&self) -> Option<String> {
        let Self { value, low, high, .. } = *self;
        let (span, claimed) = (Span { value, low, high }, self.claimed?);
        match self.verdict {
            Verdict::DoesNotHold => Some(sentence::contradiction(&self.words, span, claimed, self.unit)),
            Verdict::CannotTell => Some(sentence::open(&self.words, span, claimed, self.unit)),
            _ => None,
        }
    }
}
