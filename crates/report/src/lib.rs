//! Draws documents: from Results to one [`View`], and from the view to every format.
//!
//! The view says what is shown, in which order and in which words; a [`Format`] only draws it. Everything here is a
//! pure function from documents to text: nothing is printed, no file is read or written.

mod compare;
mod cut;
mod facts;
mod figure;
mod formats;
mod label;
mod number;
mod phrase;
mod printable;
mod quantity;
mod sections;
mod switch;
mod view;

pub use compare::{Change, Comparison, Lost, Regression, compare};
pub use figure::Figure;
pub use formats::{FORMATS, Format, Style, format};
pub use printable::Printable;
pub use quantity::{Quantity, Sign};
pub use sections::{Published, PublishedError};
pub use view::{Block, Cell, Chart, Column, Role, Row, Section, Series, Table, View};
