//! gzip and zstd, told by their first bytes, whatever a file is called.

mod gzip;
mod zstd;

use std::io::{self, BufRead, Read};

/// What packed a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Packing {
    Gzip,
    Zstd,
}

/// RFC 1952, 2.3.1, with deflate as its only method.
const GZIP: [u8; 3] = [0x1f, 0x8b, 8];

/// RFC 8878, 3.1.1.
const ZSTD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

impl Packing {
    /// What packed something that begins so.
    pub fn of(head: &[u8]) -> Option<Self> {
        match head {
            _ if head.starts_with(&GZIP) => Some(Self::Gzip),
            _ if head.starts_with(&ZSTD) || is_skippable(head) => Some(Self::Zstd),
            _ => None,
        }
    }

    /// What was packed. Where the archive is cut, it ends with [`io::ErrorKind::UnexpectedEof`] after all that there is; where it is
    /// damaged or something else stands behind it, with [`io::ErrorKind::InvalidData`].
    ///
    /// # Errors
    /// The decoder has no memory.
    pub fn unpack<'r>(self, packed: impl BufRead + Send + 'r) -> io::Result<Box<dyn Read + Send + 'r>> {
        Ok(match self {
            Self::Gzip => Box::new(gzip::Members::new(packed)),
            Self::Zstd => Box::new(zstd::frames(packed)?),
        })
    }
}

/// A frame of zstd that holds something else, as pzstd writes one before each (RFC 8878, 3.1.2).
fn is_skippable(head: &[u8]) -> bool {
    matches!(head, [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..])
}

#[cfg(test)]
mod tests;
