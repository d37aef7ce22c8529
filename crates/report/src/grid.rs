//! Tables and charts from rows and measures. What a section has to say of its figures is prose, and stays code.

mod cross;
mod measure;
mod rows;

pub(crate) use cross::{Cross, too_many};
pub(crate) use measure::Measure;
pub(crate) use rows::Grid;
