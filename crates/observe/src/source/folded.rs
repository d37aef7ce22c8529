//! Folded stacks: one stack a line, the outermost frame first, `;` between frames, a space, a count. The scripts of FlameGraph,
//! inferno, bcc and async-profiler write them.

mod first_frame;
mod frame;
mod line;
mod reading;

pub use line::is_folded;
pub use reading::read;
