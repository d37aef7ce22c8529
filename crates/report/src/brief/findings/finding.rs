//! [`Finding`]: a ratio beside what is usual of it.

use tlstax_stats::Estimate;

use crate::model::Quantity;
use crate::number;
use crate::told::told;

/// A ratio beside what is usual of it.
pub(super) struct Finding {
    /// What it is about: of one kind one is told.
    pub kind: String,
    /// What stands before the ratio in a sentence, and behind it.
    pub said: [String; 2],
    pub ratio: Estimate,
    pub usual: Usual,
}

/// What is usual of a ratio, and by whom.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Usual {
    pub low: f64,
    pub high: f64,
    pub by: String,
}

impl Finding {
    /// How far the nearer ends are apart, as a factor: 1 where the intervals touch.
    pub fn distance(&self) -> f64 {
        let (Estimate { low, high, .. }, usual) = (self.ratio, &self.usual);
        let factor = (low / usual.high).max(usual.low / high).max(1.0);
        if factor.is_finite() { factor } else { 1.0 }
    }

    pub fn sentence(&self) -> String {
        let [before, after] = &self.said;
        let ratio = told(&Quantity { sign: None, ..Quantity::scaled(&self.ratio, 1.0, "x") });
        format!("{before} {ratio} {after}; {}.", self.usual.told())
    }
}

impl Usual {
    pub fn new(low: f64, high: f64, by: impl Into<String>) -> Self {
        Self { low, high, by: by.into() }
    }

    /// From the least to the greatest of some ratios; none without any.
    pub fn of(ratios: &[f64], by: impl Into<String>) -> Option<Self> {
        let (low, high) =
            (ratios.iter().copied().reduce(f64::min)?, ratios.iter().copied().reduce(f64::max)?);
        Some(Self::new(low, high, by))
    }

    fn told(&self) -> String {
        let shown = |ratio: f64| number::significant(ratio, 2);
        let (low, high) = (shown(self.low), shown(self.high));
        let range = if low == high { format!("{low}x") } else { format!("{low}x to {high}x") };
        format!("usual {range} ({})", self.by)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use tlstax_stats::Basis;

    use super::*;

    /// A ratio with the ends of its interval, beside what is usual.
    pub fn finding(kind: &str, [value, low, high]: [f64; 3], [least, greatest]: [f64; 2]) -> Finding {
        let ratio = Estimate { value, low, high, basis: Basis::Raw, kept: 20, total: 20, as_it_went: value };
        let said = [format!("{kind} costs"), "as much".to_owned()];
        Finding { kind: kind.to_owned(), said, ratio, usual: Usual::new(least, greatest, "somebody") }
    }

    #[test]
    fn the_distance_is_that_of_the_nearer_ends() {
        let distance = |ratio, usual| finding("a", ratio, usual).distance();
        assert_eq!(distance([4.0, 3.0, 5.0], [1.0, 1.5]), 2.0);
        assert_eq!(distance([0.2, 0.1, 0.25], [0.5, 1.0]), 2.0);
        assert_eq!(distance([2.0, 1.4, 3.0], [1.0, 1.5]), 1.0);
        assert_eq!(distance([2.0, 0.0, 0.0], [1.0, 1.5]), 1.0);
    }
}
