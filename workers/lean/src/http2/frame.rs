//! Frames: RFC 9113, 4.1 and 6.

use crate::http1::BadResponse;

#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum BadFrame {
    #[error(transparent)]
    Response(#[from] BadResponse),
    /// RST_STREAM or GOAWAY with an error code: RFC 9113, 7.
    #[error("the server gave up with HTTP/2 error code {0}")]
    GaveUp(u32),
    #[error("not HTTP/2: {0}")]
    Syntax(&'static str),
}

/// The length of a frame's header.
const HEADER: usize = 9;

/// The longest payload, as long as nobody has agreed on more.
pub(super) const LONGEST: usize = 16 * 1024;

pub(super) const DATA: u8 = 0;
pub(super) const HEADERS: u8 = 1;
pub(super) const RST_STREAM: u8 = 3;
pub(super) const SETTINGS: u8 = 4;
pub(super) const PING: u8 = 6;
pub(super) const GOAWAY: u8 = 7;
pub(super) const WINDOW_UPDATE: u8 = 8;

pub(super) const END_STREAM: u8 = 1;
pub(super) const ACK: u8 = 1;
pub(super) const END_HEADERS: u8 = 4;
pub(super) const PADDED: u8 = 8;
pub(super) const PRIORITY: u8 = 0x20;

/// What stands in front of a payload.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) struct Head {
    pub(super) length: usize,
    pub(super) kind: u8,
    pub(super) flags: u8,
    pub(super) stream: u32,
}

impl Head {
    pub(super) const fn has(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }

    fn read(bytes: &[u8; HEADER]) -> Result<Self, BadFrame> {
        let [a, b, c, kind, flags, stream @ ..] = *bytes;
        let head = Self {
            length: u32::from_be_bytes([0, a, b, c]) as usize,
            kind,
            flags,
            stream: u32::from_be_bytes(stream) & 0x7fff_ffff,
        };
        if head.length > LONGEST { Err(BadFrame::Syntax("a frame of more than 16 KiB")) } else { Ok(head) }
    }
}

pub(super) fn write(kind: u8, flags: u8, stream: u32, payload: &[u8], out: &mut Vec<u8>) {
    // Nobody here writes more than the longest payload.
    out.extend_from_slice(&(payload.len() as u32).to_be_bytes()[1..]);
    out.extend_from_slice(&[kind, flags]);
    out.extend_from_slice(&stream.to_be_bytes());
    out.extend_from_slice(payload);
}

/// Cuts a stream of bytes into frames. Payloads of DATA are counted; all others are kept until they are whole.
#[derive(Debug, Default)]
pub(super) struct Cutter {
    /// The beginning of a header, or of a payload.
    kept: Vec<u8>,
    /// The frame that we are in.
    head: Option<Head>,
    /// Bytes of DATA still to come.
    left: usize,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Cut<'a> {
    /// A frame other than DATA, with its whole payload.
    Frame(Head, &'a [u8]),
    /// The end of a DATA frame, with the length of what was in it.
    Data(Head, usize),
}

impl Cutter {
    /// Takes bytes and tells of what they complete.
    pub(super) fn feed(
        &mut self,
        mut bytes: &[u8],
        mut tell: impl FnMut(Cut<'_>) -> Result<(), BadFrame>,
    ) -> Result<(), BadFrame> {
        loop {
            let head = match self.head {
                Some(head) => head,
                None => {
                    let mut header = [0; HEADER];
                    match take(&mut self.kept, &mut bytes, HEADER) {
                        Some(whole) => header.copy_from_slice(whole),
                        None => return Ok(()),
                    }
                    self.kept.clear();
                    let head = Head::read(&header)?;
                    self.head = Some(head);
                    self.left = head.length;
                    head
                }
            };
            // The padding of DATA says its length in the payload.
            if head.kind == DATA && !head.has(PADDED) {
                let here = self.left.min(bytes.len());
                bytes = &bytes[here..];
                self.left -= here;
                if self.left > 0 {
                    return Ok(());
                }
                tell(Cut::Data(head, head.length))?;
            } else {
                let Some(payload) = take(&mut self.kept, &mut bytes, head.length) else { return Ok(()) };
                match (head.kind, payload.first()) {
                    (DATA, padding) => {
                        let padding = padding.map(|padding| usize::from(*padding) + 1);
                        let data = padding.and_then(|padding| head.length.checked_sub(padding));
                        tell(Cut::Data(head, data.ok_or(BadFrame::Syntax("more padding than payload"))?))?;
                    }
                    _ => tell(Cut::Frame(head, payload))?,
                }
                self.kept.clear();
            }
            self.head = None;
        }
    }
}

/// So many bytes of what is kept and what has come, if they are all there.
fn take<'kept, 'new: 'kept>(
    kept: &'kept mut Vec<u8>,
    bytes: &mut &'new [u8],
    length: usize,
) -> Option<&'kept [u8]> {
    if kept.is_empty()
        && let Some((whole, rest)) = bytes.split_at_checked(length)
    {
        *bytes = rest;
        return Some(whole);
    }
    let (here, rest) = bytes.split_at((length - kept.len()).min(bytes.len()));
    kept.extend_from_slice(here);
    *bytes = rest;
    (kept.len() == length).then_some(kept)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use proptest::prelude::*;

    use super::*;

    fn cut(pieces: &[&[u8]]) -> Result<Vec<(u8, usize)>, BadFrame> {
        let (mut cutter, mut all) = (Cutter::default(), Vec::new());
        for piece in pieces {
            cutter.feed(piece, |cut| {
                all.push(match cut {
                    Cut::Frame(head, payload) => (head.kind, payload.len()),
                    Cut::Data(head, length) => (head.kind, length),
                });
                Ok(())
            })?;
        }
        Ok(all)
    }

    #[test]
    fn frames_come_in_pieces_of_any_size() {
        let mut bytes = Vec::new();
        write(SETTINGS, 0, 0, &[0; 6], &mut bytes);
        write(DATA, 0, 1, &[7; 100], &mut bytes);
        write(SETTINGS, ACK, 0, &[], &mut bytes);
        write(DATA, PADDED, 1, &[3, 1, 1, 0, 0, 0], &mut bytes);
        write(DATA, END_STREAM, 1, &[], &mut bytes);
        let expected = vec![(SETTINGS, 6), (DATA, 100), (SETTINGS, 0), (DATA, 2), (DATA, 0)];
        for size in 1..=bytes.len() {
            let pieces: Vec<_> = bytes.chunks(size).collect();
            assert_eq!(cut(&pieces).unwrap(), expected, "{size}");
        }
    }

    #[test]
    fn what_cannot_be_is_refused() {
        assert!(cut(&[b"HTTP/1.1 400 Bad Request\r\n"]).is_err());
        let mut bytes = Vec::new();
        write(DATA, PADDED, 1, &[9, 1], &mut bytes);
        assert!(cut(&[&bytes]).is_err());
    }

    proptest! {
        #[test]
        fn pieces_make_no_difference(bytes in proptest::collection::vec(0_u8..3, 0..200), at in 0_usize..200) {
            let at = at.min(bytes.len());
            prop_assert_eq!(cut(&[&bytes]), cut(&[&bytes[..at], &bytes[at..]]));
        }
    }
}
