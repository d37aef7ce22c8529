//! The whole view as JSON.

use super::style::Style;
use crate::model::View;
use crate::printable::Printable;

pub(super) fn render(view: &View, _: &Style) -> Printable {
    // Maps with keys that are no strings do not occur in the view.
    let json = serde_json::to_string_pretty(view).expect("a view has string keys");
    Printable::from(json + "\n")
}
