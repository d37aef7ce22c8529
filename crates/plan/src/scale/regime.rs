//! [`Regime`]: how work grows with threads.

use super::point::Point;

/// How work grows with threads, up to the most that were measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Regime {
    /// Each thread does within 5 % what it does where they are fewest.
    Linear,
    /// Each thread does less, and all of them do more.
    Contended,
    /// Twice as many threads bring less than a tenth: something that one at a time can have is taken all the time.
    LockBound,
}

/// What threads do less than this share of is a loss: as in the report's scaling section.
const WITHIN: f64 = 0.95;

/// Twice as many threads that bring less than this factor bring nothing.
const BRINGS: f64 = 1.1;

impl Regime {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Linear => "linear",
            Self::Contended => "contended",
            Self::LockBound => "lock-bound",
        }
    }

    /// Of points in order of threads; none of a single one.
    pub(super) fn of(points: &[Point]) -> Option<Self> {
        let (first, last) = (points.first()?, points.last().filter(|_| points.len() > 1)?);
        let half = points.iter().rev().find(|point| point.threads <= last.threads / 2).unwrap_or(first);
        Some(match () {
            () if last.rate.high < half.rate.low * BRINGS => Self::LockBound,
            () if last.each() >= first.each() * WITHIN => Self::Linear,
            () => Self::Contended,
        })
    }
}
