//! [`Curve`]: points with what they show.

use tlstax_doc::model::Bounds;

use super::law::Law;
use super::point::Point;
use super::regime::Regime;
use crate::figures::times;

/// The fewest numbers of threads that show how work grows.
pub const FEWEST: usize = 2;

/// What numbers of threads do, and what that shows.
#[derive(Debug, Clone, PartialEq)]
pub struct Curve {
    /// In order of threads, each number once.
    points: Vec<Point>,
    pub regime: Regime,
    pub law: Option<Law>,
}

/// What is said of a number of threads.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum At {
    Measured(Bounds),
    /// By the law, or on the line between the numbers beside it.
    Between(Bounds),
    /// Nothing: the data begin and end there.
    Beyond {
        fewest: u16,
        most: u16,
    },
}

impl Curve {
    /// None of fewer than two numbers of threads.
    pub fn of(mut points: Vec<Point>) -> Option<Self> {
        points.retain(|point| point.threads > 0 && point.rate.low > 0.0 && point.rate.high.is_finite());
        points.sort_by_key(|point| point.threads);
        points.dedup_by_key(|point| point.threads);
        let regime = Regime::of(&points)?;
        let law = Law::of(&points);
        Some(Self { points, regime, law })
    }

    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// The part of a thread's work that is lost with the most threads, beside the fewest; negative where more is done.
    pub fn lost(&self) -> f64 {
        let [first, .., last] = self.points.as_slice() else { return 0.0 };
        1.0 - last.each() / first.each()
    }

    /// What so many threads do in a second, where the data say it.
    pub fn at(&self, threads: u16) -> At {
        let [first, .., last] = self.points.as_slice() else { return At::Beyond { fewest: 0, most: 0 } };
        if let Some(point) = self.points.iter().find(|point| point.threads == threads) {
            return At::Measured(point.rate);
        }
        if !(first.threads..=last.threads).contains(&threads) {
            return At::Beyond { fewest: first.threads, most: last.threads };
        }
        At::Between(self.law.map_or_else(|| self.on_the_line(threads), |law| self.by_law(&law, threads)))
    }

    /// The interval is as wide as the law misses a point that it was not fitted to.
    fn by_law(&self, law: &Law, threads: u16) -> Bounds {
        let (value, unsure) = (law.at(f64::from(threads)), law.unsure(&self.points));
        Bounds { value, low: value * (1.0 - unsure).max(0.0), high: value * (1.0 + unsure) }
    }

    /// Between the numbers of threads beside it.
    fn on_the_line(&self, threads: u16) -> Bounds {
        let above = self.points.partition_point(|point| point.threads < threads);
        let (left, right) = (&self.points[above - 1], &self.points[above]);
        let part = f64::from(threads - left.threads) / f64::from(right.threads - left.threads);
        let (left, right) = (times(left.rate, 1.0 - part), times(right.rate, part));
        // A curve lies above the line between two of its points, as long as it bends downwards.
        let low = left.low + right.low;
        let value = left.value + right.value;
        Bounds { value, low, high: left.high + right.high + (value - low) }
    }
}
