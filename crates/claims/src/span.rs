//! [`Span`]: a figure with the ends of its interval.

use tlstax_stats::Estimate;

/// A figure and its 95 % interval; what is counted has ends that are the figure.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Span {
    pub value: f64,
    pub low: f64,
    pub high: f64,
}

impl Span {
    /// A figure that is counted, or known.
    pub const fn exact(value: f64) -> Self {
        Self { value, low: value, high: value }
    }

    /// The same in another unit; the factor is above zero.
    pub fn times(self, factor: f64) -> Self {
        let Self { value, low, high } = self;
        Self { value: value * factor, low: low * factor, high: high * factor }
    }

    /// One by the figure, as a rate is of a cost. Both ends are above zero.
    pub fn inverse(self) -> Self {
        Self { value: 1.0 / self.value, low: 1.0 / self.high, high: 1.0 / self.low }
    }

    pub fn is_finite(self) -> bool {
        [self.value, self.low, self.high].iter().all(|end| end.is_finite())
    }

    /// The whole width of the interval as a share of the figure.
    pub fn width(self) -> f64 {
        (self.high - self.low) / self.value.abs()
    }
}

impl From<Estimate> for Span {
    fn from(Estimate { value, low, high, .. }: Estimate) -> Self {
        Self { value, low, high }
    }
}
