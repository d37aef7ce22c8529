//! The lowest mode of a distribution: what a piece of work costs while nobody disturbs it.
//!
//! On a shared machine the costs of short pieces of work are a mixture: those that nobody disturbed lie close together, those
//! beside a neighbour lie higher and further apart. A quantile jumps from one kind to the other as their shares change, and the
//! smallest value is the luckiest reading; the place where the lower kind is densest is neither.

use crate::order::median;

/// The least width of a window in which values are counted, relative to its lower end: several times what readings of undisturbed
/// work of 0.15 ms differ by (0.2 to 0.4 % from quartile to quartile), and much less than what a neighbour adds.
pub const WINDOW: f64 = 0.01;

/// The lowest window whose count is at least `share` of that of the fullest one and at least `least`, taken further up to
/// where it is fullest, and the median of the values in it. None where no window has so many.
///
/// `share` is what a lower mode must have to be taken for one: a few lucky readings have less. `window` is as wide as undisturbed
/// values differ: in a narrower one chance decides which window is fullest. Values that are not above zero are passed over.
pub fn lower_mode(values: &[f64], window: f64, share: f64, least: usize) -> Option<f64> {
    let mut sorted: Vec<f64> =
        values.iter().copied().filter(|value| value.is_finite() && *value > 0.0).collect();
    sorted.sort_unstable_by(f64::total_cmp);
    let ends = window_ends(&sorted, window);
    let count = |start: usize| ends[start] - start;
    let fullest = (0..sorted.len()).map(count).max()?;
    if fullest < least.max(1) {
        return None;
    }
    let enough = least.max((fullest as f64 * share).ceil() as usize);
    let mut best = (0..sorted.len()).find(|&start| count(start) >= enough)?;
    for start in best + 1..sorted.len() {
        // Beyond two windows it is another mode.
        if sorted[start] > sorted[best] * (1.0 + 2.0 * window) {
            break;
        }
        if count(start) > count(best) {
            best = start;
        }
    }
    median(&sorted[best..ends[best]])
}

/// For each of the sorted values, the place after the last one that is in the window which begins with it.
fn window_ends(sorted: &[f64], window: f64) -> Vec<usize> {
    let mut end = 0;
    sorted
        .iter()
        .map(|start| {
            while sorted.get(end).is_some_and(|value| *value <= start * (1.0 + window)) {
                end += 1;
            }
            end
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use fastrand::Rng;

    use super::*;

    /// So many values of undisturbed work at 100, of which the others are beside a neighbour who costs 20 to 60 %.
    fn mixture(count: usize, undisturbed: f64, rng: &mut Rng) -> Vec<f64> {
        let spread = |rng: &mut Rng| 1.0 + 0.003 * (rng.f64() + rng.f64() + rng.f64() - 1.5);
        let disturbed = |rng: &mut Rng| if rng.f64() < undisturbed { 1.0 } else { 1.2 + 0.4 * rng.f64() };
        (0..count).map(|_| 100.0 * spread(rng) * disturbed(rng)).collect()
    }

    #[test]
    fn the_lower_mode_is_found_whatever_its_share() {
        let mut rng = Rng::with_seed(1);
        for undisturbed in [0.05, 0.1, 0.3, 0.5, 0.9, 1.0] {
            for _ in 0..50 {
                let found = lower_mode(&mixture(1000, undisturbed, &mut rng), WINDOW, 0.15, 3);
                assert!(
                    found.is_some_and(|mode| (mode / 100.0 - 1.0).abs() < 0.003),
                    "{undisturbed}: {found:?}"
                );
            }
        }
    }

    #[test]
    fn a_few_lucky_readings_are_no_mode() {
        let mut values = mixture(1000, 1.0, &mut Rng::with_seed(2));
        values.extend([80.0, 80.1, 80.2, 85.0]);
        assert!(lower_mode(&values, WINDOW, 0.15, 3).is_some_and(|mode| (mode - 100.0).abs() < 0.3));
    }

    #[test]
    fn too_few_values_have_none() {
        assert_eq!(lower_mode(&[], WINDOW, 0.15, 1), None);
        assert_eq!(lower_mode(&[100.0, 120.0, 140.0], WINDOW, 0.15, 2), None);
        assert_eq!(lower_mode(&[f64::NAN, f64::INFINITY, 0.0, 0.0, -1.0], WINDOW, 0.15, 1), None);
        assert_eq!(lower_mode(&[100.0], WINDOW, 0.15, 1), Some(100.0));
    }
}
