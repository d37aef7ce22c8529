//! [`Blocks`]: the parts of a recording that are in memory.

use std::collections::VecDeque;

/// So many bytes are read at once.
pub const BLOCK: usize = 4 << 20;

/// Where a record is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    pub block: u64,
    pub start: u32,
    pub end: u32,
}

/// The parts of a recording that are in memory, each for as long as somebody holds it. Records stay where they were read.
#[derive(Debug, Default)]
pub struct Blocks {
    blocks: VecDeque<Block>,
    /// The number of the first of them.
    first: u64,
    /// Memory of blocks that nobody needed any more.
    spare: Vec<Vec<u8>>,
}

#[derive(Debug)]
struct Block {
    bytes: Vec<u8>,
    holders: usize,
}

impl Blocks {
    /// Memory for a block.
    pub fn buffer(&mut self) -> Vec<u8> {
        self.spare.pop().unwrap_or_default()
    }

    /// Adds a block, held once.
    pub fn push(&mut self, bytes: Vec<u8>) -> u64 {
        self.blocks.push_back(Block { bytes, holders: 1 });
        self.first + self.blocks.len() as u64 - 1
    }

    /// The bytes of a block that is held; else none.
    pub fn bytes(&self, number: u64) -> &[u8] {
        self.index(number).and_then(|index| self.blocks.get(index)).map_or(&[], |block| &block.bytes)
    }

    pub fn get(&self, place: Place) -> &[u8] {
        self.bytes(place.block).get(place.start as usize..place.end as usize).unwrap_or_default()
    }

    pub fn hold(&mut self, number: u64) {
        if let Some(block) = self.index(number).and_then(|index| self.blocks.get_mut(index)) {
            block.holders += 1;
        }
    }

    pub fn release(&mut self, number: u64) {
        if let Some(block) = self.index(number).and_then(|index| self.blocks.get_mut(index)) {
            block.holders = block.holders.saturating_sub(1);
        }
        while self.blocks.front().is_some_and(|block| block.holders == 0) {
            self.first += 1;
            let freed = self.blocks.pop_front().map(|block| block.bytes);
            self.spare.extend(freed.filter(|_| self.spare.len() < 4).map(|mut bytes| {
                bytes.clear();
                bytes
            }));
        }
    }

    /// Bytes in memory.
    pub fn size(&self) -> usize {
        self.blocks.iter().map(|block| block.bytes.len()).sum()
    }

    fn index(&self, number: u64) -> Option<usize> {
        usize::try_from(number.checked_sub(self.first)?).ok()
    }
}
