//! Two runs of the same cases: what became faster or slower, as far as the intervals decide.

mod circumstances;
mod comparison;
mod view;

pub use comparison::{Change, Comparison, Lost, Regression, compare};
