//! [`Sketch`]: how many values there were of which size.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How many values there were of which size: counts by the classes of an HDR histogram with two significant digits, which are
/// exact below 256 and not wider than 1/128 of the value above. Sums, counts and extremes are exact. Sketches add up exactly.
#[derive(Debug, Default, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Sketch {
    /// How many values.
    pub count: u64,
    /// Their sum.
    pub sum: u64,
    /// The smallest of them; 0 where there is none.
    pub min: u64,
    /// The largest of them; 0 where there is none.
    pub max: u64,
    /// The smallest value of each class with values in it, and how many those are; in order.
    pub classes: Vec<(u64, u64)>,
}

/// Values below have a class each: two significant digits, to the next power of two.
const EXACT: u64 = 256;

impl Sketch {
    /// How far a quantile may be from the true one, relative to it.
    pub const ERROR: f64 = 1.0 / 128.0;

    /// The smallest value of the class of a value.
    pub const fn class(value: u64) -> u64 {
        if value < EXACT {
            return value;
        }
        let dropped = (u64::BITS - value.leading_zeros()) - EXACT.trailing_zeros();
        (value >> dropped) << dropped
    }

    /// The sketch of classes that somebody else has counted: each by any value of it.
    pub fn of(counted: impl IntoIterator<Item = (u64, u64)>, sum: u64, min: u64, max: u64) -> Self {
        let mut classes = BTreeMap::<u64, u64>::new();
        for (value, count) in counted.into_iter().filter(|(_, count)| *count > 0) {
            let known = classes.entry(Self::class(value)).or_default();
            *known = known.saturating_add(count);
        }
        let count = classes.values().fold(0, |sum: u64, count| sum.saturating_add(*count));
        Self { count, sum, min, max, classes: classes.into_iter().collect() }
    }

    /// One value, so many times.
    pub fn one(value: u64, times: u64) -> Self {
        Self::of([(value, times)], value.saturating_mul(times), value, value)
    }

    /// Adds the values of another.
    pub fn merge(&mut self, other: &Self) {
        if other.count == 0 {
            return;
        }
        let (min, max) = match self.count {
            0 => (other.min, other.max),
            _ => (self.min.min(other.min), self.max.max(other.max)),
        };
        let all = self.classes.iter().chain(&other.classes).copied();
        *self = Self::of(all, self.sum.saturating_add(other.sum), min, max);
    }

    /// The value that this share of all are not above, within [`Self::ERROR`]; none without values.
    pub fn quantile(&self, share: f64) -> Option<u64> {
        // Counts are far below 2^52.
        #[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let rank = ((self.count as f64 * share).ceil() as u64).clamp(1, self.count.max(1));
        let mut seen = 0u64;
        let class = self.classes.iter().find(|(_, count)| {
            seen = seen.saturating_add(*count);
            seen >= rank
        });
        class.map(|(lowest, _)| middle(*lowest).clamp(self.min, self.max))
    }

    pub fn mean(&self) -> Option<f64> {
        // Sums of bytes are below 2^53 for all but the largest fleets, where the last digits do not matter.
        #[allow(clippy::cast_precision_loss)]
        (self.count > 0).then(|| self.sum as f64 / self.count as f64)
    }
}

/// The middle of the class that begins with a value.
const fn middle(lowest: u64) -> u64 {
    if lowest < EXACT {
        return lowest;
    }
    let dropped = (u64::BITS - lowest.leading_zeros()) - EXACT.trailing_zeros();
    lowest + (1 << dropped) / 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_is_exact_below_256_and_a_128th_above() {
        assert!((0..256).all(|value| Sketch::class(value) == value));
        assert_eq!(Sketch::class(257), 256);
        for value in [300, 1_000, 65_537, 1 << 40, u64::MAX] {
            let class = Sketch::class(value);
            assert!(class <= value && value - class < value / 128 + 1, "{value}");
            assert_eq!(Sketch::class(class), class);
        }
    }

    #[test]
    fn sketches_add_up_in_any_order() {
        let parts: Vec<Sketch> = [5, 900, 5, 70_000].into_iter().map(|value| Sketch::one(value, 2)).collect();
        let sum = |order: &[usize]| {
            let mut whole = Sketch::default();
            order.iter().for_each(|at| whole.merge(&parts[*at]));
            whole
        };
        let whole = sum(&[0, 1, 2, 3]);
        assert_eq!(whole, sum(&[3, 1, 0, 2]));
        assert_eq!((whole.count, whole.sum, whole.min, whole.max), (8, 141_820, 5, 70_000));
        assert_eq!(whole.quantile(0.5), Some(5));
        assert!(whole.quantile(0.99).unwrap().abs_diff(70_000) < 70_000 / 128);
        assert_eq!(Sketch::default().quantile(0.5), None);
    }
}
