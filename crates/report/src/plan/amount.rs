//! Amounts with their intervals, as sentences and cells say them.

use tlstax_doc::model::Bounds;

use crate::model::Quantity;
use crate::number;

pub(super) fn cores(bounds: Bounds) -> Quantity {
    Quantity::between(bounds.value, bounds.low, bounds.high, "cores")
}

/// A share of a whole in percent; none of nothing.
pub(super) fn share(part: f64, whole: f64) -> Option<Quantity> {
    (whole > 0.0).then(|| Quantity::exact(part / whole * 100.0, "%"))
}

/// `1.83 cores [1.75, 1.92]`.
pub(super) fn said(bounds: Bounds, unit: &str) -> String {
    format!("{} {unit}{}", number::three_digits(bounds.value), ends(bounds))
}

/// The ends of an interval in brackets, with a space before; nothing where it has no width.
pub(super) fn ends(Bounds { low, high, .. }: Bounds) -> String {
    if low < high {
        format!(" [{}, {}]", number::three_digits(low), number::three_digits(high))
    } else {
        String::new()
    }
}

/// A number of something a second, in digits that people read.
pub(super) fn rate(value: f64) -> String {
    if value >= 1_000.0 {
        let step = 10f64.powi(value.log10().floor() as i32 - 2).max(1.0);
        number::thousands(((value / step).round() * step) as u64)
    } else {
        number::three_digits(value)
    }
}

/// Bits a second of bytes a second.
pub(super) fn bits(bytes: f64) -> String {
    const UNITS: [(f64, &str); 3] = [(1e9, "Gbit/s"), (1e6, "Mbit/s"), (1e3, "kbit/s")];
    let bits = bytes * 8.0;
    let (scale, unit) = UNITS.into_iter().find(|(scale, _)| bits >= *scale).unwrap_or((1.0, "bit/s"));
    format!("{} {unit}", number::three_digits(bits / scale))
}

/// An amount of a resource in its unit.
pub(super) fn of_resource(value: f64, unit: &str) -> String {
    match unit {
        "bit/s" => bits(value / 8.0),
        "bytes" => number::size(value, 3),
        other => format!("{} {other}", number::three_digits(value)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_readable() {
        assert_eq!([0.5, 12.34, 1_239.6, 123_456.0].map(rate), ["0.500", "12.3", "1,240", "123,000"]);
        assert_eq!(
            [1.0, 125.0, 125_000.0, 1.25e9].map(bits),
            ["8.00 bit/s", "1.00 kbit/s", "1.00 Mbit/s", "10.0 Gbit/s"]
        );
        assert_eq!(said(Bounds { value: 1.83, low: 1.75, high: 1.92 }, "cores"), "1.83 cores [1.75, 1.92]");
        assert_eq!(said(Bounds { value: 2.0, low: 2.0, high: 2.0 }, "cores"), "2.00 cores");
    }
}
