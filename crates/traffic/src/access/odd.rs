//! Lines of a log that are of no request, and are not broken either.

use memchr::memmem;

use super::layout::Layout;
use super::server::Server;
use super::time::{Clock, TimeForm};

/// What is in a log beside its entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Odd {
    /// Nothing, or a comment.
    Empty,
    /// A handshake that did not succeed, and when that was: HAProxy writes a line of its own.
    FailedHandshake(Option<i64>),
    /// A message of the server.
    Other,
}

/// What a line is that does not follow its layout; none if that is an error.
pub fn odd(layout: &Layout, line: &[u8], clock: &mut Clock) -> Option<Odd> {
    if line.iter().all(u8::is_ascii_whitespace) || line.starts_with(b"#") {
        return Some(Odd::Empty);
    }
    if layout.server != Server::HAProxy {
        return None;
    }
    if is_failed_handshake(line) {
        let time =
            memchr::memchr(b'[', line).and_then(|at| clock.read(&TimeForm::CommonMillis, &line[at + 1..]));
        return Some(Odd::FailedHandshake(time.map(|(at, _)| at)));
    }
    MESSAGES.iter().any(|begin| line.starts_with(begin)).then_some(Odd::Other)
}

/// What HAProxy says of itself and its servers, by its first word.
const MESSAGES: [&[u8]; 9] = [
    b"Proxy ",
    b"Server ",
    b"Backup ",
    b"Health check",
    b"Connect from ",
    b"backend ",
    b"Pausing ",
    b"Stopping ",
    b"New worker ",
];

/// `127.0.0.1:39012 [22/Nov/2026:21:22:13.123] https/1: SSL handshake failure`
fn is_failed_handshake(line: &[u8]) -> bool {
    memmem::find(line, b": ").is_some_and(|at| {
        let message = &line[at + 2..];
        message.starts_with(b"SSL handshake failure")
            || memmem::find(message, b"SSL handshake").is_some_and(|at| {
                // Closed, or too slow.
                message.starts_with(b"Connection closed during") && at < 32
                    || message.starts_with(b"Timeout during")
            })
    })
}
