//! A [`HalfWidth`] as documents and studies have it: a number. For `#[serde(with = "half_width")]`.

use serde::{Deserialize, Deserializer, Serializer};
use tlstax_stats::{HalfWidth, Ratio};

/// Writes it as a number.
///
/// # Errors
/// Those of the serializer.
pub fn serialize<S: Serializer>(half_width: &HalfWidth, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(half_width.0.0)
}

/// Reads it from a number.
///
/// # Errors
/// Where there is no number.
pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<HalfWidth, D::Error> {
    f64::deserialize(deserializer).map(|ratio| HalfWidth(Ratio(ratio)))
}
