//! [`Ratio`], [`Percent`] and [`HalfWidth`]: numbers that must not be taken for each other.

/// A value as a multiple of another, or a part of its whole: 1.03, 0.03.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Ratio(pub f64);

impl Ratio {
    /// The same in hundredths: 3 % for 0.03.
    pub fn percent(self) -> Percent {
        Percent(self.0 * 100.0)
    }

    /// The difference from 1: 3 % for 1.03, -3 % for 0.97.
    pub fn change(self) -> Percent {
        Self(self.0 - 1.0).percent()
    }
}

/// A ratio in hundredths, as people write and read it.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Percent(pub f64);

impl Percent {
    /// The same as a ratio: 0.03 for 3 %.
    pub fn ratio(self) -> Ratio {
        Ratio(self.0 / 100.0)
    }
}

/// Half the width of an interval as a ratio to its value; of figures, that of the 95 % interval. The smaller, the more
/// precise.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct HalfWidth(pub Ratio);

impl HalfWidth {
    /// That of a value between two ends.
    pub fn of(value: f64, low: f64, high: f64) -> Self {
        Self(Ratio((high - low) / 2.0 / value.abs()))
    }
}
