//! The text of `perf script`: a line for each sample, below it the stack, the innermost frame first.

mod chosen;
mod frame_line;
mod reading;
mod sample_line;

pub use reading::{is_of_script, read};
