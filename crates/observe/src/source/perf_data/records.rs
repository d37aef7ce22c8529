//! [`Records`]: the records of a recording, one after the other, left where they were read.

use std::io::{self, Read};

use super::blocks::{BLOCK, Blocks, Place};
use super::fields::{Fields, Order};
use super::unpacker::Unpacker;

/// Records that perf itself writes (`PERF_RECORD_HEADER_*` and on, in tools/lib/perf/include/perf/event.h).
pub mod kinds {
    pub const ATTRIBUTE: u32 = 64;
    pub const TRACING_DATA: u32 = 66;
    pub const BUILD_ID: u32 = 67;
    pub const FINISHED_ROUND: u32 = 68;
    pub const AUX_TRACE: u32 = 71;
    pub const FEATURE: u32 = 80;
    pub const COMPRESSED: u32 = 81;
    pub const COMPRESSED_2: u32 = 83;
    /// Those below are the kernel's.
    pub const FIRST_OF_PERF: u32 = 64;
}

/// Kind, flags, size.
const HEADER: usize = 8;

/// A record and where its body is. Whoever has it holds its block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Record {
    pub kind: u32,
    pub misc: u16,
    pub place: Place,
}

/// Why there are no more records.
#[derive(Debug)]
pub enum End {
    /// The recording ends here.
    Whole,
    /// It ends within a record, or where the input failed.
    Cut(Option<io::Error>),
    /// What stands here is no record.
    Broken,
}

/// The records of a recording.
pub struct Records<R> {
    from: R,
    order: Order,
    pub blocks: Blocks,
    outer: Cursor,
    /// Those that were compressed into a record.
    inner: Option<Cursor>,
    unpacker: Unpacker,
    pub is_compressed: bool,
    /// Bytes behind a record that are none.
    skip: u64,
    is_ended: bool,
    failure: Option<io::Error>,
}

/// Up to where a block was read; it is held.
#[derive(Debug, Clone, Copy)]
struct Cursor {
    block: u64,
    at: usize,
}

impl<R: Read> Records<R> {
    /// What was read of them already comes first.
    pub fn new(from: R, order: Order, first: &[u8]) -> Self {
        let mut blocks = Blocks::default();
        let outer = Cursor { block: blocks.push(first.to_vec()), at: 0 };
        let (unpacker, inner) = (Unpacker::default(), None);
        Self {
            from,
            order,
            blocks,
            outer,
            inner,
            unpacker,
            is_compressed: false,
            skip: 0,
            is_ended: false,
            failure: None,
        }
    }

    /// The next record.
    pub fn next(&mut self) -> Result<Record, End> {
        loop {
            if let Some(record) = self.next_inner()? {
                return Ok(record);
            }
            self.skip();
            match self.parse(self.outer)? {
                Some((record, next)) if self.is_of_container(&record) => self.outer = next,
                Some((record, next)) => {
                    self.outer = next;
                    self.blocks.hold(record.place.block);
                    return Ok(record);
                }
                None if self.is_ended => return Err(self.end()),
                None => self.read_more(),
            }
        }
    }

    pub fn body(&self, record: &Record) -> &[u8] {
        self.blocks.get(record.place)
    }

    /// A record of what was compressed, if there is one.
    fn next_inner(&mut self) -> Result<Option<Record>, End> {
        if !self.is_compressed {
            return Ok(None);
        }
        loop {
            if let Some(cursor) = self.inner
                && let Some((record, next)) = self.parse(cursor)?
            {
                self.inner = Some(next);
                self.blocks.hold(record.place.block);
                return Ok(Some(record));
            }
            if !self.unpack_more()? {
                return Ok(None);
            }
        }
    }

    /// Unpacks into another block, with the beginning of a record that the one before ends with.
    fn unpack_more(&mut self) -> Result<bool, End> {
        let mut bytes = self.blocks.buffer();
        if let Some(cursor) = self.inner.take() {
            bytes.extend_from_slice(&self.blocks.bytes(cursor.block)[cursor.at..]);
            self.blocks.release(cursor.block);
        }
        let before = bytes.len();
        self.unpacker.unpack(&mut bytes, BLOCK).map_err(|error| End::Cut(Some(error)))?;
        let is_more = bytes.len() > before;
        self.inner = Some(Cursor { block: self.blocks.push(bytes), at: 0 });
        Ok(is_more)
    }

    /// The record at a place; none if it is not there as a whole.
    fn parse(&self, cursor: Cursor) -> Result<Option<(Record, Cursor)>, End> {
        let bytes = &self.blocks.bytes(cursor.block)[cursor.at..];
        let mut fields = Fields::of(bytes, self.order);
        let (Some(kind), Some(misc), Some(size)) = (fields.u32(), fields.u16(), fields.u16()) else {
            return Ok(None);
        };
        let size = usize::from(size);
        if size < HEADER {
            return Err(End::Broken);
        }
        if bytes.len() < size {
            return Ok(None);
        }
        let index = |at: usize| u32::try_from(at).map_err(|_| End::Broken);
        let (start, end) = (index(cursor.at + HEADER)?, index(cursor.at + size)?);
        let record = Record { kind, misc, place: Place { block: cursor.block, start, end } };
        Ok(Some((record, Cursor { at: cursor.at + size, ..cursor })))
    }

    /// Takes what is of the container and not of the recording: what is packed, and what is to be skipped.
    fn is_of_container(&mut self, record: &Record) -> bool {
        let mut fields = Fields::of(self.blocks.get(record.place), self.order);
        match record.kind {
            kinds::COMPRESSED => {
                self.is_compressed = true;
                self.unpacker.feed(fields.rest());
            }
            kinds::COMPRESSED_2 => {
                self.is_compressed = true;
                let packed = fields.u64().and_then(|size| fields.items(size, 1));
                self.unpacker.feed(packed.unwrap_or_default());
            }
            kinds::AUX_TRACE => self.skip = fields.u64().unwrap_or(0),
            kinds::TRACING_DATA => {
                self.skip = fields.u32().map_or(0, |size| u64::from(size).next_multiple_of(8))
            }
            _ => return false,
        }
        true
    }

    fn skip(&mut self) {
        let there = self.blocks.bytes(self.outer.block).len() - self.outer.at;
        let skipped = usize::try_from(self.skip).map_or(there, |skip| skip.min(there));
        self.outer.at += skipped;
        self.skip -= skipped as u64;
    }

    /// Reads another block, with the beginning of a record that the one before ends with.
    fn read_more(&mut self) {
        let mut bytes = self.blocks.buffer();
        bytes.reserve(BLOCK + (1 << 16));
        bytes.extend_from_slice(&self.blocks.bytes(self.outer.block)[self.outer.at..]);
        let read = self.from.by_ref().take(BLOCK as u64).read_to_end(&mut bytes);
        self.blocks.release(self.outer.block);
        self.outer = Cursor { block: self.blocks.push(bytes), at: 0 };
        if matches!(read, Ok(0) | Err(_)) {
            self.is_ended = true;
            self.failure = read.err();
            self.unpacker.end();
        }
    }

    fn end(&mut self) -> End {
        let is_whole = |cursor: Cursor| self.blocks.bytes(cursor.block).len() == cursor.at;
        let is_whole = self.skip == 0 && is_whole(self.outer) && self.inner.is_none_or(is_whole);
        match self.failure.take() {
            None if is_whole => End::Whole,
            failure => End::Cut(failure),
        }
    }
}
