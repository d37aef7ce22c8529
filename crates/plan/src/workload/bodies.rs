//! Sizes of bodies: the distribution of all responses, brought to the mean of a kind.

use tlstax_doc::{Sketch, Total};

use super::assumed::{Assumed, What};
use super::rate::float;

/// The size of a response where none is known, as in loads without one.
pub const USUAL_BODY: u64 = 1_024;

/// How many sizes stand for all.
const CLASSES: usize = 20;

/// Sizes with their shares, which add up to 1: the distribution of all responses, shifted to the mean of the kind's own bytes where
/// these are known.
pub fn bodies(all: &Sketch, own: Total, assumed: &mut Assumed) -> Vec<(f64, f64)> {
    let own = (own.of > 0).then(|| float(own.bytes) / float(own.of));
    let classes = classes(all);
    let Some(mean) = own.or_else(|| all.mean()) else {
        assumed.add(What::Body, format!("{USUAL_BODY} bytes"));
        return vec![(float(USUAL_BODY), 1.0)];
    };
    let drawn: f64 = classes.iter().map(|(bytes, share)| bytes * share).sum();
    if drawn <= 0.0 {
        return vec![(mean, 1.0)];
    }
    classes.into_iter().map(|(bytes, share)| (bytes * mean / drawn, share)).collect()
}

/// Sizes, each the mean of those between two powers of the same factor.
fn classes(all: &Sketch) -> Vec<(f64, f64)> {
    let (least, most) = (float(all.min.max(1)), float(all.max.max(1)));
    let step = (most / least).ln() / CLASSES as f64;
    let place = |bytes: u64| match step > 0.0 {
        // It is between 0 and the number of classes.
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        true => (((float(bytes.max(1)) / least).ln() / step).max(0.0) as usize).min(CLASSES - 1),
        false => 0,
    };
    let mut sums = [(0.0, 0.0); CLASSES];
    for (bytes, count) in &all.classes {
        let (sum, of) = &mut sums[place(*bytes)];
        *sum += float(*bytes) * float(*count);
        *of += float(*count);
    }
    let all: f64 = sums.iter().map(|(_, of)| of).sum();
    sums.into_iter().filter(|(_, of)| *of > 0.0).map(|(sum, of)| (sum / of, of / all)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_sizes_stand_for_all_and_keep_the_mean() {
        let mut sketch = Sketch::default();
        (1..2_000).for_each(|value| sketch.merge(&Sketch::one(value * value, 3)));
        let bodies = bodies(&sketch, Total::default(), &mut Assumed::default());
        assert!(bodies.len() > 10 && bodies.len() <= CLASSES);
        let (mean, shares) =
            bodies.iter().fold((0.0, 0.0), |sum, (bytes, share)| (sum.0 + bytes * share, sum.1 + share));
        assert!((mean / sketch.mean().unwrap() - 1.0).abs() < 1e-9 && (shares - 1.0).abs() < 1e-9);
    }

    #[test]
    fn a_kind_has_its_own_mean() {
        let sketch = Sketch::one(1_000, 4);
        let own = Total { of: 2, bytes: 8_000 };
        assert_eq!(bodies(&sketch, own, &mut Assumed::default()), [(4_000.0, 1.0)]);
        assert_eq!(bodies(&Sketch::default(), own, &mut Assumed::default()), [(4_000.0, 1.0)]);
        let mut assumed = Assumed::default();
        assert_eq!(bodies(&Sketch::default(), Total::default(), &mut assumed), [(1_024.0, 1.0)]);
        assert_eq!(assumed.sentences().len(), 1);
    }
}
