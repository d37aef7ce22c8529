//! [`Value`] and [`Record`]: what an entry says of each field.

use std::borrow::Cow;

use tlstax_doc::Bad;

use super::field::Field;

/// What an entry says of a field.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum Value<'l> {
    /// Nothing: the field is not there.
    #[default]
    Absent,
    /// That there is none.
    Null,
    Text(Cow<'l, [u8]>),
    Whole(u64),
    Real(f64),
    Bool(bool),
    /// Something that no field of ours is: a list, an object.
    Other,
}

impl<'l> Value<'l> {
    pub const fn text(text: &'l [u8]) -> Self {
        Self::Text(Cow::Borrowed(text))
    }

    /// Whether it says something: an empty text and a dash do not.
    pub fn says(&self) -> bool {
        match self {
            Self::Absent | Self::Null => false,
            Self::Text(text) => !matches!(&**text, b"" | b"-"),
            Self::Whole(_) | Self::Real(_) | Self::Bool(_) | Self::Other => true,
        }
    }

    /// A whole number; none where it says nothing, or less than that: HAProxy has it where something did not happen.
    ///
    /// # Errors
    /// It is something else.
    pub fn number(&self) -> Result<Option<u64>, Bad> {
        match self {
            Self::Whole(number) => Ok(Some(*number)),
            Self::Real(number) if *number < 0.0 => Ok(None),
            Self::Real(number) => whole(*number).map(Some),
            Self::Text(text) if self.says() => match text.strip_prefix(b"-") {
                Some(number) => digits(number).map(|_| None),
                // HAProxy puts a plus before what had not yet come to its end.
                None => digits(text.strip_prefix(b"+").unwrap_or(text)).map(Some),
            },
            Self::Text(_) | Self::Absent | Self::Null => Ok(None),
            Self::Bool(_) | Self::Other => Err(Bad::Number),
        }
    }

    /// The bytes that tell it from other values; nothing else is meant by them.
    pub fn word<'v>(&'v self, place: &'v mut [u8; 9]) -> &'v [u8] {
        // No text in UTF-8 has these bytes.
        let (mark, number) = match self {
            Self::Text(text) => return text,
            Self::Absent => return b"\xff",
            Self::Null => return b"\xfe",
            Self::Other => return b"\xf9",
            Self::Bool(false) => return b"\xfc",
            Self::Bool(true) => return b"\xfd",
            Self::Whole(number) => (0xfb, *number),
            Self::Real(number) => (0xfa, number.to_bits()),
        };
        place[0] = mark;
        place[1..].copy_from_slice(&number.to_le_bytes());
        place
    }
}

/// The largest whole number below which every whole number is one of 64 bits' floating point.
const EXACT: f64 = 9_007_199_254_740_992.0;

fn whole(number: f64) -> Result<u64, Bad> {
    if (0.0..=EXACT).contains(&number) && number.fract() == 0.0 {
        // It was just looked at.
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        return Ok(number as u64);
    }
    Err(Bad::Number)
}

/// The number of these digits.
///
/// # Errors
/// They are none, or too many.
pub fn digits(text: &[u8]) -> Result<u64, Bad> {
    if text.is_empty() {
        return Err(Bad::Number);
    }
    text.iter().try_fold(0u64, |number, digit| {
        let digit = digit.checked_sub(b'0').filter(|digit| *digit < 10).ok_or(Bad::Number)?;
        number.checked_mul(10).and_then(|number| number.checked_add(u64::from(digit))).ok_or(Bad::Number)
    })
}

/// What an entry says of each field.
#[derive(Debug, Default, Clone, PartialEq)]
pub struct Record<'l> {
    values: [Value<'l>; Field::ALL.len()],
}

impl<'l> Record<'l> {
    pub const fn get(&self, field: Field) -> &Value<'l> {
        &self.values[field as usize]
    }

    pub fn set(&mut self, field: Field, value: Value<'l>) {
        self.values[field as usize] = value;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_one_whatever_its_form() {
        for value in [Value::Whole(1_200), Value::Real(1.2e3), Value::text(b"1200"), Value::text(b"+1200")] {
            assert_eq!(value.number(), Ok(Some(1_200)));
        }
        let negative = [Value::Real(-1.0), Value::text(b"-1")];
        for value in
            [Value::Absent, Value::Null, Value::text(b""), Value::text(b"-")].into_iter().chain(negative)
        {
            assert_eq!(value.number(), Ok(None));
        }
        let none = [b"--1".as_slice(), b"1.5", b"18446744073709551616", b"x"].map(Value::text);
        for value in none.into_iter().chain([Value::Real(1.5), Value::Bool(true)]) {
            assert_eq!(value.number(), Err(Bad::Number), "{value:?}");
        }
    }

    #[test]
    fn different_values_have_different_words() {
        let values = [Value::Absent, Value::Null, Value::Bool(true), Value::Whole(772), Value::text(b"772")];
        let words: std::collections::BTreeSet<Vec<u8>> =
            values.iter().map(|value| value.word(&mut [0; 9]).to_vec()).collect();
        assert_eq!(words.len(), values.len());
    }
}
