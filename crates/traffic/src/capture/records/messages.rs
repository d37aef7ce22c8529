//! [`Messages`]: handshake messages in the clear.

use super::listener::Listener;

/// Types of handshake messages: RFC 8446, B.3, and RFC 5246, A.4.
pub const CLIENT_HELLO: u8 = 1;
pub const SERVER_HELLO: u8 = 2;
pub const CERTIFICATE: u8 = 11;
pub const SERVER_KEY_EXCHANGE: u8 = 12;
pub const SERVER_HELLO_DONE: u8 = 14;
pub const CLIENT_KEY_EXCHANGE: u8 = 16;

/// Bytes that are read of a message: only a hello with many tickets is longer.
const MOST: usize = 16 << 10;

/// Handshake messages of one end, one after the other, across records.
#[derive(Default)]
pub struct Messages {
    header: [u8; 4],
    /// Bytes of the header that are there.
    have: u8,
    /// Bytes of the body that are still to come.
    left: u32,
    /// Bytes of the body that are to be read; 0 where none are, or all have been.
    wanted: usize,
    body: Vec<u8>,
    /// Where the next message begins is not known.
    is_lost: bool,
}

impl Messages {
    pub fn held(&self) -> usize {
        self.body.capacity()
    }

    /// A record begins; where it is not known where a message does, one does here.
    pub fn begin_record(&mut self) {
        if std::mem::take(&mut self.is_lost) {
            *self = Self::default();
        }
    }

    pub fn read(&mut self, mut bytes: &[u8], listener: &mut impl Listener) {
        while !bytes.is_empty() && !self.is_lost {
            bytes = match usize::from(self.have) {
                have @ 0..4 => self.read_header(have, bytes, listener),
                _ => self.read_body(bytes, listener),
            };
        }
    }

    fn read_header<'b>(&mut self, have: usize, bytes: &'b [u8], listener: &mut impl Listener) -> &'b [u8] {
        let count = bytes.len().min(4 - have);
        self.header[have..have + count].copy_from_slice(&bytes[..count]);
        self.have = (have + count) as u8;
        if self.have == 4 {
            let [kind, length @ ..] = self.header;
            self.left = length.iter().fold(0, |number, byte| number << 8 | u32::from(*byte));
            self.wanted = if is_read(kind) { MOST.min(self.left as usize) } else { 0 };
            if self.wanted == 0 {
                listener.message(kind, self.left, &[]);
            }
            self.end_if_done();
        }
        &bytes[count..]
    }

    fn read_body<'b>(&mut self, bytes: &'b [u8], listener: &mut impl Listener) -> &'b [u8] {
        let (body, rest) = bytes.split_at(bytes.len().min(self.left as usize));
        if self.wanted > 0 {
            let more = &body[..body.len().min(self.wanted - self.body.len())];
            if self.body.is_empty() && more.len() == self.wanted {
                self.wanted = 0;
                listener.message(self.header[0], self.length(), more);
            } else {
                self.body.extend_from_slice(more);
                if self.body.len() == self.wanted {
                    self.flush(listener);
                }
            }
        }
        // No more than was left.
        self.left -= body.len() as u32;
        self.end_if_done();
        rest
    }

    /// The length of the body, as its header says.
    fn length(&self) -> u32 {
        let [_, length @ ..] = self.header;
        length.iter().fold(0, |number, byte| number << 8 | u32::from(*byte))
    }

    const fn end_if_done(&mut self) {
        if self.left == 0 {
            self.have = 0;
        }
    }

    /// Goes on behind bytes that are missing. Whether nothing of a message was in them that is read.
    pub fn skip(&mut self, missing: u32, listener: &mut impl Listener) -> bool {
        let is_whole = self.have == 4 && self.wanted == 0 && missing <= self.left;
        self.flush(listener);
        if self.have == 4 && missing <= self.left {
            self.left -= missing;
            self.end_if_done();
        } else {
            self.is_lost = true;
        }
        if !is_whole {
            listener.gap();
        }
        is_whole
    }

    /// Tells of the message that is there in part.
    pub fn flush(&mut self, listener: &mut impl Listener) {
        if std::mem::take(&mut self.wanted) > 0 {
            let body = std::mem::take(&mut self.body);
            listener.message(self.header[0], self.length(), &body);
        }
    }
}

/// Of the others the length is enough.
const fn is_read(kind: u8) -> bool {
    matches!(kind, CLIENT_HELLO | SERVER_HELLO | SERVER_KEY_EXCHANGE)
}
