//! One of the client's connections, and what it is doing.

use std::io;

use tlstax_measure::clock::monotonic;
use tlstax_spec::{Direction, Nanos};

use super::http::{self, invalid};
use super::socket::Socket;
use crate::adapter::Connection;

pub(super) struct Link {
    pub(super) connection: Box<dyn Connection>,
    pub(super) socket: Socket,
    pub(super) stage: Stage,
    /// Requests on it, the one on its way included.
    pub(super) requests: u32,
    /// The most of them; 0 has no end.
    pub(super) most: u32,
    /// When the request on its way was begun, with the connection if it was made for it.
    pub(super) begun: Nanos,
    /// How much of the request the library has taken.
    pub(super) sent: u64,
    /// What has come of the response's head.
    head: Vec<u8>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    Handshake,
    Request,
    Head,
    Body { left: u64 },
    Idle,
    Closing,
}

/// What a response must be.
pub(super) struct Wanted {
    pub(super) direction: Direction,
    /// The bytes of its body; none is whatever comes.
    pub(super) body: Option<u64>,
    /// The bytes of padding in its head.
    pub(super) padding: u32,
}

impl Stage {
    /// For messages.
    pub(super) fn doing(self) -> &'static str {
        match self {
            Self::Handshake => "connecting and shaking hands",
            Self::Request => "sending a request",
            Self::Head => "waiting for a response",
            Self::Body { .. } => "reading a response",
            Self::Idle => "keeping a connection",
            Self::Closing => "waiting for the server to close",
        }
    }
}

impl Link {
    /// A connection that was made for the first of so many requests.
    pub(super) fn new(connection: Box<dyn Connection>, socket: Socket, begun: Nanos, most: u32) -> Self {
        Self {
            connection,
            socket,
            stage: Stage::Handshake,
            requests: 1,
            most,
            begun,
            sent: 0,
            head: Vec::new(),
        }
    }

    /// Whether the request on its way is the last.
    pub(super) fn is_last(&self) -> bool {
        self.requests == self.most
    }

    pub(super) fn begin(&mut self) {
        self.requests += 1;
        self.sent = 0;
        self.begun = monotonic();
        self.stage = Stage::Request;
    }

    /// Reads on in the response's head; the bytes of the body that are still to come, when it is complete.
    pub(super) fn head(&mut self, buffer: &mut [u8], wanted: &Wanted) -> io::Result<Option<u64>> {
        let read = self.read(buffer)? as usize;
        let mut bytes = &buffer[..read];
        // As good as always the whole head comes at once and need not be kept.
        if !self.head.is_empty() {
            self.head.extend_from_slice(bytes);
            bytes = &self.head;
        }
        let Some(head) = http::parse_response(bytes, wanted.direction)? else {
            if self.head.is_empty() {
                self.head.extend_from_slice(&buffer[..read]);
            }
            return Ok(None);
        };
        if let Some(body) = wanted.body.filter(|body| head.body != *body) {
            return Err(invalid(&format!("a body of {} bytes instead of {body}", head.body)));
        }
        if head.padding != wanted.padding as usize {
            let (found, wanted) = (head.padding, wanted.padding);
            return Err(invalid(&format!("a header with {found} bytes of padding instead of {wanted}")));
        }
        let begun = (bytes.len() - head.length) as u64;
        self.head.clear();
        head.body.checked_sub(begun).map(Some).ok_or_else(|| invalid("more bytes than the response has"))
    }

    /// Reads what must not be the end.
    pub(super) fn read(&mut self, buffer: &mut [u8]) -> io::Result<u64> {
        match self.connection.read(buffer)? {
            0 => Err(io::Error::new(
                io::ErrorKind::UnexpectedEof,
                "the server closed the connection too early",
            )),
            read => Ok(read as u64),
        }
    }
}
