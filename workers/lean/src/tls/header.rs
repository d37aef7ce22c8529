//! The five bytes in front of every record: RFC 8446, 5.1.

/// What a record says that it holds; from outside, everything that is encrypted in TLS 1.3 is application data.
pub(crate) use rustls::ContentType as Content;

pub(crate) const HEADER: usize = 5;

/// The most that TLS 1.2 lets a record be longer than its plaintext (RFC 5246 6.2.3); TLS 1.3 allows less.
const EXPANSION: usize = 2048;

/// The longest record with its header.
pub(crate) const LONGEST: usize = HEADER + (1 << 14) + EXPANSION;

/// The type with this number; none if TLS 1.2 and 1.3 have no such.
pub(super) fn content(code: u8) -> Option<Content> {
    (20..=23).contains(&code).then(|| code.into())
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Header {
    /// The type outside.
    pub(crate) content: Content,
    /// Bytes that follow the header.
    pub(crate) length: usize,
}

impl Header {
    /// Reads the header at the beginning; none if it is not all there.
    ///
    /// # Errors
    /// These bytes begin no record of TLS 1.2 or 1.3.
    pub(crate) fn read(bytes: &[u8]) -> Result<Option<Self>, NoRecord> {
        let Some(&[code, major, minor, high, low]) = bytes.first_chunk() else { return Ok(None) };
        let length = usize::from(u16::from_be_bytes([high, low]));
        match (content(code), major, minor) {
            // 3.3 after the first hello, in both versions.
            (Some(content), 3, 3) if (1..=LONGEST - HEADER).contains(&length) => {
                Ok(Some(Self { content, length }))
            }
            _ => Err(NoRecord([code, major, minor, high, low])),
        }
    }

    pub(crate) fn bytes(self) -> [u8; HEADER] {
        // Lengths come from read or from payloads of 16 KiB at most.
        let [high, low] = (self.length as u16).to_be_bytes();
        [self.content.into(), 3, 3, high, low]
    }

    /// The record with its header.
    pub(crate) const fn whole(self) -> usize {
        HEADER + self.length
    }
}

/// Bytes that are the header of no record.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:02x?} is the header of no TLS record")]
pub(crate) struct NoRecord([u8; HEADER]);

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn any_bytes_are_read_without_harm(bytes in proptest::collection::vec(any::<u8>(), 0..12)) {
            match Header::read(&bytes) {
                Ok(None) => prop_assert!(bytes.len() < HEADER),
                Ok(Some(header)) => {
                    prop_assert!(header.whole() <= LONGEST && header.length > 0);
                    prop_assert_eq!(&header.bytes()[..], &bytes[..HEADER]);
                }
                Err(NoRecord(header)) => prop_assert_eq!(&header[..], &bytes[..HEADER]),
            }
        }

        #[test]
        fn what_is_written_is_read(code in 20_u8..=23, length in 1_usize..=LONGEST - HEADER) {
            let header = Header { content: code.into(), length };
            prop_assert_eq!(Header::read(&header.bytes()), Ok(Some(header)));
        }
    }
}
