//! How many frames of a stack are kept.

use crate::frame::FrameId;

/// No more frames of a stack are kept: perf records 127, Go 128, and runaway recursion tells nothing more.
pub const DEEPEST: usize = 1024;

/// What a reader has to know of stacks that were cut.
pub fn told(cut: u64) -> Option<String> {
    (cut > 0).then(|| format!("{cut} stacks had more than {DEEPEST} frames; the innermost were kept"))
}

/// Leaves the innermost frames of a stack that has the innermost first.
pub fn cut(stack: &mut Vec<FrameId>) -> bool {
    let is_deeper = stack.len() > DEEPEST;
    stack.truncate(DEEPEST);
    is_deeper
}
