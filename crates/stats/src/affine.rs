//! A cost per call and a cost per byte from costs at several sizes.

use crate::percent::Ratio;

/// cost(size) = per_call + per_byte x size.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Affine {
    /// The part of the cost that does not depend on the size, in the unit of the costs; never negative.
    pub per_call: f64,
    /// The cost of one more byte; never negative.
    pub per_byte: f64,
    /// How far the fit misses the worst point, as a ratio to that point's cost.
    pub worst_relative_error: Ratio,
}

impl Affine {
    /// The cost at a size, by the fit.
    pub fn at(&self, bytes: f64) -> f64 {
        self.per_call + self.per_byte * bytes
    }
}

/// Fits costs at sizes, given as (bytes, cost), by least squares of the relative errors, so that a small message
/// counts as much as a large one. Where the best line has a negative part, that part is zero and the other fitted
/// alone (non-negative least squares of two unknowns: Lawson and Hanson, "Solving least squares problems", 1974,
/// ch. 23).
///
/// None for fewer than two distinct sizes, or where a cost is not above zero.
pub fn affine(points: &[(f64, f64)]) -> Option<Affine> {
    let usable =
        |&(bytes, cost): &(f64, f64)| bytes >= 0.0 && bytes.is_finite() && cost > 0.0 && cost.is_finite();
    let (first, _) = *points.first()?;
    if !points.iter().all(usable) || points.iter().all(|&(bytes, _)| bytes == first) {
        return None;
    }
    // Divided by its cost, every point asks for per_call x u + per_byte x v = 1.
    let scaled = || points.iter().map(|&(bytes, cost)| (cost.recip(), bytes / cost));
    let sum = |term: fn((f64, f64)) -> f64| scaled().map(term).sum::<f64>();
    let (u, v) = (sum(|(u, _)| u), sum(|(_, v)| v));
    let (uu, uv, vv) = (sum(|(u, _)| u * u), sum(|(u, v)| u * v), sum(|(_, v)| v * v));
    let determinant = uu * vv - uv * uv;
    let line = ((u * vv - v * uv) / determinant, (v * uu - u * uv) / determinant);
    let (per_call, per_byte) = match line {
        (call, _) if call < 0.0 => (0.0, v / vv),
        (_, byte) if byte < 0.0 => (u / uu, 0.0),
        line => line,
    };
    let fit = Affine { per_call, per_byte, worst_relative_error: Ratio(0.0) };
    let miss = |&(bytes, cost): &(f64, f64)| (fit.at(bytes) / cost - 1.0).abs();
    let worst = points.iter().map(miss).fold(0.0, f64::max);
    Some(Affine { worst_relative_error: Ratio(worst), ..fit })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    const SIZES: [f64; 5] = [16.0, 64.0, 1024.0, 8192.0, 16384.0];

    #[test]
    fn a_line_is_found_exactly() {
        let fit = affine(&SIZES.map(|bytes| (bytes, 250.0 + 0.4 * bytes))).unwrap();
        assert!((fit.per_call - 250.0).abs() < 1e-6, "{fit:?}");
        assert!((fit.per_byte - 0.4).abs() < 1e-9, "{fit:?}");
        assert!(fit.worst_relative_error < Ratio(1e-9), "{fit:?}");
        assert!((fit.at(100.0) - 290.0).abs() < 1e-6);
    }

    #[test]
    fn errors_are_relative() {
        // 1 % on the smallest size moves the line as 1 % on the largest does, though it is 30 times less in
        // nanoseconds.
        let fit = affine(
            &SIZES.map(|bytes| (bytes, (250.0 + 0.4 * bytes) * if bytes < 20.0 { 1.01 } else { 1.0 })),
        )
        .unwrap();
        assert!(fit.worst_relative_error < Ratio(0.01), "{fit:?}");
        assert!(fit.per_call > 250.5, "{fit:?}");
    }

    #[test]
    fn parts_are_never_negative() {
        let falling = affine(&[(16.0, 100.0), (1024.0, 90.0)]).unwrap();
        assert_eq!(falling.per_byte, 0.0);
        assert!((90.0..=100.0).contains(&falling.per_call));
        let convex = affine(&[(100.0, 1.0), (1000.0, 100.0)]).unwrap();
        assert_eq!(convex.per_call, 0.0);
        assert!(convex.per_byte > 0.0 && convex.worst_relative_error > Ratio(0.1));
    }

    #[test]
    fn no_fit_without_two_sizes_and_real_costs() {
        assert_eq!(affine(&[]), None);
        assert_eq!(affine(&[(16.0, 100.0), (16.0, 101.0)]), None);
        assert_eq!(affine(&[(16.0, 100.0), (64.0, 0.0)]), None);
        assert_eq!(affine(&[(16.0, 100.0), (64.0, f64::NAN)]), None);
    }
}
