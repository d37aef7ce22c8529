//! [`Format`] and the list of all.

use super::style::Style;
use super::{csv, html, json, markdown, text};
use crate::cut::cut;
use crate::model::View;
use crate::printable::Printable;

#[derive(Debug, Clone, Copy)]
pub struct Format {
    pub name: &'static str,
    /// The end of a file's name, without the dot.
    pub extension: &'static str,
    pub about: &'static str,
    render: fn(&View, &Style) -> Printable,
}

impl Format {
    /// Draws a view, whose texts are cut where they are too long.
    pub fn draw(&self, view: &View, style: &Style) -> Printable {
        (self.render)(&cut(view), style)
    }
}

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

pub fn format(name: &str) -> Option<&'static Format> {
    FORMATS.iter().find(|format| format.name == name)
}
