//! [`Shares`]: how something divides into parts, in percent.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};

/// How far from 100 the sum of percentages may be: thirds are written with a few digits.
const SLACK: f64 = 0.1;

/// How something divides into parts, in percent that sum to 100. One part alone is written without its share.
#[derive(Debug, Clone, PartialEq)]
pub struct Shares<T>(pub Vec<(T, f64)>);

/// Something that parts are called in a text.
pub trait Part: Sized {
    /// What it is, in a few words.
    const WHAT: &'static str;

    /// Reads the name of a part.
    ///
    /// # Errors
    /// It is none: a sentence.
    fn parse(name: &str) -> Result<Self, String>;
}

impl<'de, T: Part> Deserialize<'de> for Shares<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Reader(PhantomData))
    }
}

struct Reader<T>(PhantomData<T>);

impl<'de, T: Part> Visitor<'de> for Reader<T> {
    type Value = Shares<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, or a table of several, each with its share in percent", T::WHAT)
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<Shares<T>, E> {
        Ok(Shares(vec![(T::parse(name).map_err(E::custom)?, 100.0)]))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Shares<T>, E> {
        self.visit_str(&number.to_string())
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Shares<T>, E> {
        self.visit_str(&number.to_string())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Shares<T>, A::Error> {
        let mut parts = Vec::new();
        while let Some(name) = map.next_key::<String>()? {
            let share: f64 = map.next_value()?;
            if !(0.0..=100.0).contains(&share) {
                return Err(A::Error::custom(format!(
                    "the share of '{name}' is {share}: give percent, 0 to 100"
                )));
            }
            parts.push((T::parse(&name).map_err(A::Error::custom)?, share));
        }
        let sum: f64 = parts.iter().map(|(_, share)| share).sum();
        if (sum - 100.0).abs() > SLACK {
            return Err(A::Error::custom(format!(
                "the shares sum to {sum} %: they have to be 100 % together"
            )));
        }
        // The slack is divided among all.
        parts.iter_mut().for_each(|(_, share)| *share *= 100.0 / sum);
        Ok(Shares(parts))
    }
}

/// A whole number divided in these proportions: the parts sum to it, and each is within one of its share.
pub fn divided(whole: u64, parts: &[f64]) -> Vec<u64> {
    let sum: f64 = parts.iter().sum();
    let (mut part, mut given) = (0.0, 0);
    let divide = |share: &f64| {
        part += share;
        // Counts of a workload by hand are below 2^53, which was checked.
        #[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let until = if sum > 0.0 { (whole as f64 * (part / sum)).round() as u64 } else { 0 };
        let until = until.clamp(given, whole);
        let mine = until - given;
        given = until;
        mine
    };
    parts.iter().map(divide).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn parts_sum_to_the_whole(whole in 0u64..1 << 52, parts in prop::collection::vec(0.01f64..100.0, 1..20)) {
            let divided = divided(whole, &parts);
            prop_assert_eq!(divided.iter().sum::<u64>(), whole);
        }
    }

    #[test]
    fn each_part_is_within_one_of_its_share() {
        assert_eq!(divided(10, &[50.0, 30.0, 20.0]), [5, 3, 2]);
        assert_eq!(divided(1, &[50.0, 50.0]).iter().sum::<u64>(), 1);
        assert_eq!(divided(0, &[1.0]), [0]);
    }
}
