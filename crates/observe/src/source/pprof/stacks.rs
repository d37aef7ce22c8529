//! From the locations of a sample to frames.

use std::collections::HashMap;
use std::ops::Range;

use foldhash::fast::RandomState;

use super::tables::{Mapping, Tables};
use super::wire::{Broken, Fields};
use crate::collect::Collector;
use crate::frame::{Frame, FrameId};
use crate::resolve::demangle_printed;
use crate::source::module::module;

/// No place has more functions that were put into one another by the compiler.
const MOST_INLINED: usize = 128;

/// The frames of locations, each made once.
#[derive(Debug, Default)]
pub struct Stacks {
    frames: Vec<FrameId>,
    /// Which of the frames are a location's.
    of: HashMap<u64, Range<usize>, RandomState>,
    /// Locations without a function.
    pub nameless: u64,
}

/// What a location says.
#[derive(Default)]
struct Location {
    mapping: u64,
    address: u64,
    /// The functions, the innermost first.
    functions: Vec<u64>,
}

impl Stacks {
    /// Appends the frames of a location, the innermost first.
    pub fn frames(
        &mut self,
        id: u64,
        tables: &Tables<'_>,
        into: &mut Collector<'_>,
        stack: &mut Vec<FrameId>,
    ) -> Result<(), Broken> {
        if !self.of.contains_key(&id) {
            let start = self.frames.len();
            if let Some(message) = tables.locations.get(&id) {
                self.make(&location(message)?, tables, into);
            }
            self.of.insert(id, start..self.frames.len());
        }
        stack.extend_from_slice(&self.frames[self.of[&id].clone()]);
        Ok(())
    }

    fn make(&mut self, location: &Location, tables: &Tables<'_>, into: &mut Collector<'_>) {
        let mapping = tables.mappings.get(&location.mapping);
        let of = mapping.and_then(|mapping| module(&tables.text(mapping.file)));
        let build_id = mapping.map(|mapping| tables.text(mapping.build_id)).filter(|id| is_build_id(id));
        let frame = Frame {
            is_kernel: of.as_ref().is_some_and(|of| of.is_kernel),
            module: of.map(|of| of.name),
            build_id: build_id.map(|id| id.to_ascii_lowercase().into()),
            ..Frame::default()
        };
        if location.functions.is_empty() {
            self.nameless += 1;
            let address = Some(in_file(location.address, mapping)).filter(|address| *address > 0);
            self.frames.push(into.frame(Frame { address, ..frame }));
            return;
        }
        for function in &location.functions {
            let name = tables.functions.get(function).map(|name| tables.text(*name));
            let function = name.filter(|name| !name.is_empty()).map(|name| demangle_printed(&name));
            self.frames.push(into.frame(Frame { function, ..frame.clone() }));
        }
    }
}

/// A build id is hexadecimal; some writers put a hash of the file or the version of the program there.
fn is_build_id(text: &str) -> bool {
    text.len() >= 16 && text.bytes().all(|digit| digit.is_ascii_hexdigit())
}

/// The place in the file: writers state either that or the address in the process.
fn in_file(address: u64, mapping: Option<&Mapping>) -> u64 {
    match mapping {
        Some(mapping) if (mapping.start..mapping.end).contains(&address) => {
            (address - mapping.start).saturating_add(mapping.offset)
        }
        _ => address,
    }
}

fn location(message: &[u8]) -> Result<Location, Broken> {
    let mut location = Location::default();
    for field in Fields::of(message) {
        let (field, value) = field?;
        match field {
            2 => location.mapping = value.number(),
            3 => location.address = value.number(),
            4 if location.functions.len() < MOST_INLINED => {
                location.functions.push(super::tables::number(value.bytes(), 1)?);
            }
            _ => {}
        }
    }
    Ok(location)
}
