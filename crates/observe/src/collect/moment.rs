//! [`Moment`]: when, by whom and how much.

/// When, by whom and how much.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moment {
    /// Nanoseconds since the capture began; none where the source has no times.
    pub at_ns: Option<u64>,
    /// The process; 0 where the source does not say.
    pub process: u32,
    /// In the unit of the source.
    pub weight: u64,
}
