//! Figures of claims and of this machine in few words.

use tlstax_claims::{Answer, Check, Here, There, Unit, Verdict};

use crate::model::Quantity;
use crate::number::{half_width, percent, three_digits};

/// So many figures are told with an interval each; of more, the widest is told.
const FEW: usize = 2;

/// The figures of a claim, machine by machine: "2.2x (Xeon E3-1246 v3), 0.3x (Athlon II X2 240)".
pub(super) fn there(theres: &[There]) -> String {
    let of_machine =
        |machine: &[There]| format!("{} ({})", in_a_row(machine.iter().map(range)), machine[0].machine);
    let machines = theres.chunk_by(|one, next| one.machine == next.machine);
    machines.map(of_machine).collect::<Vec<_>>().join(", ")
}

/// The figures of this machine that the verdict rests on, with their intervals; nothing where it rests on none.
pub(super) fn here(answer: &Answer<'_>) -> String {
    let counted: Vec<&Here> = answer.here.iter().filter(|here| !here.aside).collect();
    let figures = match counted.as_slice() {
        few if few.len() <= FEW => few.iter().map(|one| sharp(answer, one)).collect::<Vec<_>>().join(" / "),
        many => {
            let widest = many
                .iter()
                .filter_map(|one| quantity(one).half_width())
                .max_by(|a, b| a.0.0.total_cmp(&b.0.0));
            let widest = widest.map(|widest| format!(", ±{} at most", percent(widest.0))).unwrap_or_default();
            in_a_row(many.iter().map(|one| (three_digits(one.value), one.unit))) + &widest
        }
    };
    // Otherwise what there is all holds.
    let is_decided = counted.iter().any(|here| here.verdict == answer.verdict);
    if is_decided || figures.is_empty() { figures } else { figures + "; a part of it was not measured" }
}

/// Why there is no verdict, without the words of the check, so that one cause has one reason.
pub(super) fn reason(answer: &Answer<'_>) -> String {
    let why = answer.why.as_deref().unwrap_or_default();
    let of = |check: &Check| why.strip_prefix(check.words.as_str())?.strip_prefix(": ");
    answer.claim.checks.iter().find_map(of).unwrap_or(why).to_owned()
}

/// One figure with its interval; beside a rate of another machine, how many times as fast it is.
fn sharp(answer: &Answer<'_>, here: &Here) -> String {
    let figure = figure(here);
    let theirs = beside(answer, here).into_iter().find(|_| here.verdict == Verdict::Compared);
    match theirs.and_then(|there| here.beside(there)) {
        Some(times) => format!("{} as fast ({figure})", Unit::Times.behind(&three_digits(times.value))),
        None => figure,
    }
}

/// One figure with its interval.
pub(super) fn figure(here: &Here) -> String {
    match half_width(&quantity(here)) {
        Some(width) => format!("{} {width}", here.unit.behind(&three_digits(here.value))),
        // Counted.
        None => here.unit.behind(&as_written(here.value)),
    }
}

pub(super) fn quantity(here: &Here) -> Quantity {
    Quantity::between(here.value, here.low, here.high, here.unit.name())
}

/// A figure of a claim, or its range, without the unit.
pub(super) fn range(there: &There) -> (String, Unit) {
    let [low, high] = [there.low, there.high].map(as_written);
    (if low == high { low } else { format!("{low} to {high}") }, there.unit)
}

/// The figures of the claim that are of the same thing as one here: what that is begins or ends with their words. A claim's
/// only figure is of all of it, where its words say nothing else.
pub(super) fn beside<'a>(answer: &Answer<'a>, here: &Here) -> Vec<&'a There> {
    let alike: Vec<&There> = answer.claim.there.iter().filter(|there| there.unit == here.unit).collect();
    let of =
        |there: &There, here: &Here| here.words.split_once(": ").is_some_and(|(_, what)| is_of(there, what));
    let same: Vec<&There> = alike.iter().copied().filter(|there| of(there, here)).collect();
    let is_placed = |there: &&There| answer.here.iter().any(|other| of(there, other));
    match (same.is_empty(), alike.as_slice()) {
        (true, [only]) if !is_placed(only) => alike,
        _ => same,
    }
}

/// Whether a figure of a claim is of what a check is about.
fn is_of(there: &There, what: &str) -> bool {
    let rest = what.strip_prefix(&there.words).or_else(|| what.strip_suffix(&there.words));
    // Whole words: 6 B is not the end of 16 B.
    let is_whole = |rest: &str| rest.is_empty() || rest.starts_with([' ', ',']) || rest.ends_with([' ', ',']);
    !there.words.is_empty() && rest.is_some_and(is_whole)
}

/// Figures one after the other, with the unit once where it is the same.
fn in_a_row(figures: impl Iterator<Item = (String, Unit)>) -> String {
    let figures: Vec<(String, Unit)> = figures.collect();
    let of_unit = |alike: &[(String, Unit)]| {
        let texts: Vec<&str> = alike.iter().map(|(text, _)| text.as_str()).collect();
        alike[0].1.behind(&texts.join(" / "))
    };
    figures.chunk_by(|one, next| one.1 == next.1).map(of_unit).collect::<Vec<_>>().join(", ")
}

/// A figure of others with the digits that they give, which are as many as matter.
fn as_written(value: f64) -> String {
    let shown = three_digits(value);
    if shown.contains('.') { shown.trim_end_matches('0').trim_end_matches('.').to_owned() } else { shown }
}

#[cfg(test)]
mod tests {
    use tlstax_claims::{Book, Claim, Claimed};

    use super::*;

    #[test]
    fn figures_of_the_write_ups_say_which_check_they_belong_to() {
        let book = Book::built_in();
        for Claim { id, there, checks, .. } in &book.claims {
            for figure in
                there.iter().filter(|one| there.iter().filter(|other| other.unit == one.unit).count() > 1)
            {
                let is_judged = checks.iter().any(|check| !check.candidates.is_empty());
                let is_placed = checks.iter().any(|check| is_of(figure, &check.words));
                assert!(!is_judged || is_placed, "{id}: {}", figure.words);
            }
        }
    }

    /// A claim holds on the machine that it was made on.
    #[test]
    fn figures_of_the_write_ups_lie_where_their_claims_say() {
        let book = Book::built_in();
        let mut held = 0;
        for Claim { id, there, checks, .. } in &book.claims {
            for check in checks.iter().filter(|check| check.claimed.is_some()) {
                let is_single = there.len() == 1 && !there.iter().any(|one| is_placed(one, checks));
                let own = there.iter().filter(|one| one.unit == check.unit);
                for figure in own.filter(|one| is_single || is_of(one, &check.words)) {
                    let lies = match check.claimed.unwrap() {
                        Claimed::Above(edge) => figure.low >= edge,
                        Claimed::Below(edge) => figure.high <= edge,
                        Claimed::Between(from, to) => figure.high >= from && figure.low <= to,
                    };
                    assert!(lies, "{id}: {} of {}", figure.words, check.words);
                    held += 1;
                }
            }
        }
        assert!(held > 20, "{held}");
    }

    fn is_placed(figure: &There, checks: &[Check]) -> bool {
        checks.iter().any(|check| is_of(figure, &check.words))
    }

    #[test]
    fn whole_words_say_what_a_figure_is_of() {
        let there = |words: &str| There {
            machine: String::new(),
            low: 1.0,
            high: 1.0,
            unit: Unit::Times,
            words: words.to_owned(),
        };
        for (words, fits) in
            [("16 B", true), ("6 B", false), ("A / B", true), ("A", true), ("A / B, 1", false), ("", false)]
        {
            assert_eq!(is_of(&there(words), "A / B, 16 B"), fits, "{words}");
        }
    }
}
