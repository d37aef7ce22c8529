//! [`Blocks`]: the parts of a recording that are in memory.

use std::collections::VecDeque;

/// So many bytes are read at once.
pub const BLOCK: usize = 4 << 20;

/// So many blocks are kept for their memory.
const SPARE: usize = 4;

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

    /// A block that nobody holds any more is freed, whatever those before it are waiting for.
    pub fn release(&mut self, number: u64) {
        let Some(block) = self.index(number).and_then(|index| self.blocks.get_mut(index)) else {
            return;
        };
        block.holders = block.holders.saturating_sub(1);
        if block.holders == 0 {
            let mut bytes = std::mem::take(&mut block.bytes);
            bytes.clear();
            if self.spare.len() < SPARE {
                self.spare.push(bytes);
            }
        }
        while self.blocks.front().is_some_and(|block| block.holders == 0) {
            self.blocks.pop_front();
            self.first += 1;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_is_there_while_somebody_holds_it() {
        let mut blocks = Blocks::default();
        let [first, second, third] = [1, 2, 3].map(|byte| blocks.push(vec![byte; 10]));
        blocks.hold(first);
        [first, second, third].iter().for_each(|number| blocks.release(*number));
        assert_eq!((blocks.bytes(first), blocks.size()), (&[1; 10][..], 10));
        assert!(blocks.bytes(second).is_empty() && blocks.bytes(third).is_empty());
        blocks.release(first);
        assert_eq!((blocks.size(), blocks.get(Place { block: first, start: 0, end: 1 })), (0, &[][..]));
        let fourth = blocks.push(vec![4; 10]);
        assert_eq!(blocks.get(Place { block: fourth, start: 8, end: 10 }), [4, 4]);
    }
}
