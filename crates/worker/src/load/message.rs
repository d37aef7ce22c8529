//! [`Message`]: what is sent, a head and a body of so many bytes, of which no more is held than caches do.

use std::io;

use tlstax_spec::{Direction, Load, PADDING, padding_value};

use super::socket::Socket;
use crate::adapter::Connection;
use crate::pki::SERVER_NAME;

/// The most of a body that is held: more than the cache of a core. What is longer repeats it, so that a large file takes
/// no memory of its size and is not read from the cache either.
const HELD: u32 = 16 << 20;

/// The bytes that are handed to the library at once. A library that encrypts record by record makes four full ones of
/// them; one that gathers its records, and plain HTTP, can send them in one system call.
const PIECE: usize = 64 * 1024;

#[derive(Debug)]
pub(super) struct Message {
    /// The head, and of the body what is held.
    bytes: Vec<u8>,
    /// Bytes of the head.
    head: usize,
    /// Bytes of all.
    length: u64,
}

impl Message {
    /// A head with a body whose bytes are not all the same.
    pub(super) fn new(head: String, body: u32) -> Self {
        let mut bytes = head.into_bytes();
        let head = bytes.len();
        bytes.extend((0..body.min(HELD)).map(|at| (at % 251) as u8));
        Self { bytes, head, length: head as u64 + u64::from(body) }
    }

    /// A request of a load, with or without the wish that it is the last one on its connection.
    pub(super) fn request(load: &Load, last: bool) -> Self {
        let close = if last { "Connection: close\r\n" } else { "" };
        match load.direction {
            Direction::Download => {
                Self::new(format!("GET / HTTP/1.1\r\nHost: {SERVER_NAME}\r\n{close}\r\n"), 0)
            }
            Direction::Upload => {
                let (start, length) = ("PUT /upload HTTP/1.1", load.body);
                let head =
                    format!("{start}\r\nHost: {SERVER_NAME}\r\nContent-Length: {length}\r\n{close}\r\n");
                Self::new(head, load.body)
            }
        }
    }

    /// A response with a body of so many bytes, and a line of padding of so many in its head.
    pub(super) fn response(body: u32, last: bool, padding: u32) -> Self {
        let close = if last { "Connection: close\r\n" } else { "" };
        let padding =
            padding_value(padding).map_or_else(String::new, |value| format!("{PADDING}: {value}\r\n"));
        Self::new(format!("HTTP/1.1 200 OK\r\nContent-Length: {body}\r\n{padding}{close}\r\n"), body)
    }

    /// Sends the rest of it over a connection; `Ok` when all of it has left the library.
    pub(super) fn send(
        &self,
        connection: &mut dyn Connection,
        socket: &Socket,
        sent: &mut u64,
    ) -> io::Result<()> {
        while *sent < self.length {
            match connection.write(self.piece(*sent))? {
                0 => return Err(io::ErrorKind::WriteZero.into()),
                accepted => *sent += accepted as u64,
            }
        }
        if socket.is_blocked() {
            connection.write(&[])?;
        }
        // Not every library says it when it still keeps something.
        if socket.is_blocked() { Err(io::ErrorKind::WouldBlock.into()) } else { Ok(()) }
    }

    /// What comes next after so many bytes, which are not all.
    fn piece(&self, sent: u64) -> &[u8] {
        let (head, held) = (self.head as u64, self.bytes.len() as u64);
        let from = if sent < held { sent } else { head + (sent - head) % (held - head) } as usize;
        let left = usize::try_from(self.length - sent).unwrap_or(PIECE);
        &self.bytes[from..self.bytes.len().min(from + PIECE.min(left))]
    }

    /// All of it.
    #[cfg(test)]
    pub(super) fn whole(&self) -> Vec<u8> {
        let mut whole = Vec::new();
        while (whole.len() as u64) < self.length {
            whole.extend_from_slice(self.piece(whole.len() as u64));
        }
        whole
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_longer_than_what_is_held_repeats_it() {
        let body = 2 * HELD + 1000;
        let message = Message::new("head".to_owned(), body);
        assert!(message.bytes.len() < HELD as usize + 5);
        let whole = message.whole();
        assert_eq!(whole.len(), 4 + body as usize);
        let held = HELD as usize;
        assert_eq!(&whole[..4], b"head");
        assert!(whole[4..4 + held] == whole[4 + held..4 + 2 * held], "the body goes on without the head");
        assert!(whole[4..1004] == whole[4 + 2 * held..]);
    }

    #[test]
    fn no_piece_is_empty_or_too_long() {
        for body in [0, 1, 65_535, 65_536, HELD, HELD + 1] {
            let message = Message::new("HTTP".to_owned(), body);
            let mut sent = 0;
            while sent < message.length {
                let piece = message.piece(sent).len();
                assert!((1..=PIECE).contains(&piece), "{piece} bytes after {sent} of {body}");
                sent += piece as u64;
            }
            assert_eq!(sent, message.length, "{body}");
        }
    }
}
