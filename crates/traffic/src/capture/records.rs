//! [`Records`]: TLS records in a stream, of which only the headers and the clear handshake are looked at.

mod find;
pub mod form;
mod listener;
pub mod messages;

use self::find::{Found, find};
use self::form::{ALERT, APPLICATION_DATA, CHANGE_CIPHER_SPEC, HANDSHAKE, HEADER, HEARTBEAT, LONGEST};
pub use self::listener::Listener;
use self::messages::Messages;

/// Segments in which a record is looked for before it is given up: what has none is another protocol.
const MOST_TRIES: u8 = 200;

/// TLS records in a stream.
#[derive(Default)]
pub struct Records {
    state: State,
    header: [u8; HEADER],
    /// The length of a record that is one if another follows where it ends.
    unsure: Option<u16>,
    /// Records were found, so that there will be more.
    has_any: bool,
    messages: Messages,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// The header of the first record, of which so much is there.
    First(u8),
    /// The header of another one.
    Header(u8),
    /// So much of a body is still to come.
    Body { left: u16, is_clear: bool },
    /// Where the next record begins is not known; it was looked for in so many segments.
    Lost { tries: u8 },
    /// No TLS.
    Foreign,
}

impl Default for State {
    fn default() -> Self {
        Self::Lost { tries: 0 }
    }
}

impl Records {
    /// The next byte is the first of the stream.
    pub fn begin(&mut self) {
        self.state = State::First(0);
    }

    pub fn held(&self) -> usize {
        self.messages.held()
    }

    /// Reads what comes next. Whether anything could be told of it.
    pub fn read(&mut self, mut bytes: &[u8], listener: &mut impl Listener) -> bool {
        if let State::Lost { tries } = self.state {
            let Some(Found { at, is_unsure }) = find(bytes) else {
                listener.unread(bytes.len() as u64);
                let tries = if self.has_any { 0 } else { tries.saturating_add(1) };
                self.state = if tries > MOST_TRIES { State::Foreign } else { State::Lost { tries } };
                return false;
            };
            listener.unread(at as u64);
            bytes = &bytes[at..];
            self.state = State::Header(0);
            // Told by its header, which comes next.
            self.unsure = is_unsure.then_some(0);
        }
        while !bytes.is_empty() {
            bytes = match self.state {
                State::First(have) | State::Header(have) => self.read_header(have, bytes, listener),
                State::Body { left, is_clear } => self.read_body(left, is_clear, bytes, listener),
                State::Lost { .. } => {
                    listener.unread(bytes.len() as u64);
                    return true;
                }
                State::Foreign => return true,
            };
        }
        true
    }

    fn read_header<'b>(&mut self, have: u8, bytes: &'b [u8], listener: &mut impl Listener) -> &'b [u8] {
        let from = usize::from(have);
        let count = bytes.len().min(HEADER - from);
        self.header[from..from + count].copy_from_slice(&bytes[..count]);
        let have = (from + count) as u8;
        let is_first = matches!(self.state, State::First(_));
        self.state = if usize::from(have) < HEADER {
            if is_first { State::First(have) } else { State::Header(have) }
        } else {
            self.begin_body(is_first, listener)
        };
        &bytes[count..]
    }

    fn begin_body(&mut self, is_first: bool, listener: &mut impl Listener) -> State {
        let [kind, major, _, high, low] = self.header;
        let left = u16::from_be_bytes([high, low]);
        let known = if is_first { ALERT..=HANDSHAKE } else { CHANGE_CIPHER_SPEC..=HEARTBEAT };
        let is_record = known.contains(&kind) && major == 3 && usize::from(left) <= LONGEST;
        match self.unsure.take() {
            Some(0) => {
                self.unsure = Some(left);
                return State::Body { left, is_clear: false };
            }
            Some(before) if is_record => {
                listener.record(APPLICATION_DATA, before);
            }
            Some(before) => listener.unread(HEADER as u64 + u64::from(before)),
            None => {}
        }
        match is_record {
            true => self.begin_known_body(kind, left, listener),
            false if is_first => State::Foreign,
            false => {
                listener.gap();
                State::Lost { tries: 0 }
            }
        }
    }

    fn begin_known_body(&mut self, kind: u8, left: u16, listener: &mut impl Listener) -> State {
        let is_clear = listener.record(kind, left);
        self.has_any = true;
        if is_clear {
            self.messages.begin_record();
        }
        if left == 0 { State::Header(0) } else { State::Body { left, is_clear } }
    }

    fn read_body<'b>(
        &mut self,
        left: u16,
        is_clear: bool,
        bytes: &'b [u8],
        listener: &mut impl Listener,
    ) -> &'b [u8] {
        let (body, rest) = bytes.split_at(bytes.len().min(left.into()));
        if is_clear {
            self.messages.read(body, listener);
        }
        // No more than was left.
        let left = left - body.len() as u16;
        self.state = if left == 0 { State::Header(0) } else { State::Body { left, is_clear } };
        rest
    }

    /// Goes on behind bytes that are missing. Whether nothing was in them that had to be known.
    pub fn skip(&mut self, missing: u32, listener: &mut impl Listener) -> bool {
        match self.state {
            State::Foreign => true,
            State::Body { left, is_clear } if u32::from(left) >= missing => {
                let is_whole = !is_clear || self.messages.skip(missing, listener);
                // Not more than 16 bits can tell.
                let left = left - missing as u16;
                self.state = if left == 0 { State::Header(0) } else { State::Body { left, is_clear } };
                is_whole
            }
            State::Lost { .. } => {
                listener.unread(missing.into());
                true
            }
            state => {
                let left = match state {
                    State::Body { left, is_clear } => {
                        if is_clear {
                            self.messages.skip(u32::MAX, listener);
                        }
                        left
                    }
                    _ => 0,
                };
                listener.gap();
                // The record before counts with all of its bytes.
                listener.unread((missing - u32::from(left)).into());
                self.state = State::Lost { tries: 0 };
                false
            }
        }
    }

    /// Nothing more comes: what is there of a message is all of it.
    pub fn flush(&mut self, listener: &mut impl Listener) {
        self.messages.flush(listener);
    }
}
