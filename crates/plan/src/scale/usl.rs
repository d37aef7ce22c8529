//! [`Usl`]: the universal scalability law.

use super::point::{Point, worst};

/// X(N) = rate x N / (1 + contention x (N - 1) + coherency x N x (N - 1)): Gunther, "Guerrilla Capacity Planning", 2007, ch. 4.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Usl {
    /// What one thread does in a second.
    pub rate: f64,
    /// The part of the work that threads wait for each other with; never negative.
    pub contention: f64,
    /// What each pair of threads costs; never negative.
    pub coherency: f64,
    /// How far it misses the worst point, relative to it.
    pub worst: f64,
}

impl Usl {
    /// What so many threads do in a second.
    pub fn at(&self, threads: f64) -> f64 {
        let Self { rate, contention, coherency, .. } = self;
        rate * threads / (1.0 + contention * (threads - 1.0) + coherency * threads * (threads - 1.0))
    }

    /// The threads at which it is largest; none where it never ends to grow.
    pub fn peak(&self) -> Option<f64> {
        (self.coherency > 0.0).then(|| ((1.0 - self.contention) / self.coherency).max(0.0).sqrt())
    }

    /// Least squares of the relative errors of N / X(N), which is linear in what is sought. Where the best has a negative part, that
    /// part is zero and the others are fitted alone. None without three numbers of threads.
    pub(super) fn fit(points: &[Point]) -> Option<Self> {
        let parts: [&[usize]; 4] = [&[0], &[0, 1], &[0, 2], &[0, 1, 2]];
        let fits = parts.iter().filter_map(|parts| Self::of(points, parts));
        let missed = |usl: &Self| -> f64 {
            let error = |point: &Point| point.rate.value / usl.at(f64::from(point.threads)) - 1.0;
            points.iter().map(|point| error(point).powi(2)).sum()
        };
        let best = fits.min_by(|one, other| missed(one).total_cmp(&missed(other)))?;
        (points.len() >= 3).then(|| Self { worst: worst(points, |threads| best.at(threads)), ..best })
    }

    /// With some parts alone; none where one is negative or they cannot be told apart.
    fn of(points: &[Point], parts: &[usize]) -> Option<Self> {
        let mut normal = [[0.0; 4]; 3];
        for point in points {
            let threads = f64::from(point.threads);
            // Divided by N / X, every point asks for a sum of 1.
            let by = point.rate.value / threads;
            let terms = [by, (threads - 1.0) * by, threads * (threads - 1.0) * by];
            for (row, part) in parts.iter().enumerate() {
                for (column, other) in parts.iter().enumerate() {
                    normal[row][column] += terms[*part] * terms[*other];
                }
                normal[row][3] += terms[*part];
            }
        }
        let solved = solve(normal, parts.len())?;
        let mut found = [0.0; 3];
        parts.iter().zip(solved).for_each(|(part, value)| found[*part] = value);
        let [one, contention, coherency] = found;
        let is_law = one > 0.0 && contention >= 0.0 && coherency >= 0.0;
        is_law.then(|| Self {
            rate: 1.0 / one,
            contention: contention / one,
            coherency: coherency / one,
            worst: 0.0,
        })
    }
}

/// Solves so many equations, the right side of which is the last column, by elimination; none where they are not independent.
fn solve(mut rows: [[f64; 4]; 3], count: usize) -> Option<[f64; 3]> {
    for at in 0..count {
        let pivot =
            (at..count).max_by(|one, other| rows[*one][at].abs().total_cmp(&rows[*other][at].abs()))?;
        rows.swap(at, pivot);
        let lead = rows[at];
        if lead[at].abs() < 1e-300 {
            return None;
        }
        for (place, row) in rows.iter_mut().enumerate().take(count) {
            if place != at {
                let factor = row[at] / lead[at];
                row.iter_mut().zip(lead).for_each(|(value, of)| *value -= factor * of);
            }
        }
    }
    let mut found = [0.0; 3];
    (0..count).for_each(|at| found[at] = rows[at][3] / rows[at][at]);
    found.iter().all(|value| value.is_finite()).then_some(found)
}
