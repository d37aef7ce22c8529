//! [`Values`]: what the fields of one line say.

use tlstax_doc::Bad;

use super::field::{Field, Number, Word};
use super::time::Clock;

/// What the fields of one line say. What its layout does not have is empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Values<'l> {
    /// By the numbers of [`Word`].
    pub words: [&'l [u8]; Word::COUNT],
    /// By the numbers of [`Number`].
    pub numbers: [Option<u64>; Number::COUNT],
    /// The sum of the parts of a time.
    pub at: i64,
    /// Whether there was a request, where the layout has one.
    pub has_request: bool,
}

impl Default for Values<'_> {
    fn default() -> Self {
        Self { words: [b""; Word::COUNT], numbers: [None; Number::COUNT], at: 0, has_request: true }
    }
}

impl<'l> Values<'l> {
    pub const fn number(&self, number: Number) -> Option<u64> {
        self.numbers[number as usize]
    }

    pub const fn word(&self, word: Word) -> &'l [u8] {
        self.words[word as usize]
    }

    /// Takes the whole text of a field.
    pub fn set(&mut self, field: &Field, text: &'l [u8], clock: &mut Clock) -> Result<(), Bad> {
        match field {
            Field::Text | Field::Captures => {}
            Field::Token => is_one_word(text)?,
            Field::Request => self.set_request(text),
            Field::Word(word) => {
                is_one_word(text)?;
                self.words[*word as usize] = text;
            }
            Field::Number(number) => {
                let (value, length) = leading_number(text)?;
                if length != text.len() {
                    return Err(Bad::Number);
                }
                self.set_number(*number, value);
            }
            Field::Time(form, counts) => {
                let (at, length) = clock.read(form, text).ok_or(Bad::Time)?;
                if length != text.len() {
                    return Err(Bad::Time);
                }
                if *counts {
                    self.at += at;
                }
            }
        }
        Ok(())
    }

    #[inline]
    pub fn set_number(&mut self, number: Number, value: Option<u64>) {
        self.numbers[number as usize] = value;
    }

    /// Takes the version of a request. What is no request, such as the bytes of a client that speaks another protocol, has none.
    #[inline]
    pub fn set_request(&mut self, text: &'l [u8]) {
        const VERSION: usize = "HTTP/1.1".len();
        let at = text.len().wrapping_sub(VERSION);
        if text.len() > VERSION && text[at - 1] == b' ' && text[at..].starts_with(b"HTTP/") {
            // How connections of HTTP/2 begin; lighttpd has a line of it.
            self.has_request = text[0] != b'P' || text != b"PRI * HTTP/2.0";
            self.words[Word::Http as usize] = &text[at..];
        } else {
            self.set_odd_request(text);
        }
    }

    #[cold]
    fn set_odd_request(&mut self, text: &'l [u8]) {
        // HAProxy has `<BADREQ>` where there was none, lighttpd spaces, AWS dashes.
        self.has_request = !matches!(text, b"-" | b"<BADREQ>")
            && !text.starts_with(b"- ")
            && !text.iter().all(|byte| *byte == b' ');
        let last = text.rsplit(|byte| *byte == b' ').next().unwrap_or_default();
        if last.len() < text.len() && last.starts_with(b"HTTP/") {
            self.words[Word::Http as usize] = last;
        }
    }
}

/// A field that has no spaces has none, and no quotes.
pub fn is_one_word(text: &[u8]) -> Result<(), Bad> {
    if text.iter().any(|byte| matches!(byte, b' ' | b'"')) { Err(Bad::OtherFormat) } else { Ok(()) }
}

/// The number that a text begins with, and its length. A dash or nothing is none, and so is what is negative, which HAProxy has
/// where something did not happen. A plus stands before what had not yet come to its end.
#[inline]
pub fn leading_number(text: &[u8]) -> Result<(Option<u64>, usize), Bad> {
    let mut value = 0u64;
    let mut length = 0;
    // Eighteen digits fit whatever they are.
    while length < 18
        && let Some(byte) = text.get(length)
        && byte.is_ascii_digit()
    {
        value = value * 10 + u64::from(byte - b'0');
        length += 1;
    }
    if length == 0 || length == 18 { odd_number(text) } else { Ok((Some(value), length)) }
}

#[cold]
fn odd_number(text: &[u8]) -> Result<(Option<u64>, usize), Bad> {
    let (sign, digits) = match text {
        [sign @ (b'-' | b'+'), digits @ ..] => (Some(*sign), digits),
        digits => (None, digits),
    };
    let length = digits.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let value = || std::str::from_utf8(&digits[..length]).ok()?.parse().ok();
    match (sign, length) {
        (None, 0) => Ok((None, 0)),
        (Some(b'-'), _) => Ok((None, length + 1)),
        (Some(_), 0) => Err(Bad::Number),
        (Some(_), _) => Ok((Some(value().ok_or(Bad::Number)?), length + 1)),
        (None, _) => Ok((Some(value().ok_or(Bad::Number)?), length)),
    }
}
