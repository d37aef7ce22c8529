//! Units as types: no bare number of seconds or bytes crosses a function boundary.

use serde::{Deserialize, Serialize};

/// A duration in whole nanoseconds.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct Nanos(pub u64);

impl Nanos {
    /// The duration of so many whole milliseconds.
    pub const fn from_millis(millis: u64) -> Self {
        Self(millis * 1_000_000)
    }

    pub fn as_secs(self) -> f64 {
        self.0 as f64 / 1e9
    }

    pub fn as_micros(self) -> f64 {
        self.0 as f64 / 1e3
    }

    /// The difference to an earlier reading; zero where the other is larger.
    pub const fn since(self, earlier: Self) -> Self {
        Self(self.0.saturating_sub(earlier.0))
    }
}

// Sums end at the largest value: workers and documents may say anything, and no true sum comes near 584 years.
impl std::ops::Add for Nanos {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl std::ops::AddAssign for Nanos {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl std::iter::Sum for Nanos {
    fn sum<I: Iterator<Item = Self>>(parts: I) -> Self {
        parts.fold(Self(0), std::ops::Add::add)
    }
}

/// A number of bytes.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct Bytes(pub u64);

impl Bytes {
    /// Decimal megabytes, the unit of every rate that we print.
    pub fn as_megabytes(self) -> f64 {
        self.0 as f64 / 1e6
    }
}

impl std::ops::AddAssign for Bytes {
    fn add_assign(&mut self, other: Self) {
        self.0 = self.0.saturating_add(other.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_end_at_the_largest_and_differences_at_zero() {
        let (most, one) = (Nanos(u64::MAX), Nanos(1));
        assert_eq!([most + one, [one, most, one].into_iter().sum()], [most, most]);
        assert_eq!(one.since(most), Nanos(0));
        let mut bytes = Bytes(u64::MAX);
        bytes += Bytes(1);
        assert_eq!(bytes, Bytes(u64::MAX));
    }
}
