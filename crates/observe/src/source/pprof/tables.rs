//! The tables of a profile: what samples refer to by number.

use std::borrow::Cow;
use std::collections::HashMap;

use foldhash::fast::RandomState;

use super::wire::{Broken, Fields};

/// What samples refer to. Messages stay as they are in the file until they are asked for.
#[derive(Debug, Default)]
pub struct Tables<'b> {
    pub strings: Vec<&'b [u8]>,
    pub mappings: HashMap<u64, Mapping, RandomState>,
    /// The first mapping is that of the program itself.
    pub program: Option<Mapping>,
    /// The names of functions, by index into the strings.
    pub functions: HashMap<u64, u64, RandomState>,
    pub locations: HashMap<u64, &'b [u8], RandomState>,
    pub sample_types: Vec<ValueType>,
    pub default_type: u64,
    pub period_type: ValueType,
    pub period: u64,
    pub time_ns: u64,
    pub duration_ns: u64,
}

/// What a value counts, and in what; indices into the strings.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct ValueType {
    pub kind: u64,
    pub unit: u64,
}

/// A part of a file, mapped into the process.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Mapping {
    id: u64,
    pub start: u64,
    pub end: u64,
    pub offset: u64,
    pub file: u64,
    pub build_id: u64,
}

impl<'b> Tables<'b> {
    pub fn read(profile: &'b [u8]) -> Result<Self, Broken> {
        let mut tables = Self::default();
        for field in Fields::of(profile) {
            let (field, value) = field?;
            match field {
                1 => tables.sample_types.push(value_type(value.bytes())?),
                3 => tables.take_mapping(value.bytes())?,
                4 => {
                    let id = number(value.bytes(), 1)?;
                    tables.locations.insert(id, value.bytes());
                }
                5 => tables.take_function(value.bytes())?,
                6 => tables.strings.push(value.bytes()),
                9 => tables.time_ns = value.number(),
                10 => tables.duration_ns = value.number(),
                11 => tables.period_type = value_type(value.bytes())?,
                12 => tables.period = value.number(),
                14 => tables.default_type = value.number(),
                _ => {}
            }
        }
        Ok(tables)
    }

    fn take_mapping(&mut self, message: &[u8]) -> Result<(), Broken> {
        let mut mapping = Mapping::default();
        for field in Fields::of(message) {
            let (field, value) = field?;
            match field {
                1 => mapping.id = value.number(),
                2 => mapping.start = value.number(),
                3 => mapping.end = value.number(),
                4 => mapping.offset = value.number(),
                5 => mapping.file = value.number(),
                6 => mapping.build_id = value.number(),
                _ => {}
            }
        }
        self.program.get_or_insert(mapping);
        self.mappings.insert(mapping.id, mapping);
        Ok(())
    }

    fn take_function(&mut self, message: &[u8]) -> Result<(), Broken> {
        let (mut id, mut name, mut system_name) = (0, 0, 0);
        for field in Fields::of(message) {
            let (field, value) = field?;
            match field {
                1 => id = value.number(),
                2 => name = value.number(),
                3 => system_name = value.number(),
                _ => {}
            }
        }
        self.functions.insert(id, if name == 0 { system_name } else { name });
        Ok(())
    }

    /// A text by its index; nothing where there is none.
    pub fn text(&self, index: u64) -> Cow<'b, str> {
        let text = usize::try_from(index).ok().and_then(|index| self.strings.get(index));
        String::from_utf8_lossy(text.copied().unwrap_or_default())
    }
}

fn value_type(message: &[u8]) -> Result<ValueType, Broken> {
    Ok(ValueType { kind: number(message, 1)?, unit: number(message, 2)? })
}

/// A number of a message; 0 where it is missing.
pub fn number(message: &[u8], wanted: u32) -> Result<u64, Broken> {
    for field in Fields::of(message) {
        let (field, value) = field?;
        if field == wanted {
            return Ok(value.number());
        }
    }
    Ok(0)
}
