//! Bodies in chunks (RFC 9112 7.1), of servers that do not know the length beforehand.

use super::head::BadResponse;

#[derive(Debug, Default)]
pub(super) struct Chunks {
    state: State,
    /// Bytes of the body so far.
    pub(super) body: u64,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum State {
    /// In the digits of a size.
    #[default]
    Start,
    Size(u64),
    /// Behind the digits, in an extension or the line's end.
    Extension(u64),
    Data(u64),
    /// The line's end behind the data.
    AfterData,
    /// At the beginning of a line of trailers.
    TrailerStart,
    Trailer,
    Done,
}

impl Chunks {
    /// Reads on; whether the body is complete.
    pub(super) fn feed(&mut self, mut bytes: &[u8]) -> Result<bool, BadResponse> {
        while let Some((&byte, rest)) = bytes.split_first() {
            self.state = match self.state {
                State::Data(left) => {
                    let here = left.min(bytes.len() as u64);
                    self.body += here;
                    // At most the length of the slice.
                    bytes = &bytes[here as usize..];
                    self.state = if here == left { State::AfterData } else { State::Data(left - here) };
                    continue;
                }
                State::Done => return Err(BadResponse::Surplus),
                other => other.after(byte)?,
            };
            bytes = rest;
        }
        Ok(self.state == State::Done)
    }
}

impl State {
    /// Where a byte that is no data leads.
    fn after(self, byte: u8) -> Result<Self, BadResponse> {
        let digit = (byte as char).to_digit(16).map(u64::from);
        Ok(match (self, byte, digit) {
            (Self::Start, _, Some(digit)) => Self::Size(digit),
            (Self::Size(size), _, Some(digit)) if size < 1 << 56 => Self::Size(size * 16 + digit),
            (Self::Size(0) | Self::Extension(0), b'\n', _) => Self::TrailerStart,
            (Self::Size(size) | Self::Extension(size), b'\n', _) => Self::Data(size),
            (Self::Size(size), b'\r' | b';' | b' ' | b'\t', _) | (Self::Extension(size), ..) => {
                Self::Extension(size)
            }
            (Self::AfterData, b'\r', _) => Self::AfterData,
            (Self::AfterData, b'\n', _) => Self::Start,
            (Self::TrailerStart, b'\r', _) => Self::TrailerStart,
            (Self::TrailerStart, b'\n', _) => Self::Done,
            (Self::Trailer, b'\n', _) => Self::TrailerStart,
            (Self::TrailerStart | Self::Trailer, ..) => Self::Trailer,
            _ => return Err(BadResponse::Syntax("a chunk without a size".to_owned())),
        })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn pieces_may_end_anywhere() {
        let bytes = b"3;a=b\r\nabc\r\n1A\r\n0123456789abcdefghijklmnop\r\n0\r\nTrailer: x\r\n\r\n";
        for size in 1..=bytes.len() {
            let mut chunks = Chunks::default();
            let mut complete: Vec<_> = bytes.chunks(size).map(|piece| chunks.feed(piece).unwrap()).collect();
            assert_eq!(complete.pop(), Some(true));
            assert!(!complete.contains(&true));
            assert_eq!(chunks.body, 29);
            assert_eq!(chunks.feed(b"x"), Err(BadResponse::Surplus));
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_without_harm(bytes in "[0-9a-f\r\n;x]{0,60}") {
            let mut chunks = Chunks::default();
            if chunks.feed(bytes.as_bytes()).is_ok() {
                prop_assert!(chunks.body <= bytes.len() as u64);
            }
        }
    }
}
