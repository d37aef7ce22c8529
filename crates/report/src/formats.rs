//! The formats that a view can be drawn in. A new one is a file here and an entry in [`FORMATS`], or in [`EXPORTS`] if it is of costs alone.

mod action;
mod bmf;
mod csv;
mod escape;
mod footnotes;
mod format;
mod html;
mod json;
mod markdown;
mod measured;
mod openmetrics;
mod prepared;
mod style;
mod text;

pub(crate) use escape::escaped;
pub use format::{EXPORTS, FORMATS, Format, format};
pub use style::Style;
