//! The formats that a [`View`] can be drawn in. A new one is a file here and an entry in [`FORMATS`].

mod csv;
mod footnotes;
mod html;
mod json;
mod markdown;
mod text;

use crate::cut::cut;
use crate::model::View;
use crate::printable::Printable;

/// A way to draw a view.
#[derive(Debug, Clone, Copy)]
pub struct Format {
    /// What the user calls it.
    pub name: &'static str,
    /// The end of a file's name, without the dot.
    pub extension: &'static str,
    /// One line for people.
    pub about: &'static str,
    render: fn(&View, &Style) -> Printable,
}

impl Format {
    /// Draws a view, whose texts are cut where they are too long.
    pub fn draw(&self, view: &View, style: &Style) -> Printable {
        (self.render)(&cut(view), style)
    }
}

/// What the reader's screen can do. Only the text format asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Style {
    /// Columns of the screen: longer lines are broken between words, wider tables cut into several. `usize::MAX` where
    /// nothing is to be broken.
    pub width: usize,
    /// Whether letters beyond ASCII can be shown.
    pub unicode: bool,
    /// Whether to colour.
    pub colour: bool,
}

impl Default for Style {
    fn default() -> Self {
        Self { width: 100, unicode: true, colour: false }
    }
}

/// Every format there is.
pub const FORMATS: &[Format] = &[
    Format { name: "text", extension: "txt", about: "tables for a terminal", render: text::render },
    Format { name: "markdown", extension: "md", about: "tables in Markdown", render: markdown::render },
    Format {
        name: "csv",
        extension: "csv",
        about: "one row per case and metric, for data frames",
        render: csv::render,
    },
    Format {
        name: "json",
        extension: "json",
        about: "everything that is shown, as data",
        render: json::render,
    },
    Format {
        name: "html",
        extension: "html",
        about: "one self-contained page with tables and charts",
        render: html::render,
    },
];

/// The format of this name.
pub fn format(name: &str) -> Option<&'static Format> {
    FORMATS.iter().find(|format| format.name == name)
}
