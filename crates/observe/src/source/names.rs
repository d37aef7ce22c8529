//! [`Names`]: frames by the text that stands for them in a source.

use std::collections::HashMap;

use foldhash::fast::RandomState;

use crate::collect::Collector;
use crate::frame::{Frame, FrameId};

/// Frames by the text that stands for them, so that each text is read once and what is known is found without a copy of it.
#[derive(Debug, Default)]
pub struct Names(HashMap<Box<[u8]>, FrameId, RandomState>);

impl Names {
    pub fn frame(
        &mut self,
        text: &[u8],
        into: &mut Collector<'_>,
        read: impl FnOnce(&str) -> Frame,
    ) -> FrameId {
        if let Some(id) = self.0.get(text) {
            return *id;
        }
        let id = into.frame(read(&String::from_utf8_lossy(text)));
        self.0.insert(text.into(), id);
        id
    }
}
