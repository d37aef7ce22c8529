//! [`Verdict`]: what the interval of a figure says to where it was claimed to lie.

use crate::check::Claimed;
use crate::span::Span;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    Holds,
    DoesNotHold,
    /// The interval lies on both sides, or only a part of the claim could be checked.
    CannotTell,
    /// There is no figure on this machine, and measuring would bring none.
    NotMeasurable,
    /// The results lack the cases; measuring them would bring a figure.
    NotMeasured,
    /// A rate of another machine: a figure here beside it, and no verdict.
    Compared,
}

impl Verdict {
    /// As people read it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::DoesNotHold => "does not hold",
            Self::CannotTell => "cannot tell",
            Self::NotMeasurable => "not measurable here",
            Self::NotMeasured => "not measured",
            Self::Compared => "compared",
        }
    }
}

/// An interval across the edge of a range agrees with the range if it is no wider than this: two figures that are known to no
/// more than that are the same. A wider one could hide a figure that is clearly outside.
const EDGE: f64 = 0.05;

/// What an interval says: on which side all of it lies.
pub(crate) fn judge(span: Span, claimed: Claimed) -> Verdict {
    if !span.is_finite() {
        return Verdict::CannotTell;
    }
    match claimed {
        Claimed::Above(edge) if span.low > edge => Verdict::Holds,
        Claimed::Above(edge) if span.high <= edge => Verdict::DoesNotHold,
        Claimed::Below(edge) if span.high < edge => Verdict::Holds,
        Claimed::Below(edge) if span.low >= edge => Verdict::DoesNotHold,
        Claimed::Above(_) | Claimed::Below(_) => Verdict::CannotTell,
        Claimed::Between(from, to) if span.high < from || span.low > to => Verdict::DoesNotHold,
        Claimed::Between(from, to) => {
            let is_inside = span.low >= from && span.high <= to;
            if is_inside || span.width() <= EDGE { Verdict::Holds } else { Verdict::CannotTell }
        }
    }
}

/// The verdict on a claim from those on all of its parts: one that does not hold is enough. What is compared decides nothing
/// beside what is judged.
pub(crate) fn together(parts: &[Verdict]) -> Verdict {
    let judged: Vec<Verdict> = parts.iter().copied().filter(|part| *part != Verdict::Compared).collect();
    let has = |verdict| judged.contains(&verdict);
    match judged.first() {
        None if parts.is_empty() => Verdict::NotMeasured,
        None => Verdict::Compared,
        Some(_) if has(Verdict::DoesNotHold) => Verdict::DoesNotHold,
        Some(first) if judged.iter().all(|part| part == first) => *first,
        Some(_) if has(Verdict::Holds) || has(Verdict::CannotTell) => Verdict::CannotTell,
        Some(_) => Verdict::NotMeasured,
    }
}

#[cfg(test)]
mod tests {
    use super::Verdict::{CannotTell, Compared, DoesNotHold, Holds, NotMeasurable, NotMeasured};
    use super::*;

    fn judged(low: f64, value: f64, high: f64, claimed: Claimed) -> Verdict {
        judge(Span { value, low, high }, claimed)
    }

    #[test]
    fn the_interval_decides_and_never_the_median() {
        let above = Claimed::Above(1.0);
        assert_eq!(judged(1.01, 1.1, 1.2, above), Holds);
        assert_eq!(judged(0.99, 1.1, 1.2, above), CannotTell);
        assert_eq!(judged(0.8, 0.9, 0.99, above), DoesNotHold);
        let below = Claimed::Below(1.0);
        assert_eq!(judged(0.8, 0.9, 0.99, below), Holds);
        assert_eq!(judged(0.8, 0.9, 1.01, below), CannotTell);
        assert_eq!(judged(1.01, 1.1, 1.2, below), DoesNotHold);
        assert_eq!(judged(f64::NEG_INFINITY, 1.0, f64::INFINITY, above), CannotTell);
    }

    #[test]
    fn a_range_is_met_from_inside_and_at_its_edge_by_what_is_sharp() {
        let range = Claimed::Between(2.0, 7.0);
        assert_eq!(judged(2.1, 4.0, 6.9, range), Holds, "wide, and inside");
        assert_eq!(judged(6.95, 7.05, 7.15, range), Holds, "sharp, across the edge");
        assert_eq!(judged(6.5, 7.5, 8.5, range), CannotTell, "wide, across the edge");
        assert_eq!(judged(1.0, 4.0, 9.0, range), CannotTell, "wider than the range");
        assert_eq!(judged(7.01, 7.1, 7.2, range), DoesNotHold);
        assert_eq!(judged(1.0, 1.5, 1.99, range), DoesNotHold);
        assert_eq!(judge(Span::exact(2.0), Claimed::Between(2.0, 2.0)), Holds);
        assert_eq!(judge(Span::exact(1.0), Claimed::Between(2.0, 2.0)), DoesNotHold);
    }

    #[test]
    fn a_claim_holds_if_all_of_it_does() {
        for (parts, verdict) in [
            (&[Holds, Holds][..], Holds),
            (&[Holds, DoesNotHold, NotMeasured], DoesNotHold),
            (&[Holds, CannotTell], CannotTell),
            (&[Holds, NotMeasurable], CannotTell),
            (&[NotMeasurable, NotMeasurable], NotMeasurable),
            (&[NotMeasurable, NotMeasured], NotMeasured),
            (&[Compared], Compared),
            (&[Compared, Holds], Holds),
            (&[Compared, NotMeasurable], NotMeasurable),
            (&[], NotMeasured),
        ] {
            assert_eq!(together(parts), verdict, "{parts:?}");
        }
    }
}
