//! [`Times`]: reading of times, in the forms that logs have.

use jiff::civil::DateTime;
use jiff::fmt::strtime;
use jiff::{Timestamp, tz::Offset};
use tlstax_doc::Bad;

use super::value::{Value, digits};

/// A text of a time that is longer is none.
const LONGEST: usize = 40;

/// Reads times; many lines have the same one, so the last is kept.
#[derive(Default)]
pub struct Times {
    text: Vec<u8>,
    at: u64,
}

impl Times {
    /// Seconds since 1970; none where the entry does not tell.
    ///
    /// # Errors
    /// It is no time.
    pub fn read(&mut self, value: &Value<'_>) -> Result<Option<u64>, Bad> {
        match value {
            Value::Whole(number) => Ok(Some(seconds(*number))),
            Value::Real(number) if (0.0..1e19).contains(number) => {
                // Fractions of a second are cut off.
                #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
                Ok(Some(seconds(*number as u64)))
            }
            Value::Text(text) if value.says() => self.read_text(text).map(Some),
            Value::Absent | Value::Null | Value::Text(_) => Ok(None),
            Value::Real(_) | Value::Bool(_) | Value::Other => Err(Bad::Time),
        }
    }

    fn read_text(&mut self, text: &[u8]) -> Result<u64, Bad> {
        if *self.text == *text {
            return Ok(self.at);
        }
        let at = of_text(text)?;
        self.text.clear();
        self.text.extend_from_slice(text);
        self.at = at;
        Ok(at)
    }
}

/// Seconds of a number of seconds, or of thousandths, millionths or billionths of them: times before the year 5138 do not reach
/// into the next unit.
const fn seconds(number: u64) -> u64 {
    match number {
        0..100_000_000_000 => number,
        100_000_000_000..100_000_000_000_000 => number / 1_000,
        100_000_000_000_000..100_000_000_000_000_000 => number / 1_000_000,
        _ => number / 1_000_000_000,
    }
}

fn of_text(text: &[u8]) -> Result<u64, Bad> {
    if text.len() > LONGEST {
        return Err(Bad::Time);
    }
    let whole = text.split(|byte| *byte == b'.').next().unwrap_or(text);
    let fraction = &text[whole.len()..];
    if fraction.iter().skip(1).all(u8::is_ascii_digit)
        && let Ok(number) = digits(whole)
    {
        return Ok(seconds(number));
    }
    let text = std::str::from_utf8(text).map_err(|_| Bad::Time)?;
    let text = text.trim_start_matches('[').trim_end_matches(']');
    let at = of_iso(text).or_else(|| of_clf(text)).ok_or(Bad::Time)?;
    u64::try_from(at).map_err(|_| Bad::Time)
}

/// `2026-11-22T21:00:00.123+00:00`; without an offset it is in UTC.
fn of_iso(text: &str) -> Option<i64> {
    if let Ok(at) = text.parse::<Timestamp>() {
        return Some(at.as_second());
    }
    in_utc(text.parse::<DateTime>().ok()?)
}

/// `22/Nov/2026:21:00:00 +0000`, also with a fraction; without an offset it is in UTC.
fn of_clf(text: &str) -> Option<i64> {
    let parsed = |form| strtime::parse(form, text).ok();
    if let Some(parsed) = parsed("%d/%b/%Y:%H:%M:%S%.f %z") {
        return parsed.to_timestamp().ok().map(Timestamp::as_second);
    }
    in_utc(parsed("%d/%b/%Y:%H:%M:%S%.f")?.to_datetime().ok()?)
}

fn in_utc(time: DateTime) -> Option<i64> {
    Offset::UTC.to_timestamp(time).ok().map(Timestamp::as_second)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_second_in_every_form() {
        let mut times = Times::default();
        let second = 1_795_381_200;
        for text in [
            "1795381200",
            "1795381200.999",
            "1795381200999",
            "1795381200999999",
            "1795381200999999999",
            "2026-11-22T21:00:00Z",
            "2026-11-22T21:00:00.310Z",
            "2026-11-22T22:30:00+01:30",
            "2026-11-22T22:30:00.5+0130",
            "2026-11-22 21:00:00",
            "2026-11-22 21:00:00+00",
            "22/Nov/2026:22:00:00 +0100",
            "[22/Nov/2026:21:00:00 +0000]",
            "22/Nov/2026:21:00:00.999",
        ] {
            assert_eq!(times.read(&Value::text(text.as_bytes())), Ok(Some(second)), "{text}");
        }
        assert_eq!(times.read(&Value::Real(1_795_381_200.75)), Ok(Some(second)));
        assert_eq!(times.read(&Value::Whole(1_795_381_200_000)), Ok(Some(second)));
    }

    #[test]
    fn what_is_no_time_is_said() {
        let mut times = Times::default();
        for text in ["yesterday", "2026-13-01T00:00:00Z", "1e9", ".", "1969-01-01T00:00:00Z", "12.x"] {
            assert_eq!(times.read(&Value::text(text.as_bytes())), Err(Bad::Time), "{text}");
        }
        assert_eq!(times.read(&Value::Real(-1.0)), Err(Bad::Time));
        assert_eq!(times.read(&Value::text(b"-")), Ok(None));
        assert_eq!(times.read(&Value::Absent), Ok(None));
    }
}
