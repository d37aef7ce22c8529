//! Figures of plans as text and as cells.

use tlstax_doc::model::Bounds;
use tlstax_report::{Column, Quantity};

pub fn quantity(bounds: Bounds, unit: &'static str) -> Quantity {
    let Bounds { value, low, high } = bounds;
    Quantity::between(value, low, high, unit)
}

/// Three digits.
pub fn digits(value: f64) -> String {
    Quantity::exact(value, "").show(&Column::plain("", ""))
}

/// Three digits with the interval, where there is one.
pub fn ranged(bounds: Bounds) -> String {
    quantity(bounds, "").show(&Column::quantity("", ""))
}

/// Four decimals, without those that say nothing.
pub fn exactly(value: f64) -> String {
    format!("{value:.4}").trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Bytes in the largest decimal unit.
pub fn size(bytes: f64) -> String {
    const UNITS: [(f64, &str); 4] = [(1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB")];
    let unit = UNITS.iter().find(|(unit, _)| bytes >= *unit);
    unit.map_or_else(|| format!("{bytes} bytes"), |(unit, name)| format!("{} {name}", exactly(bytes / unit)))
}
