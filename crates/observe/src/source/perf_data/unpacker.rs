//! [`Unpacker`]: records that perf has compressed by Zstandard (`perf record -z`): one frame that never ends, cut anywhere.

use std::io;

use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

/// The header of a frame is no longer (RFC 8878, 3.1.1.1).
const LONGEST_HEADER: usize = 18;

/// The last block of a frame, empty (RFC 8878, 3.1.1.2): gives out what a frame without end keeps back.
const LAST_BLOCK: [u8; 3] = [1, 0, 0];

/// Unpacks what comes in parts.
#[derive(Default)]
pub struct Unpacker {
    decoder: FrameDecoder,
    is_in_frame: bool,
    packed: Vec<u8>,
    /// What of it is unpacked.
    at: usize,
}

impl Unpacker {
    pub fn feed(&mut self, packed: &[u8]) {
        self.packed.drain(..self.at);
        self.at = 0;
        self.packed.extend_from_slice(packed);
    }

    /// Nothing comes after this.
    pub fn end(&mut self) {
        if self.is_in_frame {
            self.packed.truncate(self.at);
            self.feed(&LAST_BLOCK);
        }
    }

    /// Appends some more of what is unpacked, block by block, so that a few bytes cannot become more than fit into memory.
    ///
    /// Returns whether it can go on.
    pub fn unpack(&mut self, into: &mut Vec<u8>, about: usize) -> io::Result<bool> {
        let end = into.len().saturating_add(about);
        while into.len() < end {
            let is_on = if self.is_in_frame { self.unpack_block(into)? } else { self.begin_frame()? };
            if !is_on {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn begin_frame(&mut self) -> io::Result<bool> {
        let mut rest = &self.packed[self.at..];
        if rest.is_empty() {
            return Ok(false);
        }
        match self.decoder.init(&mut rest) {
            Ok(()) => {
                self.at = self.packed.len() - rest.len();
                self.is_in_frame = true;
                Ok(true)
            }
            Err(_) if self.packed.len() - self.at < LONGEST_HEADER => Ok(false),
            Err(error) => Err(io::Error::new(io::ErrorKind::InvalidData, error.to_string())),
        }
    }

    fn unpack_block(&mut self, into: &mut Vec<u8>) -> io::Result<bool> {
        let mut rest = &self.packed[self.at..];
        if block_size(rest).is_none_or(|size| rest.len() < size) {
            return Ok(false);
        }
        let decoded = self.decoder.decode_blocks(&mut rest, BlockDecodingStrategy::UptoBlocks(1));
        decoded.map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error.to_string()))?;
        self.at = self.packed.len() - rest.len();
        self.decoder.collect_to_writer(&mut *into)?;
        self.is_in_frame = !self.decoder.is_finished();
        Ok(true)
    }
}

/// What a block takes with its header (RFC 8878, 3.1.1.2); none while the header is not there. The checksum behind the last block
/// of a frame perf does not write.
fn block_size(bytes: &[u8]) -> Option<usize> {
    let header = u32::from_le_bytes([*bytes.first()?, *bytes.get(1)?, *bytes.get(2)?, 0]);
    let is_repeated = header >> 1 & 3 == 1;
    Some(3 + if is_repeated { 1 } else { (header >> 3) as usize })
}
