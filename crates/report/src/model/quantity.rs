//! [`Quantity`]: a number with its interval and its unit.

use serde::Serialize;
use tlstax_stats::{Basis, Estimate, HalfWidth};

/// A number with the interval that covers it in 95 of 100 runs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Quantity {
    pub value: f64,
    /// The lower end of the interval; the value itself for a count.
    pub low: f64,
    pub high: f64,
    pub unit: &'static str,
    /// What stands before the number; mostly nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sign: Option<Sign>,
    /// What stands behind it in brackets: a part of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub aside: Option<String>,
    /// What the reader has to know of this figure; mostly nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remark: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sign {
    /// It is not from quiet rounds alone.
    Rough,
    /// Something else was the limit: it would be larger on its own.
    AtLeast,
}

impl Sign {
    pub const ALL: &[Self] = &[Self::Rough, Self::AtLeast];

    pub fn shown(self) -> &'static str {
        match self {
            Self::Rough => "~",
            Self::AtLeast => ">",
        }
    }

    pub fn meaning(self) -> &'static str {
        match self {
            Self::Rough => {
                "too few quiet rounds: made of all rounds, corrected for noise where that was possible"
            }
            Self::AtLeast => {
                "the client was the limit, or on the server's cores: no figure of the server, which can do more"
            }
        }
    }
}

impl Quantity {
    /// A number without an interval: counted, or derived by a fit.
    pub fn exact(value: f64, unit: &'static str) -> Self {
        Self::between(value, value, value, unit)
    }

    pub fn between(value: f64, low: f64, high: f64, unit: &'static str) -> Self {
        Self { value, low, high, unit, sign: None, aside: None, remark: None }
    }

    /// An estimate times a factor that brings it to the unit.
    pub fn scaled(estimate: &Estimate, factor: f64, unit: &'static str) -> Self {
        let Estimate { value, low, high, .. } = estimate;
        Self { sign: sign(estimate), ..Self::between(value * factor, low * factor, high * factor, unit) }
    }

    /// A constant divided by an estimate: a rate from a cost.
    pub fn rate(constant: f64, estimate: &Estimate, unit: &'static str) -> Self {
        let Estimate { value, low, high, .. } = estimate;
        Self {
            sign: sign(estimate),
            ..Self::between(constant / value, constant / high, constant / low, unit)
        }
    }

    pub fn aside(self, aside: Option<String>) -> Self {
        Self { aside, ..self }
    }

    pub fn remarked(self, remark: impl Into<String>) -> Self {
        Self { remark: Some(remark.into()), ..self }
    }

    /// The difference to another quantity of the same unit, each with its own interval, joined by their squares (MOVER:
    /// Zou and Donner, "Construction of confidence limits about effect measures", 2008).
    pub fn minus(&self, other: &Self) -> Self {
        let value = self.value - other.value;
        let low = value - (self.value - self.low).hypot(other.high - other.value);
        let high = value + (self.high - self.value).hypot(other.value - other.low);
        Self { sign: self.sign.or(other.sign), ..Self::between(value, low, high, self.unit) }
    }

    /// Half the interval, relative to the value; none for a number without an interval.
    pub fn half_width(&self) -> Option<HalfWidth> {
        (self.high > self.low && self.value != 0.0).then(|| HalfWidth::of(self.value, self.low, self.high))
    }
}

/// Estimates that are not those of an undisturbed or quiet machine are marked.
fn sign(estimate: &Estimate) -> Option<Sign> {
    (!matches!(estimate.basis, Basis::Undisturbed | Basis::Quiet { .. })).then_some(Sign::Rough)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_difference_of_overlapping_intervals_may_be_nothing() {
        let (a, b) = (Quantity::between(10.0, 8.0, 12.0, "µs"), Quantity::between(9.0, 7.0, 11.0, "µs"));
        let added = a.minus(&b);
        assert!(added.low < 0.0 && added.high > 0.0);
        assert_eq!(added.value, 1.0);
        let sharp = Quantity::between(10.0, 9.7, 10.3, "µs").minus(&Quantity::between(5.0, 4.6, 5.4, "µs"));
        assert!((sharp.low - 4.5).abs() < 1e-9 && (sharp.high - 5.5).abs() < 1e-9, "{sharp:?}");
    }
}
