//! Numbers as text.

use tlstax_stats::{HalfWidth, Percent, Ratio};

use crate::model::{Column, Quantity, Sign};

/// Wider intervals show both ends.
const SMALL: Ratio = Ratio(0.5);

/// Three significant digits, and every digit before the point: more is rarely supported by an interval.
pub(crate) fn three_digits(value: f64) -> String {
    significant(value, 3)
}

pub(crate) fn significant(value: f64, digits: i32) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    // Rounded first, so that 999.6 has the digits of 1000.
    let magnitude = rounded(value, digits).abs().log10().floor() as i32;
    let decimals = (digits - 1 - magnitude).clamp(0, 9) as usize;
    format!("{value:.decimals$}")
}

/// "±0.5%", or both ends where the interval is not small against the value; none for a number without an interval.
pub(crate) fn half_width(quantity: &Quantity) -> Option<String> {
    let HalfWidth(ratio) = quantity.half_width()?;
    if ratio > SMALL {
        return Some(format!("[{}, {}]", three_digits(quantity.low), three_digits(quantity.high)));
    }
    Some(format!("±{}", percent(ratio)))
}

/// A ratio in percent with as many digits as matter for an interval.
pub(crate) fn percent(ratio: Ratio) -> String {
    let Percent(percent) = ratio.percent();
    let decimals = usize::from(percent < 9.95);
    format!("{percent:.decimals$}%")
}

impl Quantity {
    /// The number as every format prints it; the unit follows where it is not the column's.
    pub fn show(&self, column: &Column) -> String {
        let mut shown = self.sign.map(Sign::shown).unwrap_or_default().to_owned() + &three_digits(self.value);
        if self.unit != column.unit {
            shown += &format!(" {}", self.unit);
        }
        if let Some(half_width) = half_width(self).filter(|_| column.interval) {
            shown += &format!(" {half_width}");
        }
        if let Some(aside) = &self.aside {
            shown += &format!(" ({aside})");
        }
        shown
    }
}

/// A value with no more digits than its interval supports, and at most three.
pub(crate) fn within_interval(value: f64, low: f64, high: f64) -> String {
    digits(value, low, high, 3)
}

/// A factor with no more digits than its interval supports, and at most two.
pub(crate) fn factor(value: f64, low: f64, high: f64) -> String {
    digits(value, low, high, 2)
}

fn digits(value: f64, low: f64, high: f64, most: i32) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    let by_value = value.abs().log10().floor() as i32;
    let least = by_value + 1 - most;
    let half_width = (high - low) / 2.0;
    let unit =
        if half_width > 0.0 { (half_width.log10().floor() as i32).clamp(least, by_value) } else { least };
    let step = 10f64.powi(unit);
    let decimals = (-unit).clamp(0, 9) as usize;
    format!("{:.decimals$}", (value / step).round() * step)
}

/// Bytes in the largest unit that makes them whole: 16 B, 1 KB, 10 KB, 16 KiB, 1 MB.
pub(crate) fn bytes(count: u64) -> String {
    const UNITS: [(u64, &str); 4] = [(1_000_000, "MB"), (1 << 20, "MiB"), (1_000, "KB"), (1 << 10, "KiB")];
    match UNITS.iter().find(|(unit, _)| count >= *unit && count.is_multiple_of(*unit)) {
        Some((unit, name)) => format!("{} {name}", count / unit),
        None => format!("{count} B"),
    }
}

/// A count with its thousands set apart: 1,240.
pub(crate) fn thousands(count: u64) -> String {
    let digits = count.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// Bytes in the unit in which they are a number below a thousand.
pub(crate) fn scaled_bytes(bytes: f64) -> (f64, &'static str) {
    const UNITS: [(f64, &str); 5] = [(1e15, "PB"), (1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "KB")];
    let found = UNITS.iter().find(|(unit, _)| bytes >= *unit);
    found.map_or((bytes, "B"), |(unit, name)| (bytes / unit, name))
}

/// The same as text, with so many digits.
pub(crate) fn size(bytes: f64, digits: i32) -> String {
    let (value, unit) = scaled_bytes(bytes);
    if unit == "B" {
        return format!("{value:.0} B");
    }
    format!("{} {unit}", significant(value, digits))
}

/// A share of a count in percent for a sentence: whole where that says enough, and neither 0 nor 100 where it is not.
pub(crate) fn whole_percent(part: f64, whole: f64) -> String {
    let percent = part / whole * 100.0;
    if part == 0.0 || part == whole || (9.95..99.0).contains(&percent) {
        return format!("{percent:.0} %");
    }
    if percent < 9.95 {
        return format!("{} %", significant(percent, 2));
    }
    // As many nines as it takes to differ from all.
    let decimals = (-(100.0 - percent).log10() - 1e-9).ceil().clamp(1.0, 9.0) as usize;
    format!("{percent:.decimals$} %")
}

fn rounded(value: f64, digits: i32) -> f64 {
    let step = 10f64.powi(value.abs().log10().floor() as i32 + 1 - digits);
    (value / step).round() * step
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_digits_keep_three_digits_and_all_before_the_point() {
        let shown: Vec<_> =
            [0.0, 0.012_34, 0.5, 9.999, 12.34, 99.96, 999.6, 12_345.6, -2.345].map(three_digits).into();
        assert_eq!(shown, ["0", "0.0123", "0.500", "10.0", "12.3", "100", "1000", "12346", "-2.35"]);
    }

    #[test]
    fn supported_digits_follow_the_interval() {
        assert_eq!(within_interval(4.137, 3.9, 4.3), "4.1");
        assert_eq!(within_interval(4.137, 4.13, 4.14), "4.14");
        assert_eq!(within_interval(4137.0, 4100.0, 4300.0), "4100");
        assert_eq!(within_interval(4137.0, 4130.0, 4150.0), "4140");
        assert_eq!(within_interval(41.0, 20.0, 90.0), "40");
        assert_eq!(factor(4.562, 4.55, 4.57), "4.6");
        assert_eq!(factor(123.4, 123.0, 124.0), "120");
    }

    #[test]
    fn intervals_that_are_not_small_show_both_ends() {
        let wide = Quantity::between(1.0, -0.5, 2.0, "µs");
        assert_eq!(half_width(&wide).as_deref(), Some("[-0.500, 2.00]"));
        assert_eq!(half_width(&Quantity::between(100.0, 99.0, 101.0, "µs")).as_deref(), Some("±1.0%"));
        assert_eq!(half_width(&Quantity::exact(1.0, "µs")), None);
    }

    #[test]
    fn counts_and_sizes_are_readable() {
        let shown: Vec<_> = [0, 999, 1_000, 1_234_567].map(thousands).into();
        assert_eq!(shown, ["0", "999", "1,000", "1,234,567"]);
        let shown: Vec<_> = [0.0, 812.0, 3_072.0, 31_400.0, 2e9].map(|bytes| size(bytes, 2)).into();
        assert_eq!(shown, ["0 B", "812 B", "3.1 KB", "31 KB", "2.0 GB"]);
    }

    #[test]
    fn a_share_in_a_sentence_is_neither_none_nor_all_where_it_is_not() {
        let of = |part: f64| whole_percent(part, 100_000.0);
        let shown: Vec<_> = [0.0, 3.0, 9_100.0, 81_300.0, 99_600.0, 99_999.0, 100_000.0].map(of).into();
        assert_eq!(shown, ["0 %", "0.0030 %", "9.1 %", "81 %", "99.6 %", "99.999 %", "100 %"]);
    }

    #[test]
    fn bytes_have_the_unit_that_makes_them_whole() {
        let shown: Vec<_> = [0, 64, 1000, 1024, 16384, 1350, 1_000_000].map(bytes).into();
        assert_eq!(shown, ["0 B", "64 B", "1 KB", "1 KiB", "16 KiB", "1350 B", "1 MB"]);
    }
}
