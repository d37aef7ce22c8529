//! What something costs at a size, from what it costs at sizes that were measured.

use tlstax_doc::model::Bounds;
use tlstax_stats::{HalfWidth, affine};

/// A cost at a size.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sized {
    /// Nanoseconds.
    pub ns: Bounds,
    /// Whether the size itself was not measured.
    pub is_interpolated: bool,
}

/// The cost of `bytes`, from costs in nanoseconds at sizes: of that very size, or else on the line through the two beside it, with the
/// wider of their intervals.
///
/// # Errors
/// The size lies outside of those that were measured.
pub fn at_size(points: &[(u32, Bounds)], bytes: u32) -> Result<Sized, String> {
    if let Some((_, ns)) = points.iter().find(|(size, _)| *size == bytes) {
        return Ok(Sized { ns: *ns, is_interpolated: false });
    }
    let sizes = || points.iter().map(|(size, _)| *size);
    let below = points.iter().filter(|(size, _)| *size < bytes).max_by_key(|(size, _)| *size);
    let above = points.iter().filter(|(size, _)| *size > bytes).min_by_key(|(size, _)| *size);
    let line = below.zip(above).and_then(|(below, above)| {
        let beside = [below, above].map(|(size, ns)| (f64::from(*size), ns.value));
        Some((affine(&beside)?, half_width(&below.1).max(half_width(&above.1))))
    });
    let (line, unsure) =
        line.ok_or_else(|| format!("measured at {} bytes, and not at {bytes}", told(sizes())))?;
    let value = line.at(f64::from(bytes));
    let ns = Bounds { value, low: value * (1.0 - unsure).max(0.0), high: value * (1.0 + unsure) };
    Ok(Sized { ns, is_interpolated: true })
}

/// Relative to the value.
fn half_width(ns: &Bounds) -> f64 {
    HalfWidth::of(ns.value, ns.low, ns.high).0.0
}

fn told(sizes: impl Iterator<Item = u32>) -> String {
    let mut sizes: Vec<u32> = sizes.collect();
    sizes.sort_unstable();
    sizes.dedup();
    sizes.iter().map(u32::to_string).collect::<Vec<_>>().join(", ")
}
