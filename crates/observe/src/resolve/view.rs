//! [`View`]: one process, and the files behind it.

use std::rc::Rc;

use super::files::Files;
use super::image::Image;
use super::layout::{Layout, Place};
use super::mapping::{Content, Mapping};
use super::row::Row;
use super::walk::Code;
use crate::frame::{Frame, FrameId};

/// What is behind an address.
pub enum Behind {
    /// A file, and the address that it states.
    Image(Rc<Image>, u64),
    /// A file that cannot be read.
    Closed(Frame),
    Generated,
    Nothing,
}

/// One process, and the files behind it.
pub struct View<'r> {
    pub process: u32,
    pub layout: &'r mut Layout,
    pub files: &'r mut Files,
    pub is_kernel_here: bool,
}

impl View<'_> {
    pub fn behind(&mut self, address: u64) -> Behind {
        let Some(mapped) = self.layout.find(address) else { return Behind::Nothing };
        if mapped.content == Content::Generated {
            return Behind::Generated;
        }
        let image = match &mapped.image {
            Some(image) => image.clone(),
            None => {
                let image = match mapped.content {
                    Content::Vdso => self.files.vdso(self.is_kernel_here),
                    _ => self.files.open(self.process, &mapped.mapping),
                };
                mapped.image.insert(image).clone()
            }
        };
        let offset = address - mapped.mapping.start + mapped.mapping.offset;
        match image.and_then(|image| image.address(offset).map(|within| (image, within))) {
            Some((image, within)) => Behind::Image(image, within),
            None => Behind::Closed(closed(&mapped.mapping, offset)),
        }
    }

    pub fn keep(&mut self, place: Place, frame: FrameId) -> FrameId {
        self.layout.learn(place).frame = Some(frame);
        frame
    }
}

/// The frame of a place in a file that cannot be read.
fn closed(mapping: &Mapping, offset: u64) -> Frame {
    let (path, _) = mapping.file();
    Frame {
        module: Some(path.rsplit('/').next().unwrap_or(path).into()),
        build_id: mapping.build_id.as_deref().map(Into::into),
        address: Some(offset),
        ..Frame::default()
    }
}

impl Code for View<'_> {
    fn row(&mut self, address: u64, is_return: bool) -> Option<Rc<Row>> {
        let place = Place { address, is_return };
        if let Some(row) = self.layout.known(place).and_then(|known| known.row.as_ref()) {
            return row.clone();
        }
        let row = match self.behind(place.within()) {
            Behind::Image(image, within) => image.row(within).map(Rc::new),
            _ => None,
        };
        self.layout.learn(place).row.insert(row).clone()
    }

    fn is_return(&mut self, address: u64) -> bool {
        let place = Place { address, is_return: true };
        if let Some(is_return) = self.layout.known(place).and_then(|known| known.is_return) {
            return is_return;
        }
        let is_return = match self.behind(place.within()) {
            Behind::Image(image, within) => image.is_after_call(within + 1),
            Behind::Generated => true,
            Behind::Closed(_) | Behind::Nothing => false,
        };
        *self.layout.learn(place).is_return.insert(is_return)
    }
}
