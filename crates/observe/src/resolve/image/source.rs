//! [`Source`]: where the bytes of an image are.

use std::fs::File;
use std::os::unix::fs::FileExt;

#[derive(Debug)]
pub enum Source {
    /// Open, so that it can be read when it has been deleted. It is not mapped: whoever cuts it short would end us.
    File(File),
    Memory(Vec<u8>),
}

impl Source {
    /// How many bytes there were, up to the length of `into`.
    pub fn read(&self, offset: u64, into: &mut [u8]) -> usize {
        match self {
            Self::File(file) => {
                let mut length = 0;
                while let Ok(more @ 1..) =
                    file.read_at(&mut into[length..], offset.saturating_add(length as u64))
                {
                    length += more;
                }
                length
            }
            Self::Memory(bytes) => {
                let start = usize::try_from(offset).unwrap_or(usize::MAX).min(bytes.len());
                let length = into.len().min(bytes.len() - start);
                into[..length].copy_from_slice(&bytes[start..start + length]);
                length
            }
        }
    }
}
