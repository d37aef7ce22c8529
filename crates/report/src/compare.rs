//! Two runs of the same cases, or two libraries of one run: what became faster or slower, as far as the intervals decide.

mod circumstances;
mod comparison;
mod gate;
mod view;
mod within;

pub use comparison::{Change, Comparison, Lost, Regression, compare};
pub use gate::Gate;
pub use within::compare_libraries;
