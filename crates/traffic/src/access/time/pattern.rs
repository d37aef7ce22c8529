//! What strftime(3) was told to write, read back.

use super::Parts;
use super::calendar::{LAST, days_to, digits, month, offset, seconds};

/// A conversion of strftime(3), or a byte that stands for itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Item {
    Byte(u8),
    Year,
    /// Without its century.
    ShortYear,
    Month,
    MonthName,
    Day,
    /// With a space in place of a leading zero.
    PaddedDay,
    Hour,
    Minute,
    Second,
    Epoch,
    Zone,
    /// The name of a day, or of a zone: letters that are passed over.
    Letters,
}

/// The conversions of a pattern; none if it has one that we do not know.
pub fn items(pattern: &str) -> Option<Box<[Item]>> {
    let mut items = Vec::new();
    let mut bytes = pattern.bytes();
    while let Some(byte) = bytes.next() {
        if byte != b'%' {
            items.push(Item::Byte(byte));
            continue;
        }
        match bytes.next()? {
            b'Y' => items.push(Item::Year),
            b'y' => items.push(Item::ShortYear),
            b'm' => items.push(Item::Month),
            b'b' | b'h' => items.push(Item::MonthName),
            b'd' => items.push(Item::Day),
            b'e' => items.push(Item::PaddedDay),
            b'H' => items.push(Item::Hour),
            b'M' => items.push(Item::Minute),
            b'S' => items.push(Item::Second),
            b's' => items.push(Item::Epoch),
            b'z' => items.push(Item::Zone),
            b'Z' | b'a' | b'A' => items.push(Item::Letters),
            b'%' => items.push(Item::Byte(b'%')),
            b'n' => return None,
            b't' => items.push(Item::Byte(b'\t')),
            b'T' => items.extend(items_of("%H:%M:%S")),
            b'R' => items.extend(items_of("%H:%M")),
            b'F' => items.extend(items_of("%Y-%m-%d")),
            b'D' => items.extend(items_of("%m/%d/%y")),
            b'c' => items.extend(items_of("%a %b %e %T %Y")),
            _ => return None,
        }
    }
    Some(items.into())
}

fn items_of(pattern: &str) -> Vec<Item> {
    items(pattern).expect("these conversions are known").into_vec()
}

pub fn parts(items: &[Item]) -> Parts {
    let has = |item| items.contains(&item);
    let has_day = has(Item::Day) || has(Item::PaddedDay);
    let has_month = has(Item::Month) || has(Item::MonthName);
    let has_year = has(Item::Year) || has(Item::ShortYear);
    let found = [
        (has(Item::Epoch), Parts::ALL),
        (has_day && has_month && has_year, Parts::DATE),
        (has(Item::Hour) && has(Item::Minute), Parts::CLOCK),
        (has(Item::Zone), Parts::ZONE),
    ];
    found.into_iter().filter(|(is_there, _)| *is_there).fold(Parts::NONE, |sum, (_, part)| sum.and(part))
}

/// Reads what a text begins with: seconds, and its length.
pub fn read(items: &[Item], text: &[u8]) -> Option<(i64, usize)> {
    let parts = parts(items);
    let [mut year, mut month_of_year, mut day] = [None; 3];
    let [mut hour, mut minute, mut second, mut zone] = [0; 4];
    let mut epoch = None;
    let mut at = 0;
    for item in items {
        let rest = &text[at..];
        let (value, length) = one(*item, rest)?;
        match item {
            Item::Year => year = Some(value),
            Item::ShortYear => year = Some(2_000 + value),
            Item::Month | Item::MonthName => month_of_year = Some(value),
            Item::Day | Item::PaddedDay => day = Some(value),
            Item::Hour => hour = value,
            Item::Minute => minute = value,
            Item::Second => second = value,
            Item::Zone => zone = value,
            Item::Epoch => epoch = Some(value),
            Item::Byte(_) | Item::Letters => {}
        }
        at += length;
    }
    if let Some(epoch) = epoch {
        return Some((epoch, at));
    }
    let date = if parts.has(Parts::DATE) { days_to(year?, month_of_year?, day?)? * 86_400 } else { 0 };
    let clock = if parts.has(Parts::CLOCK) { seconds(hour, minute, second)? } else { 0 };
    Some((date + clock - zone, at))
}

/// What one item says, and its length.
fn one(item: Item, text: &[u8]) -> Option<(i64, usize)> {
    match item {
        Item::Byte(byte) => (text.first() == Some(&byte)).then_some((0, 1)),
        Item::Year => number(text, 4),
        Item::PaddedDay if text.first() == Some(&b' ') => {
            number(&text[1..], 1).map(|(value, length)| (value, length + 1))
        }
        Item::ShortYear | Item::Month | Item::Day | Item::PaddedDay => number(text, 2),
        Item::Hour | Item::Minute | Item::Second => number(text, 2),
        Item::MonthName => Some((month(text.get(..3)?)?, 3)),
        Item::Epoch => {
            let (value, length) = digits(text).filter(|(value, _)| *value <= LAST)?;
            Some((i64::try_from(value).ok()?, length))
        }
        Item::Zone => offset(text),
        Item::Letters => Some((0, text.iter().take_while(|byte| byte.is_ascii_alphabetic()).count())),
    }
}

/// A number of so many digits.
fn number(text: &[u8], length: usize) -> Option<(i64, usize)> {
    let (value, length) = digits(text.get(..length)?).filter(|(_, found)| *found == length)?;
    Some((i64::try_from(value).ok()?, length))
}
