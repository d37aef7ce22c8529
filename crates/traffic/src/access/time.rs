//! [`TimeForm`]: how a log writes the time.

mod calendar;
mod clock;
mod parts;
mod pattern;

pub use clock::Clock;
pub use parts::Parts;
pub use pattern::{Item, items};

use calendar::{LAST, days_to, digits, month, offset, seconds};

/// How a log writes the time, or a part of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TimeForm {
    /// `22/Nov/2026:21:22:13 +0000`: nginx's and Apache's.
    Common,
    /// `22/Nov/2026:21:22:13.123`: HAProxy's, in the zone of the machine.
    CommonMillis,
    /// `2026-11-22T21:22:13+00:00`, with or without a fraction; a zone that is not told is UTC.
    Iso,
    /// Since 1970, so many to the second; what follows a point is below that.
    Epoch(u64),
    /// What strftime(3) was told.
    Pattern(Box<[Item]>),
}

impl TimeForm {
    pub fn parts(&self) -> Parts {
        match self {
            Self::Common | Self::Iso | Self::Epoch(_) => Parts::ALL,
            Self::CommonMillis => Parts::DATE.and(Parts::CLOCK),
            Self::Pattern(items) => pattern::parts(items),
        }
    }

    /// Reads what a text begins with: seconds, and the length of what was read. Those of parts add up to seconds since 1970.
    pub fn read(&self, text: &[u8]) -> Option<(i64, usize)> {
        match self {
            Self::Common => Some((common(text.get(..26)?)?, 26)),
            Self::CommonMillis => {
                let at = common_without_zone(text.get(..20)?)?;
                Some((at, 20 + fraction(&text[20..])))
            }
            Self::Iso => iso(text),
            Self::Epoch(per_second) => {
                let (count, length) = digits(text)?;
                let at = i64::try_from(count / per_second).ok().filter(|_| count / per_second <= LAST)?;
                Some((at, length + fraction(&text[length..])))
            }
            Self::Pattern(items) => pattern::read(items, text),
        }
    }
}

/// `22/Nov/2026:21:22:13 +0000`
fn common(text: &[u8]) -> Option<i64> {
    let at = common_without_zone(&text[..20])?;
    let (zone, length) = offset(&text[21..])?;
    (text[20] == b' ' && length == 5).then_some(at - zone)
}

/// `22/Nov/2026:21:22:13`
fn common_without_zone(text: &[u8]) -> Option<i64> {
    let text: &[u8; 20] = text.try_into().ok()?;
    if [text[2], text[6], text[11], text[14], text[17]] != *b"//:::" {
        return None;
    }
    let date = days_to(two(text, 7)? * 100 + two(text, 9)?, month(&text[3..6])?, two(text, 0)?)?;
    Some(date * 86_400 + seconds(two(text, 12)?, two(text, 15)?, two(text, 18)?)?)
}

/// `2026-11-22T21:22:13.123+00:00`
fn iso(text: &[u8]) -> Option<(i64, usize)> {
    let head: &[u8; 19] = text.get(..19)?.try_into().ok()?;
    let separators = [head[4], head[7], head[13], head[16]];
    if separators != *b"--::" || !matches!(head[10], b'T' | b' ') {
        return None;
    }
    let date = days_to(two(head, 0)? * 100 + two(head, 2)?, two(head, 5)?, two(head, 8)?)?;
    let clock = seconds(two(head, 11)?, two(head, 14)?, two(head, 17)?)?;
    let length = 19 + fraction(&text[19..]);
    let (zone, more) = match text.get(length) {
        Some(b'Z' | b'z') => (0, 1),
        Some(b'+' | b'-') => offset(&text[length..])?,
        _ => (0, 0),
    };
    Some((date * 86_400 + clock - zone, length + more))
}

/// The length of a fraction of a second: a point and digits.
fn fraction(text: &[u8]) -> usize {
    match text {
        [b'.' | b',', rest @ ..] if rest.first().is_some_and(u8::is_ascii_digit) => {
            1 + rest.iter().take_while(|byte| byte.is_ascii_digit()).count()
        }
        _ => 0,
    }
}

/// The number of two digits.
fn two(text: &[u8], at: usize) -> Option<i64> {
    let [tens, ones] = [text[at].wrapping_sub(b'0'), text[at + 1].wrapping_sub(b'0')];
    (tens < 10 && ones < 10).then(|| i64::from(tens) * 10 + i64::from(ones))
}

#[cfg(test)]
mod tests;
