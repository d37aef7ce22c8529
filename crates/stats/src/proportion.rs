//! [`proportion`]: the part of a whole that samples show, with its interval.

use crate::order::Interval;

/// The 97.5 % point of the normal distribution.
const Z: f64 = 1.959_964;

/// Fewer spans of time say nothing of how far spans differ.
const FEW: usize = 8;

/// What one span of time shows: the weight of the part, and that of the whole.
#[derive(Debug, Default, Clone, Copy, PartialEq)]
pub struct InSpan {
    pub part: f64,
    pub whole: f64,
}

/// The part of a whole, 0 to 1, with its 95 % interval. None of an empty whole.
///
/// Samples that are near in time are alike, so they are no independent draws: the interval is that of a ratio of sums over spans
/// (Cochran, "Sampling techniques", 1977, section 2.11), with the t distribution of one less than there are spans. It is never
/// narrower than if all samples were independent (Wilson 1927), `draws` being their number in the whole; where there are too few
/// spans to judge by, it is that alone.
pub fn proportion(spans: &[InSpan], draws: f64) -> Option<Interval> {
    let sum = spans.iter().fold(InSpan::default(), |sum, span| InSpan {
        part: sum.part + span.part,
        whole: sum.whole + span.whole,
    });
    if sum.whole <= 0.0 {
        return None;
    }
    let value = (sum.part / sum.whole).clamp(0.0, 1.0);
    let (low, high) = wilson(value, draws.max(1.0));
    let reach = if spans.len() < FEW { 0.0 } else { half_width(spans, value, sum.whole) };
    Some(Interval {
        value,
        low: low.min(value - reach).clamp(0.0, value),
        high: high.max(value + reach).clamp(value, 1.0),
    })
}

/// Half the interval by how far spans differ from what the whole would make of them.
fn half_width(spans: &[InSpan], value: f64, whole: f64) -> f64 {
    let count = spans.len() as f64;
    let squares: f64 = spans.iter().map(|span| (span.part - value * span.whole).powi(2)).sum();
    student(count - 1.0) * (squares * count / (count - 1.0)).sqrt() / whole
}

/// The interval of independent draws: E. B. Wilson, "Probable inference, the law of succession, and statistical inference", 1927.
fn wilson(value: f64, draws: f64) -> (f64, f64) {
    let square = Z * Z / draws;
    let middle = (value + square / 2.0) / (1.0 + square);
    let reach = Z / (1.0 + square) * (value * (1.0 - value) / draws + square / (4.0 * draws)).sqrt();
    (middle - reach, middle + reach)
}

/// The 97.5 % point of Student's t, from the normal one: Abramowitz and Stegun, "Handbook of mathematical functions", 1964, 26.7.5.
/// With 7 degrees of freedom it is 0.1 % off.
fn student(freedom: f64) -> f64 {
    let [z1, z3, z5, z7] = [1, 3, 5, 7].map(|power| Z.powi(power));
    Z + (z3 + z1) / (4.0 * freedom)
        + (5.0 * z5 + 16.0 * z3 + 3.0 * z1) / (96.0 * freedom.powi(2))
        + (3.0 * z7 + 19.0 * z5 + 17.0 * z3 - 15.0 * z1) / (384.0 * freedom.powi(3))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spans(parts: &[f64], whole: f64) -> Vec<InSpan> {
        parts.iter().map(|part| InSpan { part: *part, whole }).collect()
    }

    #[test]
    fn students_points_are_those_of_the_tables() {
        for (freedom, point) in [(7.0, 2.3646), (10.0, 2.2281), (30.0, 2.0423), (120.0, 1.9799)] {
            assert!((student(freedom) / point - 1.0).abs() < 0.002, "{freedom}: {}", student(freedom));
        }
    }

    #[test]
    fn bursts_widen_the_interval_and_even_work_does_not() {
        let even = proportion(&spans(&[10.0; 40], 100.0), 4000.0).unwrap();
        let bursts: Vec<f64> = (0..40).map(|span| if span % 4 == 0 { 40.0 } else { 0.0 }).collect();
        let bursts = proportion(&spans(&bursts, 100.0), 4000.0).unwrap();
        assert!((even.value - 0.1).abs() < 1e-9 && (bursts.value - 0.1).abs() < 1e-9);
        assert!(bursts.high - bursts.low > 4.0 * (even.high - even.low), "{even:?} {bursts:?}");
        // 4000 draws of a tenth: half a width of 0.0093.
        assert!((even.high - 0.1097).abs() < 5e-4, "{even:?}");
    }

    #[test]
    fn what_was_never_seen_may_still_be_there() {
        let none = proportion(&spans(&[0.0], 1000.0), 1000.0).unwrap();
        assert_eq!((none.value, none.low), (0.0, 0.0));
        assert!(none.high > 0.003 && none.high < 0.005, "{none:?}");
        assert_eq!(proportion(&[], 10.0), None);
        assert_eq!(proportion(&spans(&[0.0], 0.0), 10.0), None);
    }
}
