//! [`Layout`]: what is mapped where in a process, and what is known of its addresses.

use std::collections::HashMap;
use std::rc::Rc;

use foldhash::fast::RandomState;

use super::image::Image;
use super::mapping::{Content, Mapping};
use super::row::Row;
use crate::frame::FrameId;

/// What is mapped where in a process, and what is known of its addresses. Processes that were forked share one.
#[derive(Debug, Default, Clone)]
pub struct Layout {
    /// In the order of their beginnings; none overlaps another.
    maps: Vec<Mapped>,
    places: HashMap<Place, Known, RandomState>,
}

#[derive(Debug, Clone)]
pub struct Mapped {
    pub mapping: Mapping,
    pub content: Content,
    /// None until somebody asks for it.
    pub image: Option<Option<Rc<Image>>>,
}

/// An address, and whether somebody returns to it: then it is about the call before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Place {
    pub address: u64,
    pub is_return: bool,
}

/// What has been found out about a place.
#[derive(Debug, Default, Clone)]
pub struct Known {
    /// How to leave the function.
    pub row: Option<Option<Rc<Row>>>,
    pub frame: Option<FrameId>,
    pub is_return: Option<bool>,
}

impl Place {
    /// An address within the function, for looking it up.
    pub const fn within(self) -> u64 {
        self.address.saturating_sub(self.is_return as u64)
    }
}

impl Layout {
    /// Takes a mapping, in the place of whatever was there.
    pub fn map(&mut self, mapping: Mapping) {
        let (start, end) = (mapping.start, mapping.end);
        // No file is so long that its last byte has no number: a recording that says so is broken.
        if start >= end || mapping.offset.checked_add(end - start).is_none() {
            return;
        }
        self.clear(start, end);
        let at = self.maps.partition_point(|one| one.mapping.start < start);
        let content = mapping.content();
        self.maps.insert(at, Mapped { mapping, content, image: None });
    }

    fn clear(&mut self, start: u64, end: u64) {
        let first = self.maps.partition_point(|one| one.mapping.end <= start);
        let last = self.maps.partition_point(|one| one.mapping.start < end);
        let replaced: Vec<Mapped> = self.maps.drain(first..last.max(first)).collect();
        let rest = replaced.into_iter().flat_map(|one| [one.clone().before(start), one.after(end)]);
        let rest: Vec<Mapped> = rest.flatten().collect();
        self.maps.splice(first..first, rest);
        if !self.places.is_empty() {
            self.places.retain(|place, _| !(start..=end).contains(&place.address));
        }
    }

    pub fn find(&mut self, address: u64) -> Option<&mut Mapped> {
        let after = self.maps.partition_point(|one| one.mapping.start <= address);
        let mapped = self.maps[..after].last_mut()?;
        (address < mapped.mapping.end).then_some(mapped)
    }

    pub fn known(&self, place: Place) -> Option<&Known> {
        self.places.get(&place)
    }

    /// What is known of a place, to be added to.
    pub fn learn(&mut self, place: Place) -> &mut Known {
        self.places.entry(place).or_default()
    }
}

impl Mapped {
    /// What is left of it before an address.
    fn before(mut self, address: u64) -> Option<Self> {
        self.mapping.end = self.mapping.end.min(address);
        (self.mapping.start < self.mapping.end).then_some(self)
    }

    /// What is left of it from an address on.
    fn after(mut self, address: u64) -> Option<Self> {
        let cut = address.saturating_sub(self.mapping.start);
        self.mapping.start += cut;
        self.mapping.offset += cut;
        (self.mapping.start < self.mapping.end).then_some(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mapping(start: u64, end: u64, path: &str) -> Mapping {
        Mapping { start, end, offset: 0, path: path.to_owned(), build_id: None }
    }

    fn found(layout: &mut Layout, address: u64) -> Option<(String, u64)> {
        layout.find(address).map(|one| (one.mapping.path.clone(), one.mapping.offset))
    }

    #[test]
    fn what_is_mapped_later_takes_its_place() {
        let mut layout = Layout::default();
        layout.map(mapping(0x1000, 0x5000, "/a"));
        layout.map(mapping(0x2000, 0x3000, "/b"));
        let a = |offset| Some(("/a".to_owned(), offset));
        assert_eq!(found(&mut layout, 0x1fff), a(0));
        assert_eq!(found(&mut layout, 0x2000), Some(("/b".to_owned(), 0)));
        assert_eq!(found(&mut layout, 0x3000), a(0x2000));
        assert_eq!((found(&mut layout, 0x5000), found(&mut layout, 0xfff)), (None, None));
        layout.map(mapping(0, 0x10000, "/c"));
        assert_eq!(layout.maps.len(), 1);
        layout.map(mapping(0x20, 0x20, "/none"));
        layout.map(Mapping { offset: u64::MAX - 8, ..mapping(0x20, 0x40, "/beyond") });
        assert_eq!(layout.maps.len(), 1);
    }

    #[test]
    fn what_was_known_of_what_was_there_is_forgotten() {
        let mut layout = Layout::default();
        let [inside, outside] = [0x2800, 0x9000].map(|address| Place { address, is_return: true });
        layout.learn(inside).is_return = Some(true);
        layout.learn(outside).is_return = Some(true);
        layout.map(mapping(0x2000, 0x3000, "/b"));
        assert!(layout.known(inside).is_none() && layout.known(outside).is_some());
        assert_eq!((inside.within(), Place { is_return: false, ..inside }.within()), (0x27ff, 0x2800));
    }
}
