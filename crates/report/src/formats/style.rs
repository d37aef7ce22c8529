//! [`Style`]: what a screen can show.

use crate::printable::Printable;

/// What the reader's screen can show. Only the text format depends on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Style {
    /// Columns of the screen: longer lines are broken between words, of wider tables what matters least is left out.
    /// `usize::MAX` where nothing is to be broken.
    pub width: usize,
    pub unicode: bool,
    pub colour: bool,
}

impl Default for Style {
    fn default() -> Self {
        Self { width: 100, unicode: true, colour: false }
    }
}

impl Style {
    /// The text as it is shown: without control characters, and in ASCII where the screen has no more.
    pub(crate) fn shown(&self, text: &str) -> Printable {
        let line = Printable::line(text);
        if self.unicode { line } else { line.in_ascii() }
    }
}
