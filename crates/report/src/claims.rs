//! Claims of others, and what was measured here: the sum of the verdicts, a table, a picture, and rows for data frames.

mod picture;
mod rows;
mod section;
mod sum;
mod table;
mod view;
mod words;

pub use view::claims_view;
