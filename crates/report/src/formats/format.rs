//! [`Format`] and the list of all.

use super::style::Style;
use super::{action, bmf, csv, html, json, markdown, measured, openmetrics, text};
use crate::cut::cut;
use crate::model::View;
use crate::printable::Printable;

#[derive(Debug, Clone, Copy)]
pub struct Format {
    pub name: &'static str,
    /// The end of a file's name, without the dot.
    pub extension: &'static str,
    pub about: &'static str,
    render: Render,
}

type Render = fn(&View, &Style) -> Printable;

impl Format {
    const fn new(name: &'static str, extension: &'static str, about: &'static str, render: Render) -> Self {
        Self { name, extension, about, render }
    }

    /// Draws a view, whose texts are cut where they are too long.
    pub fn draw(&self, view: &View, style: &Style) -> Printable {
        (self.render)(&cut(view), style)
    }

    /// Why it cannot hold a view; none if it can. Each of [`FORMATS`] can hold any.
    pub fn refusal(&self, view: &View) -> Option<&'static str> {
        let is_export = EXPORTS.iter().any(|export| export.name == self.name);
        is_export.then(|| measured::refusal(view)).flatten()
    }
}

pub const FORMATS: &[Format] = &[
    Format::new("text", "txt", "tables for a terminal", text::render),
    Format::new("markdown", "md", "tables in Markdown", markdown::render),
    Format::new("csv", "csv", "one row per case and metric, for data frames", csv::render),
    Format::new("json", "json", "everything that is shown, as data", json::render),
    Format::new("html", "html", "one self-contained page with tables and charts", html::render),
];

/// What the tools of others read: the costs of one run, and nothing else of it.
pub const EXPORTS: &[Format] = &[
    Format::new("bmf", "bmf.json", "costs for Bencher (Bencher Metric Format)", bmf::render),
    Format::new(
        "github-action-benchmark",
        "action.json",
        "costs for that action, as customSmallerIsBetter",
        action::render,
    ),
    Format::new("openmetrics", "prom", "costs and holes for Prometheus and its like", openmetrics::render),
];

/// The format of a name, or of the end of a file's name: `markdown` and `md` are one.
pub fn format(name: &str) -> Option<&'static Format> {
    FORMATS.iter().chain(EXPORTS).find(|format| format.name == name || format.extension == name)
}
