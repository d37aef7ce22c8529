//! [`Law`]: what a curve follows.

use super::lock::Lock;
use super::point::Point;
use super::usl::Usl;

/// What a curve follows, within a tenth at every point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Law {
    Universal(Usl),
    Lock(Lock),
}

/// A law that misses a point by more is none.
const FITS: f64 = 0.1;

/// Both laws have three parts: with fewer points than this nothing would say whether they fit.
const LEAST_POINTS: usize = 4;

impl Law {
    /// The universal scalability law where it fits, unless that of a lock foretells points that are left out much better. Where one lock
    /// saturates, the universal law is biased: its peak comes out at twice as many threads.
    pub(super) fn of(points: &[Point]) -> Option<Self> {
        if points.len() < LEAST_POINTS {
            return None;
        }
        let universal = || Usl::fit(points).map(Self::Universal);
        let lock = || Lock::fit(points).map(Self::Lock);
        let fits = |law: &Self| law.worst() <= FITS;
        match (universal().filter(fits), lock().filter(fits)) {
            (Some(universal), Some(lock)) if lock.unsure(points) < universal.unsure(points) / 2.0 => {
                Some(lock)
            }
            (universal, lock) => universal.or(lock),
        }
    }

    /// How far a law of the same kind, fitted to all points but one, misses that one, relative to it: the worst of those that have
    /// others on both sides.
    pub(super) fn unsure(&self, points: &[Point]) -> f64 {
        let missed = |place: usize| {
            let left_out = points[place];
            let others: Vec<Point> = points.iter().copied().filter(|point| *point != left_out).collect();
            let law = match self {
                Self::Universal(_) => Usl::fit(&others).map(Self::Universal),
                Self::Lock(_) => Lock::fit(&others).map(Self::Lock),
            };
            law.map(|law| (law.at(f64::from(left_out.threads)) / left_out.rate.value - 1.0).abs())
        };
        (1..points.len().saturating_sub(1)).filter_map(missed).fold(self.worst(), f64::max)
    }

    /// How far it misses the worst point, relative to it.
    pub const fn worst(&self) -> f64 {
        match self {
            Self::Universal(usl) => usl.worst,
            Self::Lock(lock) => lock.worst,
        }
    }

    /// What so many threads do in a second.
    pub fn at(&self, threads: f64) -> f64 {
        match self {
            Self::Universal(usl) => usl.at(threads),
            Self::Lock(lock) => lock.at(threads),
        }
    }
}
