//! [`Slots`]: what the dynamic linker writes where: the pointers that calls between files go through.

use std::collections::HashMap;

use foldhash::fast::RandomState;
use object::LittleEndian;
use object::read::ReadRef;
use object::read::elf::{ElfFile64, Rela, SectionHeader};

use super::symbols::Names;

/// The pointers of a file that are filled in when it is loaded.
#[derive(Debug, Default)]
pub struct Slots {
    all: HashMap<u64, Content, RandomState>,
    /// Names of symbols, one after the other.
    names: Vec<u8>,
}

/// What a slot will hold.
#[derive(Debug, Clone, Copy)]
enum Content {
    Name {
        at: u32,
        length: u16,
    },
    /// An address in the file itself.
    Own(u64),
}

/// What a slot leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Filled<'a> {
    Name(&'a [u8]),
    Own(u64),
}

impl Slots {
    /// `is_code`: slots that lead elsewhere in the file are of no use here.
    pub fn gather<'d, R: ReadRef<'d>>(
        file: &ElfFile64<'d, LittleEndian, R>,
        is_code: impl Fn(u64) -> bool,
    ) -> Self {
        let mut slots = Self::default();
        let symbols = file.elf_dynamic_symbol_table();
        let names = Names::of(file, symbols);
        // Symbols occur in many relocations.
        let mut known: HashMap<usize, Content, RandomState> = HashMap::default();
        for section in file.elf_section_table().iter() {
            let Ok(Some((relocations, _))) = section.rela(LittleEndian, file.data()) else { continue };
            for one in relocations {
                let content = match one.symbol(LittleEndian, false) {
                    Some(index) => match known.get(&index.0) {
                        Some(content) => Some(*content),
                        None => {
                            let name = symbols.symbol(index).ok().and_then(|one| names.get(one));
                            let content = name.and_then(|name| slots.keep(name));
                            known.extend(content.map(|content| (index.0, content)));
                            content
                        }
                    },
                    None => {
                        let target = one.r_addend(LittleEndian).cast_unsigned();
                        is_code(target).then_some(Content::Own(target))
                    }
                };
                slots.all.extend(content.map(|content| (one.r_offset(LittleEndian), content)));
            }
        }
        slots
    }

    fn keep(&mut self, name: &[u8]) -> Option<Content> {
        let at = u32::try_from(self.names.len()).ok()?;
        let length = u16::try_from(name.len()).ok()?;
        self.names.extend_from_slice(name);
        Some(Content::Name { at, length })
    }

    pub fn get(&self, slot: u64) -> Option<Filled<'_>> {
        Some(match *self.all.get(&slot)? {
            Content::Name { at, length } => Filled::Name(&self.names[at as usize..][..usize::from(length)]),
            Content::Own(target) => Filled::Own(target),
        })
    }
}
