//! The answer on one screen, which a terminal gets in place of every table.

use std::path::Path;

use clap::Args;
use tlstax_doc::Results;
use tlstax_names::openssl;
use tlstax_report::{Brief, Printable, Published, View};

use super::common::Printed;
use crate::output::{is_terminal, style};

/// How much is printed.
#[derive(Debug, Clone, Copy, Args)]
pub struct Extent {
    /// Print every table. Without it, a terminal gets the answer alone, in at most 40 lines: the machine, what was asked, the
    /// main figures, what is furthest from what is usual, and what is missing. A pipe or a file gets every table anyway.
    #[arg(long, help_heading = "Results")]
    full: bool,
}

impl Extent {
    /// Whether the answer alone is printed, of what is printed as text or as something else.
    pub fn is_brief(self, as_text: bool) -> bool {
        !self.full && as_text && is_terminal()
    }

    /// How much is printed of what is measured.
    pub fn printed(self, as_text: bool) -> Printed {
        if self.is_brief(as_text) { Printed::Answer } else { Printed::Everything }
    }
}

/// The published figures, with the names of their files. In the program, so that a report needs no source tree.
const PUBLISHED: [(&str, &str); 2] = [
    ("reference/primitives.csv", include_str!("../../../../reference/primitives.csv")),
    ("reference/transfers.csv", include_str!("../../../../reference/transfers.csv")),
];

pub fn published() -> Published {
    let mut published = Published::default();
    PUBLISHED.iter().for_each(|(file, text)| published.read(file, text, &openssl::suite_of));
    published
}

/// The answer that a run gives, as wide as the screen; `rest` says where everything else is.
pub fn of(results: &Results, view: &View, rest: Vec<String>) -> Printable {
    Brief::of(results, view, &published(), rest).draw(&style())
}

/// Where what the answer leaves out is: the files of the run, and what prints everything, with the file of the results behind it.
pub fn places(json: &Path, html: Option<&Path>, again: &str) -> Vec<String> {
    let page = html.map(|html| format!("Every table and chart: {}", html.display()));
    let (samples, json) = (format!("Every sample: {}", json.display()), json.display());
    let tables = format!("Every table here: {again} {json} --full");
    [page, Some(samples), Some(tables)].into_iter().flatten().collect()
}
