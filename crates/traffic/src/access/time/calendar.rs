//! Dates and times of the day as seconds since 1970.

/// Days from 1970 to a date of the Gregorian calendar.
pub fn days_to(year: i64, month: i64, day: i64) -> Option<i64> {
    if !(1970..=9999).contains(&year)
        || !(1..=12).contains(&month)
        || !(1..=days_in(year, month)).contains(&day)
    {
        return None;
    }
    // Years are counted from March, so that the leap day is the last one of a year: months before are then of 30.6 days each,
    // rounded.
    let year = if month > 2 { year } else { year - 1 };
    let months = (month + 9) % 12;
    let before = year * 365 + year / 4 - year / 100 + year / 400;
    Some(before + (months * 306 + 5) / 10 + day - 1 - TO_1970)
}

/// The last second of the year 9999: what is later is no time.
pub const LAST: u64 = 253_402_300_799;

/// Days from the first of March of the year 0 to 1970.
const TO_1970: i64 = 719_468;

const fn days_in(year: i64, month: i64) -> i64 {
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if is_leap => 29,
        2 => 28,
        _ => 31,
    }
}

/// Seconds of a day. A leap second is the first one of the next minute.
pub fn seconds(hour: i64, minute: i64, second: i64) -> Option<i64> {
    (hour < 24 && minute < 60 && second <= 60).then_some(hour * 3_600 + minute * 60 + second)
}

/// `Nov`, in English: logs are written so whatever the language of the machine.
pub fn month(name: &[u8]) -> Option<i64> {
    const NAMES: &[u8; 36] = b"JanFebMarAprMayJunJulAugSepOctNovDec";
    let at = NAMES.chunks(3).position(|known| known == name)?;
    i64::try_from(at + 1).ok()
}

/// `+0130` or `+01:30`: seconds east of UTC, and its length.
pub fn offset(text: &[u8]) -> Option<(i64, usize)> {
    let sign = match text.first()? {
        b'+' => 1,
        b'-' => -1,
        _ => return None,
    };
    let (minutes, length) = if text.get(3) == Some(&b':') { (4, 6) } else { (3, 5) };
    let pair = |at: usize| {
        let pair = text.get(at..at + 2)?;
        pair.iter()
            .all(u8::is_ascii_digit)
            .then(|| i64::from(pair[0] - b'0') * 10 + i64::from(pair[1] - b'0'))
    };
    let (hours, minutes) = (pair(1)?, pair(minutes)?);
    // The widest zone in use is UTC+14.
    (hours < 16 && minutes < 60).then_some((sign * (hours * 3_600 + minutes * 60), length))
}

/// A number in digits, and its length.
pub fn digits(text: &[u8]) -> Option<(u64, usize)> {
    let length = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let number = std::str::from_utf8(&text[..length]).ok()?.parse().ok()?;
    Some((number, length))
}
