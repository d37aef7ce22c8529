//! The header of the file: where its parts are.

use super::fields::{Fields, Order};

/// A part of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Section {
    pub offset: u64,
    pub size: u64,
}

impl Section {
    pub const SIZE: usize = 16;

    pub fn read(fields: &mut Fields<'_>) -> Option<Self> {
        Some(Self { offset: fields.u64()?, size: fields.u64()? })
    }

    /// Where it ends; none of what no file can have.
    pub fn end(self) -> Option<u64> {
        self.offset.checked_add(self.size)
    }
}

/// What the header says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Header {
    /// With its parts in sections, which only a file can have.
    File {
        /// Of an attribute with the place of its ids behind it.
        attribute_size: u64,
        attributes: Section,
        data: Section,
        /// Which features have a section behind the data, a bit each.
        features: [u64; 4],
    },
    /// With everything in records, as it goes through pipes.
    Pipe,
}

/// The size of the header of a pipe (`perf_pipe_file_header`).
pub const PIPE_SIZE: usize = 16;

impl Header {
    /// Reads the header from the first bytes.
    pub fn read(head: &[u8]) -> Option<(Order, Self)> {
        let order = match head.get(..8)? {
            b"PERFILE2" => Order::Little,
            b"2ELIFREP" => Order::Big,
            _ => return None,
        };
        let mut fields = Fields::of(&head[8..], order);
        if fields.u64()? == PIPE_SIZE as u64 {
            return Some((order, Self::Pipe));
        }
        let attribute_size = fields.u64()?;
        let (attributes, data) = (Section::read(&mut fields)?, Section::read(&mut fields)?);
        let _event_types = Section::read(&mut fields)?;
        let features = [fields.u64()?, fields.u64()?, fields.u64()?, fields.u64()?];
        Some((order, Self::File { attribute_size, attributes, data, features }))
    }
}
