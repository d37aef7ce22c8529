//! [`Lock`]: threads that share one lock, which caps what all of them do.

use super::point::{Point, worst};

/// Each thread works by itself for a while, then holds a lock; who holds it is slowed down by those that wait for it. The queue of
/// such threads is solved exactly (the machine repairman: Lazowska and others, "Quantitative System Performance", 1984, ch. 8, with
/// a service whose time depends on the queue), for exponential times.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lock {
    /// Seconds that a thread works by itself for each piece of work.
    pub alone: f64,
    /// Seconds that it holds the lock.
    pub held: f64,
    /// By how much of that each thread that waits makes it longer.
    pub slowed: f64,
    /// How far it misses the worst point, relative to it.
    pub worst: f64,
}

impl Lock {
    /// What so many threads do in a second.
    pub fn at(&self, threads: f64) -> f64 {
        let (mut weight, mut all, mut done) = (1.0_f64, 1.0_f64, 0.0_f64);
        for queue in 1..=threads.round().max(1.0) as u32 {
            let queue = f64::from(queue);
            let held = self.held * (1.0 + self.slowed * (queue - 1.0));
            weight *= (threads - queue + 1.0) / self.alone * held;
            all += weight;
            done += weight / held;
            if all > LARGE {
                (weight, done, all) = (weight / LARGE, done / LARGE, all / LARGE);
            }
        }
        done / all
    }

    /// What no number of threads does more than in a second.
    pub fn cap(&self) -> f64 {
        self.held.recip()
    }

    /// The least squares of the relative errors, by steps along one part at a time. None without three numbers of threads.
    pub(super) fn fit(points: &[Point]) -> Option<Self> {
        let first = points.first().filter(|_| points.len() >= 3)?;
        let most = points.iter().map(|point| point.rate.value).fold(0.0, f64::max);
        let mut parts = [first.each().recip(), most.recip(), 1e-3].map(f64::ln);
        let mut error = squares(points, parts);
        let mut step = 0.5;
        for _ in 0..STEPS {
            if step < FINEST {
                break;
            }
            let tried = (0..6).map(|way| {
                let mut tried = parts;
                tried[way / 2] += if way % 2 == 0 { step } else { -step };
                (squares(points, tried), tried)
            });
            match tried.min_by(|one, other| one.0.total_cmp(&other.0)) {
                Some((less, better)) if less < error => (error, parts) = (less, better),
                _ => step /= 2.0,
            }
        }
        let found = Self::of(parts);
        Some(Self { worst: worst(points, |threads| found.at(threads)), ..found })
    }

    fn of(logarithms: [f64; 3]) -> Self {
        let [alone, held, slowed] = logarithms.map(f64::exp);
        Self { alone, held, slowed, worst: 0.0 }
    }
}

/// Weights are kept below this.
const LARGE: f64 = 1e200;

/// Steps of a fit, and the step in logarithms at which it is fine enough.
const STEPS: usize = 1000;
const FINEST: f64 = 1e-4;

fn squares(points: &[Point], logarithms: [f64; 3]) -> f64 {
    let lock = Lock::of(logarithms);
    points.iter().map(|point| (lock.at(f64::from(point.threads)) / point.rate.value - 1.0).powi(2)).sum()
}
