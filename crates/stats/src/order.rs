//! Order statistics: what is left of a distribution when nothing may be assumed about it.

/// A value and the interval that covers the true one with a stated confidence.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    pub value: f64,
    /// The lower end; never above `value`.
    pub low: f64,
    /// The upper end; never below `value`.
    pub high: f64,
}

/// The median; the mean of the two middle values where their number is even. None without values.
pub fn median(values: &[f64]) -> Option<f64> {
    quantile(values, 0.5)
}

/// The value below which `share` (0 to 1) of the values lie, interpolated between neighbours: definition 7 of
/// Hyndman and Fan, "Sample quantiles in statistical packages", 1996. None without values.
pub fn quantile(values: &[f64], share: f64) -> Option<f64> {
    sorted_quantile(&sorted(values), share)
}

/// The median of independent values with an interval that covers the true median with at least `confidence` (0 to 1),
/// whatever their distribution. None without values.
///
/// This is the percentile bootstrap of the median (Efron and Tibshirani, "An introduction to the bootstrap", 1993,
/// ch. 13) taken to its limit. However often the values are resampled, the ends always fall on two of the sorted
/// values, and which two depends on their number alone; so nothing has to be drawn. The ranks are those whose
/// coverage is guaranteed (Thompson 1936; Hahn and Meeker, "Statistical intervals", 1991, section 5.2), the same as
/// the bootstrap's or one wider. Fewer than six values cannot reach 95 %: then the interval is all of them.
pub fn median_interval(values: &[f64], confidence: f64) -> Option<Interval> {
    let sorted = sorted(values);
    let value = sorted_quantile(&sorted, 0.5)?;
    let outside = below_interval(sorted.len(), confidence);
    Some(Interval { value, low: sorted[outside], high: sorted[sorted.len() - 1 - outside] })
}

/// [`median_interval`] reaching further on the side away from which the values are skewed.
///
/// The jitter of a quiet machine is symmetrical, but a disturbance that the references missed only ever adds to a
/// cost. So where the upper quartile lies further from the median than the lower one, disturbed rounds are among
/// the values, and the undisturbed median is lower than the one seen by about that difference (the numerator of
/// Bowley's skewness, 1920). It is looked for no further out than the first decile. A ratio can be skewed either
/// way.
pub(crate) fn cautious_interval(values: &[f64], confidence: f64) -> Option<Interval> {
    let Interval { value, low, high } = median_interval(values, confidence)?;
    let sorted = sorted(values);
    let at = |share| sorted_quantile(&sorted, share);
    let skew = (at(0.75)? - value) - (value - at(0.25)?);
    let (low, high) = if skew > 0.0 {
        (low.min((value - skew).max(at(0.1)?)), high)
    } else {
        (low, high.max((value - skew).min(at(0.9)?)))
    };
    Some(Interval { value, low, high })
}

fn sorted(values: &[f64]) -> Vec<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    sorted
}

/// The quantile of values that are sorted already.
fn sorted_quantile(sorted: &[f64], share: f64) -> Option<f64> {
    let last = sorted.len().checked_sub(1)?;
    let position = share.clamp(0.0, 1.0) * last as f64;
    let (below, above) = (sorted[position.floor() as usize], sorted[position.ceil() as usize]);
    Some(below + (above - below) * position.fract())
}

/// How many of `count` sorted values lie below the interval of the median: the largest k for which a fair coin shows
/// heads k times or fewer in `count` throws with a probability of at most (1 - confidence) / 2; zero where none does.
fn below_interval(count: usize, confidence: f64) -> usize {
    let allowed = (1.0 - confidence) / 2.0;
    // In logarithms, because 2^-count leaves the range of f64 at a count of 1075.
    let mut log_probability = -(count as f64) * std::f64::consts::LN_2;
    let mut tail = 0.0;
    for heads in 0..count / 2 {
        tail += log_probability.exp();
        if tail > allowed {
            return heads.saturating_sub(1);
        }
        log_probability += ((count - heads) as f64 / (heads + 1) as f64).ln();
    }
    (count / 2).saturating_sub(1)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_interpolate() {
        let values = [4.0, 1.0, 3.0, 2.0];
        assert_eq!(median(&values), Some(2.5));
        assert_eq!(quantile(&values, 0.0), Some(1.0));
        assert_eq!(quantile(&values, 1.0), Some(4.0));
        assert_eq!(quantile(&values, 1.0 / 6.0), Some(1.5));
        assert_eq!(median(&[]), None);
    }

    /// Ranks from the tables of the sign test at 5 %, two-sided.
    #[test]
    fn intervals_have_the_ranks_of_the_sign_test() {
        for (count, below) in
            [(1, 0), (5, 0), (6, 0), (8, 0), (9, 1), (12, 2), (20, 5), (25, 7), (50, 17), (100, 39)]
        {
            assert_eq!(below_interval(count, 0.95), below, "{count} values");
        }
    }

    #[test]
    fn intervals_stay_finite_for_very_many_values() {
        let values: Vec<f64> = (0..5000).map(f64::from).collect();
        let interval = median_interval(&values, 0.95).unwrap();
        // 1.96 x sqrt(5000) / 2 = 69 ranks to each side.
        assert_eq!((interval.low, interval.high), (2430.0, 2569.0));
    }

    #[test]
    fn intervals_are_those_of_the_bootstrap() {
        let mut rng = fastrand::Rng::with_seed(1);
        for count in [7, 12, 25, 40, 81] {
            let values: Vec<f64> = (0..count).map(f64::from).collect();
            let medians: Vec<f64> = (0..20_000)
                .map(|_| {
                    median(&values.iter().map(|_| rng.choice(&values).copied().unwrap()).collect::<Vec<_>>())
                        .unwrap()
                })
                .collect();
            let drawn = [quantile(&medians, 0.025).unwrap(), quantile(&medians, 0.975).unwrap()];
            let Interval { low, high, .. } = median_interval(&values, 0.95).unwrap();
            // Values are their own ranks: the ends differ by at most one rank, and ours is the wider.
            assert!((0.0..=1.0).contains(&(drawn[0] - low)), "{count} values: {low} and {drawn:?}");
            assert!((0.0..=1.0).contains(&(high - drawn[1])), "{count} values: {high} and {drawn:?}");
        }
    }

    #[test]
    fn disturbed_values_lower_the_low_end() {
        let clean: Vec<f64> = (0..30).map(|i| 100.0 + 0.1 * f64::from(i % 10)).collect();
        let mixed: Vec<f64> =
            clean.iter().enumerate().map(|(i, v)| if i % 5 < 3 { v + 10.0 } else { *v }).collect();
        assert_eq!(cautious_interval(&clean, 0.95), median_interval(&clean, 0.95));
        let negative: Vec<f64> = mixed.iter().map(|v| -v).collect();
        assert!(
            cautious_interval(&negative, 0.95).unwrap().high
                >= median_interval(&negative, 0.95).unwrap().high
        );
        let interval = cautious_interval(&mixed, 0.95).unwrap();
        assert!(interval.low <= 101.0, "the undisturbed values are within: {interval:?}");
    }
}
