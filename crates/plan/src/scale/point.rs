//! [`Point`]: what so many threads do.

use tlstax_doc::model::Bounds;

/// What so many threads, or workers of a server, do in a second, all together.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    pub threads: u16,
    pub rate: Bounds,
}

impl Point {
    /// Without an interval, as what is read off a chart.
    pub const fn exact(threads: u16, rate: f64) -> Self {
        Self { threads, rate: Bounds { value: rate, low: rate, high: rate } }
    }

    pub(super) fn each(&self) -> f64 {
        self.rate.value / f64::from(self.threads)
    }
}

/// How far a law misses the worst point, relative to that point.
pub(super) fn worst(points: &[Point], law: impl Fn(f64) -> f64) -> f64 {
    let miss = |point: &Point| (law(f64::from(point.threads)) / point.rate.value - 1.0).abs();
    points.iter().map(miss).fold(0.0, f64::max)
}
