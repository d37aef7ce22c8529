//! [`Printable`]: text that a terminal takes as text. Everything that is shown becomes one, whoever wrote it.

use std::fmt::{Display, Formatter, Result};
use std::ops::Deref;

/// Text in which every control character is spelt, as `\u001b`, but line feeds. Colours are added to it afterwards, by
/// this crate alone, so that no document, worker or file name can move the cursor, recolour or reorder what is shown.
///
/// The spelling is that of JSON, so that JSON stays the same document.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Printable(String);

/// What stresses a line, where there are colours: the parameter of SGR (ECMA-48).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Emphasis {
    None = 0,
    Bold = 1,
    Faint = 2,
    Red = 31,
    Green = 32,
    Yellow = 33,
}

impl Printable {
    pub fn block(text: &str) -> Self {
        Self(spelt(text, |letter| letter == '\n'))
    }

    /// Text of one line: line feeds are spelt, too.
    pub fn line(text: &str) -> Self {
        Self(spelt(text, |_| false))
    }

    /// The same where only ASCII can be shown.
    pub fn in_ascii(self) -> Self {
        let letter = |letter| in_ascii(letter).map_or_else(|| String::from(letter), str::to_owned);
        Self(self.0.chars().map(letter).collect())
    }

    /// Adds a line, stressed where `colour` says so.
    pub(crate) fn push_line(&mut self, line: &Self, emphasis: Emphasis, colour: bool) {
        self.0 += &match emphasis as u8 {
            code if code > 0 && colour && !line.is_empty() => format!("\x1b[{code}m{line}\x1b[0m\n"),
            _ => format!("{line}\n"),
        };
    }
}

impl Deref for Printable {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl<T: AsRef<str>> From<T> for Printable {
    fn from(text: T) -> Self {
        Self::block(text.as_ref())
    }
}

impl Display for Printable {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.write_str(&self.0)
    }
}

fn spelt(text: &str, stays: impl Fn(char) -> bool) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            letter if stays(letter) => out.push(letter),
            '\t' => out.push(' '),
            letter if acts(letter) => out += &format!("\\u{:04x}", u32::from(letter)),
            letter => out.push(letter),
        }
    }
    out
}

/// Whether a terminal does something with this character instead of showing it: C0, DEL and C1, what ends a line, and
/// what reorders text (Unicode's property Bidi_Control). All of them are of the Basic Multilingual Plane: four digits.
fn acts(letter: char) -> bool {
    letter.is_control()
        || matches!(letter, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// A character as ASCII can say it; none for one that is ASCII.
fn in_ascii(letter: char) -> Option<&'static str> {
    Some(match letter {
        letter if letter.is_ascii() => return None,
        'µ' => "u",
        '±' => "+/-",
        '×' => "x",
        '·' => "-",
        '…' => "...",
        '—' | '─' => "-",
        '→' => "->",
        _ => "?",
    })
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn d14_control_characters_are_spelt_and_other_text_stays() {
        let spelt = |text: &str| Printable::block(text).to_string();
        assert_eq!(spelt("a\x1b[2Jb\0\u{7f}\u{9b}31m"), "a\\u001b[2Jb\\u0000\\u007f\\u009b31m");
        assert_eq!(spelt("\u{202e}x\u{2066}\u{2028}\r"), "\\u202ex\\u2066\\u2028\\u000d");
        assert_eq!(spelt("two\nlines\tµ"), "two\nlines µ");
        assert_eq!(&*Printable::line("two\nlines"), "two\\u000alines");
    }

    #[test]
    fn d14_json_with_control_characters_stays_the_same_document() {
        let text = "\x1b\u{7f}\u{9b}\u{202e}\u{2028}\n\\";
        let json = serde_json::to_string_pretty(&[text]).expect("an array of texts");
        let shown = Printable::block(&json);
        assert!(!shown.chars().any(|letter| letter != '\n' && acts(letter)), "{shown}");
        assert_eq!(serde_json::from_str::<[String; 1]>(&shown).expect("still JSON"), [text]);
    }

    proptest! {
        #[test]
        fn d14_nothing_in_any_text_acts_but_line_feeds(text in vec(any::<char>(), 0..50)) {
            let text: String = text.into_iter().collect();
            let of_block = Printable::block(&text);
            prop_assert!(!of_block.chars().any(|letter| letter != '\n' && acts(letter)), "{of_block:?}");
            prop_assert!(!Printable::line(&text).chars().any(acts));
            prop_assert_eq!(Printable::block(&of_block), of_block);
        }
    }

    #[test]
    fn letters_beyond_ascii_are_said_in_ascii() {
        assert_eq!(Printable::line("±1 µs → é").in_ascii().to_string(), "+/-1 us -> ?");
    }
}
