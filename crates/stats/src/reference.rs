//! A reading of the two reference kernels.

/// What one iteration of each reference kernel took, in nanoseconds. Zero where none was taken.
///
/// A neighbour on the sibling hardware thread slows the second and hardly the first; a lower clock slows both.
#[derive(Debug, Default, Clone, Copy, PartialEq)]
pub struct Reading {
    /// The kernel bound by latency: a serial chain of integer operations.
    pub latency: f64,
    /// The kernel bound by throughput: independent vector lanes.
    pub throughput: f64,
}

impl Reading {
    /// The state that costs are relative to where nothing was read.
    pub(crate) const NEUTRAL: Self = Self { latency: 1.0, throughput: 1.0 };

    pub fn is_valid(&self) -> bool {
        [self.latency, self.throughput].into_iter().all(|ns| ns.is_finite() && ns > 0.0)
    }

    pub fn mean(self, other: Self) -> Self {
        Self {
            latency: (self.latency + other.latency) / 2.0,
            throughput: (self.throughput + other.throughput) / 2.0,
        }
    }

    /// Each kernel as a multiple of what it took in `other`.
    pub fn relative_to(self, other: Self) -> Self {
        Self { latency: self.latency / other.latency, throughput: self.throughput / other.throughput }
    }
}
