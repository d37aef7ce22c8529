//! [`Image`]: an ELF file, as much of it as unwinding and naming need.

mod debug;
mod elf_file;
mod go_table;
mod parse;
mod source;

use std::cell::RefCell;
use std::collections::HashMap;
use std::fs::File;
use std::sync::Arc;

use foldhash::fast::RandomState;

pub use self::elf_file::NotOurs;
use self::parse::Parts;
use self::source::Source;
use super::call::{self, CALL, STUB, Target};
use super::demangle::demangle;
use super::instructions::instructions;
use super::machine::Architecture;
use super::row::Row;
use super::slots::Filled;
use crate::frame::{Frame, Instructions};

/// The most bytes of a function that are looked at for what they say of it.
const LONGEST: u64 = 64 * 1024;

/// An ELF file. Addresses are those that the file states.
#[derive(Debug)]
pub struct Image {
    architecture: Architecture,
    /// Without its folder.
    module: Arc<str>,
    parts: Parts,
    source: Source,
    /// Of functions without a name, by their beginnings.
    instructions: RefCell<HashMap<u64, Instructions, RandomState>>,
}

impl Image {
    /// Reads what is needed of a file, which stays open.
    ///
    /// # Errors
    /// It is no ELF file of this architecture.
    pub fn of_file(module: &str, file: File, architecture: Architecture) -> Result<Self, NotOurs> {
        let mut parts = Parts::read(&object::ReadCache::new(&file), architecture)?;
        if let Some(build_id) = &parts.build_id {
            debug::add_symbols(build_id, architecture, &mut parts.symbols);
        }
        Ok(Self::new(module, parts, Source::File(file), architecture))
    }

    /// The same of a copy of a process's memory.
    ///
    /// # Errors
    /// It is no ELF file of this architecture.
    pub fn of_memory(module: &str, bytes: Vec<u8>, architecture: Architecture) -> Result<Self, NotOurs> {
        let parts = Parts::read(bytes.as_slice(), architecture)?;
        Ok(Self::new(module, parts, Source::Memory(bytes), architecture))
    }

    fn new(module: &str, parts: Parts, source: Source, architecture: Architecture) -> Self {
        Self { architecture, module: module.into(), parts, source, instructions: RefCell::default() }
    }

    pub fn build_id(&self) -> Option<&Arc<str>> {
        self.parts.build_id.as_ref()
    }

    /// The address that the file states for what stands at an offset in it.
    pub fn address(&self, offset: u64) -> Option<u64> {
        self.parts.segments.iter().find_map(|segment| {
            let within = offset.checked_sub(segment.offset).filter(|within| *within < segment.size)?;
            segment.address.checked_add(within)
        })
    }

    /// How to leave the function at an address.
    pub fn row(&self, address: u64) -> Option<Row> {
        self.parts.table.row(address)
    }

    /// Whether a call ends before an address: whether it may be a return address.
    pub fn is_after_call(&self, address: u64) -> bool {
        let mut bytes = [0; CALL];
        let Some(start) = address.checked_sub(CALL as u64) else { return false };
        self.read(start, &mut bytes) == CALL && call::is_after_call(&bytes, self.architecture)
    }

    /// The frame of an address; a return address names what was called, too.
    pub fn frame(&self, address: u64, is_return: bool) -> Frame {
        let place = address.saturating_sub(is_return.into());
        let (function, start) = self.function(place);
        let instructions = function.is_none().then(|| self.instructions(place));
        Frame {
            function,
            module: Some(Arc::clone(&self.module)),
            build_id: self.parts.build_id.clone(),
            address: Some(start),
            callee: is_return.then(|| self.callee(address)).flatten(),
            instructions,
            is_kernel: false,
        }
    }

    /// Name and beginning of the function around an address.
    fn function(&self, address: u64) -> (Option<Arc<str>>, u64) {
        let symbols = &self.parts.symbols;
        if let Some(symbol) = symbols.around(address, |start| self.parts.table.end(start)) {
            return (Some(demangle(symbols.name(symbol))), symbol.start);
        }
        // Stubs are aligned to 16 bytes by every linker.
        let stub = address & !0xf;
        if let Some(name) = self.stub(stub) {
            return (Some(format!("{name}@plt").into()), stub);
        }
        (None, self.bounds(address).0)
    }

    fn bounds(&self, address: u64) -> (u64, u64) {
        let code = self.parts.code.iter().find(|(start, end)| (*start..*end).contains(&address));
        self.parts.table.bounds(address, code.copied().unwrap_or((address, address.saturating_add(1))))
    }

    fn instructions(&self, address: u64) -> Instructions {
        let (start, end) = self.bounds(address);
        *self.instructions.borrow_mut().entry(start).or_insert_with(|| {
            // At most 64 KiB: it fits.
            let mut code = vec![0; end.saturating_sub(start).min(LONGEST) as usize];
            let length = self.read(start, &mut code);
            instructions(&code[..length], self.architecture)
        })
    }

    /// The function that the call before a return address names.
    fn callee(&self, address: u64) -> Option<Arc<str>> {
        let mut bytes = [0; CALL];
        let length = self.read(address.checked_sub(CALL as u64)?, &mut bytes);
        match call::call(&bytes[..length], address, self.architecture)? {
            Target::Slot(slot) => self.filled(slot),
            Target::Code(target) => self.named(target).or_else(|| self.stub(target)),
        }
    }

    /// The name of the function that begins at an address.
    fn named(&self, start: u64) -> Option<Arc<str>> {
        Some(demangle(self.parts.symbols.name(self.parts.symbols.at(start)?)))
    }

    /// The name of what the stub at an address leads to.
    fn stub(&self, address: u64) -> Option<Arc<str>> {
        let mut bytes = [0; STUB];
        let length = self.read(address, &mut bytes);
        self.filled(call::stub(&bytes[..length], address, self.architecture)?)
    }

    fn filled(&self, slot: u64) -> Option<Arc<str>> {
        match self.parts.slots.get(slot)? {
            Filled::Name(name) => Some(demangle(name)),
            Filled::Own(target) => self.named(target),
        }
    }

    /// Reads code; fewer bytes where the file has no more.
    fn read(&self, address: u64, into: &mut [u8]) -> usize {
        let code = self.parts.segments.iter().filter(|segment| segment.is_code);
        let mut places = code.filter_map(|segment| {
            let within = address.checked_sub(segment.address).filter(|within| *within < segment.size)?;
            Some((segment, within))
        });
        let Some((segment, within)) = places.next() else { return 0 };
        let length = (segment.size - within).min(into.len() as u64) as usize;
        self.source.read(segment.offset.saturating_add(within), &mut into[..length])
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::time::Duration;

    use proptest::prelude::*;
    use tlstax_measure::process::Launch;
    use tlstax_measure::program;

    use super::*;

    /// A library of the tests, stripped, with further flags of the linker.
    fn library(flags: &[&str]) -> Image {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
        let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/live/programs/outer.c");
        let output = path("libouter.so");
        let arguments = ["-O2", "-fPIC", "-shared", "-s", source, "-o", &output];
        let arguments = arguments.iter().chain(flags).map(Into::into).collect();
        let done = program::run(&Launch { arguments, ..Launch::new("cc") }, Duration::from_secs(60)).unwrap();
        assert!(done.status.success(), "{}", done.stderr);
        let file = File::open(output).unwrap();
        Image::of_file("libouter.so", file, Architecture::here().unwrap()).unwrap()
    }

    /// All that calls in the library name, and all functions that its code is in.
    fn names(image: &Image) -> (BTreeSet<Arc<str>>, BTreeSet<Arc<str>>) {
        let code = image.parts.code.iter().flat_map(|(start, end)| *start..*end);
        let frames: Vec<Frame> = code.map(|address| image.frame(address, true)).collect();
        let callees = frames.iter().filter_map(|frame| frame.callee.clone()).collect();
        (callees, frames.into_iter().filter_map(|frame| frame.function).collect())
    }

    #[test]
    fn a_call_names_what_it_goes_to_in_another_library() {
        for flags in [&["-Wl,-z,lazy"][..], &["-Wl,-z,now"], &["-fno-plt"]] {
            let image = library(flags);
            let (callees, functions) = names(&image);
            assert!(callees.contains("inner_sign"), "{flags:?}: {callees:?}");
            assert!(functions.contains("outer_handshake") && !functions.contains("step"), "{functions:?}");
            if flags != ["-fno-plt"] {
                assert!(functions.contains("inner_sign@plt"), "{flags:?}: {functions:?}");
            }
        }
    }

    #[test]
    fn a_function_without_a_name_goes_by_where_it_begins() {
        let image = library(&[]);
        let (start, end) = image.parts.code.iter().copied().max_by_key(|(start, end)| end - start).unwrap();
        let unnamed: BTreeSet<(u64, bool)> = (start..end)
            .map(|address| image.frame(address, false))
            .filter(|frame| frame.function.is_none())
            .map(|frame| (frame.address.unwrap(), frame.instructions.is_some()))
            .collect();
        assert!(!unnamed.is_empty() && unnamed.iter().all(|(at, has)| *at >= start && *has), "{unnamed:?}");
        assert!(unnamed.len() < (end - start) as usize / 8, "{unnamed:?}");
        assert!(image.build_id().is_some());
    }

    proptest! {
        /// Whatever is broken in a file, it is read or refused.
        #[test]
        fn a_broken_file_does_no_harm(
            changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..40),
            length in any::<prop::sample::Index>(),
            addresses in prop::collection::vec(any::<u64>(), 8),
        ) {
            let Some(mut bytes) = crate::resolve::vdso::bytes() else { return Ok(()) };
            for (at, byte) in changes {
                // Mostly in what the rest hangs on: headers and tables.
                let at = at.index(bytes.len());
                bytes[at] = byte;
            }
            bytes.truncate(bytes.len() - length.index(bytes.len()) / 2);
            let size = bytes.len() as u64;
            if let Ok(image) = Image::of_memory("[vdso]", bytes, Architecture::here().unwrap()) {
                for address in addresses.iter().flat_map(|address| [*address, address % size]) {
                    image.frame(address, true);
                    image.frame(address, false);
                    image.row(address);
                    image.address(address);
                    image.is_after_call(address);
                }
            }
        }
    }

    #[test]
    fn what_is_no_file_of_ours_is_refused() {
        let memory =
            |bytes: &[u8]| Image::of_memory("x", bytes.to_vec(), Architecture::here().unwrap()).is_err();
        assert!(
            memory(b"")
                && memory(b"#!/bin/sh\n")
                && memory(&[b"\x7fELF\x02\x01\x01".as_slice(), &[0xff; 200]].concat())
        );
    }
}
