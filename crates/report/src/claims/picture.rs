//! Claimed beside measured on a logarithmic axis: a picture for each unit, a row for each figure of a claim.

use tlstax_claims::{Answer, Claimed, Here, Unit, Verdict};

use super::words;
use crate::model::{Cell, Chart, Quantity, Series};

/// A figure here, with the answer that it belongs to.
type Pair<'a> = (&'a Answer<'a>, &'a Here);

/// What is claimed of a figure, as a mark can show it.
type Claim = fn(&Pair<'_>) -> Option<Quantity>;

/// The series of claims by their names, which web/src/marks.ts draws a form for.
const CLAIMS: [(&str, Claim); 3] = [("claimed", found_there), ("at least", least), ("at most", most)];

/// The verdicts that a mark can have.
const VERDICTS: [Verdict; 4] = [Verdict::Holds, Verdict::DoesNotHold, Verdict::CannotTell, Verdict::Compared];

/// The pictures, that of factors first.
pub(super) fn pictures(answers: &[Answer<'_>]) -> Vec<Chart> {
    Unit::ALL.into_iter().filter_map(|unit| picture(answers, unit)).collect()
}

fn picture(answers: &[Answer<'_>], unit: Unit) -> Option<Chart> {
    let figures = answers.iter().flat_map(|answer| answer.here.iter().map(move |here| (answer, here)));
    // What is zero or below it has no place on a logarithmic axis.
    let can_be_drawn =
        |(_, here): &Pair<'_>| !here.aside && here.unit == unit && here.low > 0.0 && here.high.is_finite();
    let pairs: Vec<Pair<'_>> = figures.filter(can_be_drawn).collect();
    if pairs.is_empty() {
        return None;
    }
    let claims = CLAIMS.iter().map(|(name, claim)| series(name, &pairs, claim));
    let verdicts = VERDICTS.iter().map(|verdict| {
        let measured = |(_, here): &Pair<'_>| (here.verdict == *verdict).then(|| words::quantity(here));
        series(verdict.name(), &pairs, &measured)
    });
    let has_marks = |series: &Series| series.points.iter().any(|point| *point != Cell::Empty);
    Some(Chart {
        title: format!("Claimed and measured, {}", title(unit)),
        unit: unit.name(),
        log: true,
        labels: pairs.iter().map(|(answer, here)| label(answer, here)).collect(),
        series: claims.chain(verdicts).filter(has_marks).collect(),
    })
}

fn title(unit: Unit) -> &'static str {
    match unit {
        Unit::Times => "as factors",
        Unit::Percent => "in percent",
        _ => unit.name(),
    }
}

fn series(name: &str, pairs: &[Pair<'_>], point: &dyn Fn(&Pair<'_>) -> Option<Quantity>) -> Series {
    Series { name: name.to_owned(), points: pairs.iter().map(|pair| point(pair).into()).collect() }
}

/// The id, and of a claim with several figures what makes this one differ from the others.
fn label(answer: &Answer<'_>, here: &Here) -> String {
    let id = &answer.claim.id;
    let all: Vec<Vec<&str>> = answer
        .here
        .iter()
        .filter(|other| !other.aside)
        .map(|other| other.words.split(' ').collect())
        .collect();
    let own: Vec<&str> = here.words.split(' ').collect();
    let shared = |of: &dyn Fn(&[&str], usize) -> Option<String>| {
        (0..own.len())
            .take_while(|&place| all.iter().all(|other| of(other, place) == of(&own, place)))
            .count()
    };
    let before = shared(&|words, place| words.get(place).map(|word| (*word).to_owned()));
    let behind = shared(&|words, place| words.iter().rev().nth(place).map(|word| (*word).to_owned()));
    let differs = own.get(before..own.len().saturating_sub(behind)).unwrap_or_default().join(" ");
    let differs = differs.trim_end_matches([',', ':']);
    if differs.is_empty() { id.to_string() } else { format!("{id}: {differs}") }
}

/// From the least to the greatest figure that the claim has of this.
fn found_there((answer, here): &Pair<'_>) -> Option<Quantity> {
    let theres = words::beside(answer, here);
    let low = theres.iter().map(|there| there.low).filter(|low| *low > 0.0).min_by(f64::total_cmp)?;
    let high = theres.iter().map(|there| there.high).max_by(f64::total_cmp)?;
    Some(Quantity::between((low * high).sqrt(), low, high, here.unit.name()))
}

fn least((_, here): &Pair<'_>) -> Option<Quantity> {
    match here.claimed? {
        Claimed::Above(edge) | Claimed::Between(edge, _) => drawable(edge, here.unit),
        Claimed::Below(_) => None,
    }
}

fn most((_, here): &Pair<'_>) -> Option<Quantity> {
    match here.claimed? {
        Claimed::Below(edge) | Claimed::Between(_, edge) => drawable(edge, here.unit),
        Claimed::Above(_) => None,
    }
}

fn drawable(edge: f64, unit: Unit) -> Option<Quantity> {
    (edge > 0.0 && edge.is_finite()).then(|| Quantity::exact(edge, unit.name()))
}
