//! Between which numbers a dimension lies; studies and flags are held to the same.

/// What a number is, and the range that it must lie in.
#[derive(Debug, Clone, Copy)]
pub struct Limit {
    /// What the number is, as the subject of a sentence.
    pub what: &'static str,
    pub low: u64,
    pub high: u64,
    /// Whether 0 is allowed, too, where it is not in the range: nothing of what the number counts.
    pub or_zero: bool,
}

impl Limit {
    /// Every number.
    pub const NONE: Self = Self::new(0, u64::MAX, "a number");

    /// From `low` to `high`, both included.
    pub const fn new(low: u64, high: u64, what: &'static str) -> Self {
        Self { what, low, high, or_zero: false }
    }

    pub const fn or_zero(self) -> Self {
        Self { or_zero: true, ..self }
    }

    pub const fn allows(self, number: u64) -> bool {
        (self.low <= number && number <= self.high) || (self.or_zero && number == 0)
    }

    /// The complaint about a number that does not.
    pub fn refusal(self, number: impl std::fmt::Display) -> String {
        format!("{number} is out of range: {} must be {}", self.what, self.range())
    }

    pub fn range(self) -> String {
        let zero = if self.or_zero { "0 or " } else { "" };
        format!("{zero}from {} to {}", self.low, self.high)
    }
}
