//! [`Style`]: what a screen can show.

/// What the reader's screen can show. Only the text format depends on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Style {
    /// Columns of the screen: longer lines are broken between words, wider tables cut into several. `usize::MAX` where
    /// nothing is to be broken.
    pub width: usize,
    pub unicode: bool,
    pub colour: bool,
}

impl Default for Style {
    fn default() -> Self {
        Self { width: 100, unicode: true, colour: false }
    }
}
