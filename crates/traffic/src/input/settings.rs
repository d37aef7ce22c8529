//! [`Settings`]: how to count.

use tlstax_doc::Tool;

use super::format::FormatWord;
use crate::classes::Classes;
use crate::window::Window;

/// How to count.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The format of all inputs; recognised by their first lines if absent.
    pub format: Option<FormatWord>,
    /// Seconds east of UTC of times that are logged without their zone. They are taken for UTC if absent, which is noted.
    pub offset: Option<i64>,
    pub window: Window,
    pub classes: Classes,
    /// Threads that count. Archives are unpacked beside them.
    pub threads: usize,
    /// Whether the first bad lines themselves are kept, and not only their places.
    pub keeps_bad: bool,
    pub tool: Tool,
}
