//! What something costs at a size, from what it costs at sizes that were measured.

use tlstax_doc::model::Bounds;
use tlstax_stats::affine;

/// A cost at a size.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sized {
    /// Nanoseconds.
    pub ns: Bounds,
    /// Whether the size itself was not measured.
    pub is_interpolated: bool,
}

/// The cost of `bytes`, from costs in nanoseconds at sizes: of that very size, or else by a line through all of them. The interval
/// of what lies on the line holds the widest of theirs and the worst miss of the line.
///
/// # Errors
/// The size lies outside of those that were measured.
pub fn at_size(points: &[(u32, Bounds)], bytes: u32) -> Result<Sized, String> {
    if let Some((_, ns)) = points.iter().find(|(size, _)| *size == bytes) {
        return Ok(Sized { ns: *ns, is_interpolated: false });
    }
    let sizes = || points.iter().map(|(size, _)| *size);
    let is_within = sizes().min() < Some(bytes) && Some(bytes) < sizes().max();
    let costs: Vec<(f64, f64)> = points.iter().map(|(size, ns)| (f64::from(*size), ns.value)).collect();
    let line = affine(&costs).filter(|_| is_within);
    let line = line.ok_or_else(|| format!("measured at {} bytes, and not at {bytes}", told(sizes())))?;
    let half = |ns: &Bounds| ((ns.high - ns.low) / 2.0 / ns.value).abs();
    let widest = points.iter().map(|(_, ns)| half(ns)).fold(0.0, f64::max);
    let (value, unsure) = (line.at(f64::from(bytes)), widest.hypot(line.worst_relative_error.0));
    let ns = Bounds { value, low: value * (1.0 - unsure).max(0.0), high: value * (1.0 + unsure) };
    Ok(Sized { ns, is_interpolated: true })
}

fn told(sizes: impl Iterator<Item = u32>) -> String {
    let mut sizes: Vec<u32> = sizes.collect();
    sizes.sort_unstable();
    sizes.dedup();
    sizes.iter().map(u32::to_string).collect::<Vec<_>>().join(", ")
}
