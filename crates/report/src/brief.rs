//! The answer first: what one screen holds of a run.

mod draw;
mod findings;
mod machine;
mod missing;
mod model;
mod of;

pub use machine::machine;
pub use model::{Answer, Brief};
