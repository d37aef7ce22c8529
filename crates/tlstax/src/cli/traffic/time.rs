//! Times as flags say them.

use jiff::{SignedDuration, Timestamp, civil, tz::TimeZone};

/// A time: a moment, or so long ago.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Time {
    /// Seconds since 1970.
    At(u64),
    /// Seconds before now.
    Ago(u64),
}

impl Time {
    /// Seconds since 1970, where now is that.
    pub fn seconds(self, now: u64) -> u64 {
        match self {
            Self::At(at) => at,
            Self::Ago(ago) => now.saturating_sub(ago),
        }
    }
}

/// Reads `2026-11-22T08:00:00+01:00`, `2026-11-22T08:00` or `2026-11-22` in UTC, `1795334400`, or `2h` and `3d` for so long ago.
pub fn read(text: &str) -> Result<Time, String> {
    let wrong = || {
        format!(
            "'{text}' is no time: write 2026-11-22T08:00:00Z, 2026-11-22 (UTC), or 90m, 2h or 3d for so long ago"
        )
    };
    let moment = moment(text).map(|moment| moment.as_second());
    let seconds = moment.or_else(|| text.parse().ok());
    if let Some(seconds) = seconds {
        return u64::try_from(seconds).map(Time::At).map_err(|_| format!("{text} is before 1970"));
    }
    let ago = text.strip_suffix(" ago").unwrap_or(text);
    ago_of(ago).map(Time::Ago).ok_or_else(wrong)
}

fn moment(text: &str) -> Option<Timestamp> {
    if let Ok(moment) = text.parse::<Timestamp>() {
        return Some(moment);
    }
    // Without a zone nobody could tell the same from it elsewhere, but for UTC.
    let local = text.parse::<civil::DateTime>().ok()?;
    TimeZone::UTC.to_timestamp(local).ok()
}

/// Days have 24 hours: it is said in UTC what a day is.
fn ago_of(text: &str) -> Option<u64> {
    let units = [("w", 7 * 86_400), ("d", 86_400)];
    for (unit, seconds) in units {
        if let Some(number) = text.strip_suffix(unit).and_then(|number| number.trim().parse::<u64>().ok()) {
            return number.checked_mul(seconds);
        }
    }
    let span: SignedDuration = text.parse().ok()?;
    u64::try_from(span.as_secs()).ok()
}

/// Reads `+01:00`, `-0330` or `2` as seconds east of UTC.
pub fn offset(text: &str) -> Result<i64, String> {
    let wrong = || format!("'{text}' is no offset from UTC: write +01:00 or -03:30");
    let (sign, digits) = match text.split_at_checked(1) {
        Some(("+", digits)) => (1, digits),
        Some(("-", digits)) => (-1, digits),
        _ => (1, text),
    };
    let (hours, minutes) = match digits.split_once(':') {
        Some(parts) => parts,
        None if digits.len() == 4 && digits.is_ascii() => digits.split_at(2),
        None => (digits, "0"),
    };
    let number = |text: &str, most: i64| {
        let is_digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        text.parse::<i64>().ok().filter(|number| is_digits && *number <= most).ok_or_else(wrong)
    };
    Ok(sign * (number(hours, 14)? * 3_600 + number(minutes, 59)? * 60))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_a_moment_or_so_long_ago() {
        for (text, time) in [
            ("2026-11-22T08:00:00Z", Time::At(1_795_334_400)),
            ("2026-11-22T09:00:00+01:00", Time::At(1_795_334_400)),
            ("2026-11-22", Time::At(1_795_305_600)),
            ("2026-11-22T08:00", Time::At(1_795_334_400)),
            ("2026-11-22 08:00:00", Time::At(1_795_334_400)),
            ("1795334400", Time::At(1_795_334_400)),
            ("2h", Time::Ago(7_200)),
            ("3d", Time::Ago(259_200)),
            ("90m ago", Time::Ago(5_400)),
        ] {
            assert_eq!(read(text), Ok(time), "{text}");
        }
        for text in ["", "yesterday", "2026-13-01", "1969-01-01", "-2h"] {
            assert!(read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn an_offset_is_east_of_utc() {
        let known = [("+01:00", 3_600), ("-0330", -12_600), ("2", 7_200), ("+14", 50_400), ("00:00", 0)];
        known.iter().for_each(|(text, seconds)| assert_eq!(offset(text), Ok(*seconds), "{text}"));
        ["", "+", "15", "+01:60", "x", "+-1", "1:2:3"]
            .iter()
            .for_each(|text| assert!(offset(text).is_err(), "{text}"));
    }
}
