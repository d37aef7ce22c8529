//! The frames of a capture by number.

use std::collections::HashMap;
use std::sync::Arc;

use foldhash::fast::RandomState;

use crate::frame::{Frame, FrameId};

#[derive(Debug, Default)]
pub struct Frames {
    all: Vec<Arc<Frame>>,
    ids: HashMap<Arc<Frame>, FrameId, RandomState>,
}

impl Frames {
    pub fn id(&mut self, frame: Frame) -> FrameId {
        if let Some(id) = self.ids.get(&frame) {
            return *id;
        }
        // As many as there is memory for are far fewer than 2^32: each takes more than a hundred bytes.
        let id = FrameId(u32::try_from(self.all.len()).unwrap_or(u32::MAX));
        let frame = Arc::new(frame);
        self.all.push(Arc::clone(&frame));
        self.ids.insert(frame, id);
        id
    }

    pub fn get(&self, id: FrameId) -> &Frame {
        &self.all[id.0 as usize]
    }

    /// As documents have them, by number.
    pub fn shown(&self) -> Vec<tlstax_doc::Frame> {
        self.all.iter().map(|frame| shown(frame)).collect()
    }
}

fn shown(frame: &Frame) -> tlstax_doc::Frame {
    let function = match (&frame.function, frame.address) {
        (Some(function), _) => function.to_string(),
        (None, Some(address)) => format!("+{address:#x}"),
        (None, None) => "?".to_owned(),
    };
    tlstax_doc::Frame { module: frame.module.as_deref().map(str::to_owned), function }
}
