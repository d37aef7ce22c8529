//! The control's record layer: headers and tags without meaning.

use std::io::{self, ErrorKind, IoSlice, Read, Write};

use crate::adapter::Transport;

/// Content types of the record layer, RFC 8446 5.1.
pub(super) const ALERT: u8 = 21;
pub(super) const HANDSHAKE: u8 = 22;
pub(super) const DATA: u8 = 23;

/// The first byte of a record that does not end its flight: a chain of ML-DSA certificates fills several.
pub(super) const PART: u8 = 2;

/// Records over a transport.
pub(super) struct Records {
    transport: Box<dyn Transport>,
    /// One record at least; `incoming[start..end]` has arrived and is not used yet.
    pub(super) incoming: Vec<u8>,
    start: usize,
    end: usize,
    /// Bytes of a record whose head is at the front of `incoming` and whose data are read past it.
    past: usize,
    outgoing: Vec<u8>,
    sent: usize,
}

/// Type, version and length.
const HEADER: usize = 5;

/// As long as the inner content type and the tag of TLS 1.3. It stands before the data, which can then go out from where they
/// are, and ends with their last byte, so that damage is seen.
const TAG: [u8; 17] = [0xa5; 17];

/// What stands before the data of a record.
const HEAD: usize = HEADER + TAG.len();

/// The longest record.
const CHUNK: usize = HEAD + 16 * 1024;

fn head(kind: u8, length: usize, last: Option<u8>) -> [u8; HEAD] {
    let mut head = [TAG[0]; HEAD];
    head[..3].copy_from_slice(&[kind, 3, 3]);
    head[3..HEADER].copy_from_slice(&((length + TAG.len()) as u16).to_be_bytes());
    head[HEAD - 1] = last.unwrap_or(TAG[0]);
    head
}

impl Records {
    pub(super) fn over(transport: Box<dyn Transport>) -> Self {
        Self { transport, incoming: vec![0; CHUNK], start: 0, end: 0, past: 0, outgoing: Vec::new(), sent: 0 }
    }

    /// Appends a flight of handshake messages: in as many records as it takes, the last with its first byte.
    pub(super) fn put_flight(&mut self, first: u8, mut zeros: usize) {
        const MOST: usize = 16 * 1024 - 1;
        while zeros > MOST {
            self.put(HANDSHAKE, &[PART], MOST);
            zeros -= MOST;
        }
        self.put(HANDSHAKE, &[first], zeros);
    }

    /// Appends a record: some bytes, and so many zeros after them.
    pub(super) fn put(&mut self, kind: u8, data: &[u8], zeros: usize) {
        let last = if zeros > 0 { Some(0) } else { data.last().copied() };
        self.outgoing.extend_from_slice(&head(kind, data.len() + zeros, last));
        self.outgoing.extend_from_slice(data);
        self.outgoing.resize(self.outgoing.len() + zeros, 0);
    }

    pub(super) fn flush(&mut self) -> io::Result<()> {
        while self.sent < self.outgoing.len() {
            self.sent += self.transport.write(&self.outgoing[self.sent..])?;
        }
        self.outgoing.clear();
        self.sent = 0;
        Ok(())
    }

    /// Sends a record from where its data are, when nothing else waits to be sent; what the transport does not take now goes
    /// with the next call.
    pub(super) fn send(&mut self, kind: u8, data: &[u8]) -> io::Result<()> {
        let head = head(kind, data.len(), data.last().copied());
        let mut pieces: &mut [IoSlice<'_>] = &mut [IoSlice::new(&head), IoSlice::new(data)];
        while !pieces.is_empty() {
            match self.transport.write_vectored(pieces) {
                Ok(sent) => IoSlice::advance_slices(&mut pieces, sent),
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    pieces.iter().for_each(|piece| self.outgoing.extend_from_slice(piece));
                    break;
                }
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// The next record: its type, and from where to where its plaintext is in `incoming`.
    pub(super) fn next(&mut self) -> io::Result<(u8, usize, usize)> {
        loop {
            let unread = &self.incoming[self.start..self.end];
            if let [kind, _, _, high, low, rest @ ..] = unread {
                let length = usize::from(u16::from_be_bytes([*high, *low]));
                if length < TAG.len() || length > CHUNK - HEADER {
                    return Err(io::Error::new(ErrorKind::InvalidData, "record of a length that cannot be"));
                }
                if rest.len() >= length {
                    let (from, to) = (self.start + HEAD, self.start + HEADER + length);
                    let last = if from == to { TAG[0] } else { self.incoming[to - 1] };
                    if self.incoming[from - 1] != last {
                        return Err(io::Error::new(ErrorKind::InvalidData, "damaged record"));
                    }
                    self.start = to;
                    return Ok((*kind, from, to));
                }
            }
            self.fill(CHUNK)?;
        }
    }

    /// Reads data of a record into the reader's own buffer, past `incoming`, if nothing else waits; 0 if something does.
    pub(super) fn read_past(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.past == 0 {
            if self.start < self.end {
                return Ok(0);
            }
            self.fill(HEAD)?;
            let [DATA, _, _, high, low] = self.incoming[..HEADER] else { return Ok(0) };
            let length = usize::from(u16::from_be_bytes([high, low]));
            if self.end < HEAD || length <= TAG.len() || length > CHUNK - HEADER {
                return Ok(0);
            }
            self.past = length - TAG.len();
            self.end = 0;
        }
        let most = buffer.len().min(self.past);
        let read = self.transport.read(&mut buffer[..most])?;
        self.past -= read;
        let last = buffer[..read].last().filter(|_| self.past == 0);
        if last.is_some_and(|&last| last != self.incoming[HEAD - 1]) {
            return Err(io::Error::new(ErrorKind::InvalidData, "damaged record"));
        }
        Ok(read)
    }

    /// Reads more, until so many bytes are there at most.
    fn fill(&mut self, most: usize) -> io::Result<()> {
        self.incoming.copy_within(self.start..self.end, 0);
        self.end -= self.start;
        self.start = 0;
        match self.transport.read(&mut self.incoming[self.end..most])? {
            0 => Err(io::Error::new(ErrorKind::UnexpectedEof, "the transport ended without close_notify")),
            read => {
                self.end += read;
                Ok(())
            }
        }
    }
}
