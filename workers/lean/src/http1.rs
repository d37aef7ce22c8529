//! HTTP/1.1 as a load needs it: requests that are written once, and responses of which only the head is read.

mod chunks;
mod head;

pub(crate) use head::{Accepts, BadResponse, HeadReader};

use chunks::Chunks;
use head::Body;
use tlstax_spec::Method;

/// The two requests of a load: the last one on a connection asks the server to close it.
pub(crate) struct Requests {
    pub(crate) usual: Vec<u8>,
    last: Vec<u8>,
}

impl Requests {
    /// Heads only: the body of an upload is written as it goes.
    pub(crate) fn new(host: &str, path: &str, upload: Option<(Method, u32)>) -> Self {
        let request = |close: &str| {
            let start = match upload {
                None => format!("GET {path} HTTP/1.1\r\nHost: {host}\r\n"),
                Some((method, body)) => {
                    format!("{method} {path} HTTP/1.1\r\nHost: {host}\r\nContent-Length: {body}\r\n")
                }
            };
            format!("{start}{close}\r\n").into_bytes()
        };
        Self { usual: request(""), last: request("Connection: close\r\n") }
    }

    pub(crate) fn of(&self, is_last: bool) -> &[u8] {
        if is_last { &self.last } else { &self.usual }
    }
}

#[derive(Debug, Default)]
pub(crate) struct Response {
    reading: Reading,
    /// The beginning of a head that did not come at once.
    head: Vec<u8>,
    /// Bytes of the body, as far as the head says or the chunks have been counted.
    body: u64,
    /// Whether the server closes the connection after it.
    closes: bool,
}

#[derive(Debug, Default)]
enum Reading {
    #[default]
    Head,
    Body {
        left: u64,
    },
    Chunks(Chunks),
    Done,
}

impl Response {
    /// Reads on; whether the response is complete.
    ///
    /// # Errors
    /// It is not the response that the load wants.
    pub(crate) fn feed(&mut self, bytes: &[u8], heads: &mut HeadReader) -> Result<bool, BadResponse> {
        let bytes = match &mut self.reading {
            Reading::Head => match self.read_head(bytes, heads)? {
                Some(taken) => &bytes[taken..],
                None => return Ok(false),
            },
            _ => bytes,
        };
        match &mut self.reading {
            Reading::Head => Ok(false),
            Reading::Done if bytes.is_empty() => Ok(true),
            Reading::Done => Err(BadResponse::Surplus),
            Reading::Body { left } => {
                *left = left.checked_sub(bytes.len() as u64).ok_or(BadResponse::Surplus)?;
                Ok(*left == 0)
            }
            Reading::Chunks(chunks) => {
                let is_complete = chunks.feed(bytes)?;
                self.body = chunks.body;
                Ok(is_complete)
            }
        }
    }

    /// Bytes of the body that need not be looked at; 0 while something has to be read.
    pub(crate) fn unread(&self) -> u64 {
        match self.reading {
            Reading::Body { left } => left,
            _ => 0,
        }
    }

    /// So many bytes of the body have been thrown away.
    pub(crate) fn discarded(&mut self, bytes: u64) -> Result<(), BadResponse> {
        if let Reading::Body { left } = &mut self.reading {
            *left = left.checked_sub(bytes).ok_or(BadResponse::Surplus)?;
        }
        Ok(())
    }

    /// The bytes of the body and whether the server closes, as soon as the head has told both.
    pub(crate) fn foretold(&self) -> Option<(u64, bool)> {
        matches!(self.reading, Reading::Body { .. } | Reading::Done).then_some((self.body, self.closes))
    }

    /// Ends a complete response, and gets ready for the next: the bytes of its body, and whether the server closes.
    pub(crate) fn finish(&mut self) -> (u64, bool) {
        self.reading = Reading::Head;
        (self.body, self.closes)
    }

    /// How many of these bytes belong to the head, once it is complete.
    fn read_head(&mut self, bytes: &[u8], heads: &mut HeadReader) -> Result<Option<usize>, BadResponse> {
        let before = self.head.len();
        // As good as always the whole head comes at once and need not be kept.
        let head = if before == 0 {
            heads.read(bytes)?
        } else {
            self.head.extend_from_slice(bytes);
            heads.read(&self.head)?
        };
        let Some(head) = head else {
            if before == 0 {
                self.head.extend_from_slice(bytes);
            }
            return Ok(None);
        };
        self.head.clear();
        self.closes = head.closes;
        self.body = 0;
        self.reading = match head.body {
            Body::Length(0) => Reading::Done,
            Body::Length(length) => {
                self.body = length;
                Reading::Body { left: length }
            }
            Body::Chunked => Reading::Chunks(Chunks::default()),
        };
        // The part that came before was no whole head, so some of these bytes are in it.
        Ok(Some(head.length - before))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn whole(bytes: &[u8], wanted: Option<u64>) -> Result<(u64, bool), BadResponse> {
        let mut response = Response::default();
        let mut heads = HeadReader::new(Accepts::downloads(wanted));
        if response.feed(bytes, &mut heads)? { Ok(response.finish()) } else { panic!("not complete") }
    }

    #[test]
    fn a_response_comes_in_pieces_of_any_size() {
        let bytes = b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\nConnection: close\r\n\r\nabc";
        for size in 1..=bytes.len() {
            let mut heads = HeadReader::new(Accepts::downloads(Some(3)));
            let mut response = Response::default();
            for _ in 0..2 {
                let mut complete: Vec<bool> =
                    bytes.chunks(size).map(|piece| response.feed(piece, &mut heads).unwrap()).collect();
                assert_eq!(complete.pop(), Some(true));
                assert!(!complete.contains(&true));
                assert_eq!(response.finish(), (3, true));
            }
        }
    }

    #[test]
    fn lengths_are_held_against_the_load() {
        for (said, body, wanted, expected) in [
            (3, "abc", Some(3), Ok((3, false))),
            (3, "abc", None, Ok((3, false))),
            (3, "abc", Some(4), Err(BadResponse::Length { got: 3, wanted: 4 })),
            (3, "abcd", Some(3), Err(BadResponse::Surplus)),
            (0, "", Some(0), Ok((0, false))),
            (0, "x", Some(0), Err(BadResponse::Surplus)),
        ] {
            let response = format!("HTTP/1.1 200 OK\r\nContent-Length: {said}\r\n\r\n{body}");
            assert_eq!(whole(response.as_bytes(), wanted), expected, "{response}");
        }
    }

    #[test]
    fn a_body_may_be_thrown_away() {
        let mut heads = HeadReader::new(Accepts::downloads(Some(10)));
        let mut response = Response::default();
        let head = b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n1234";
        assert_eq!(response.feed(head, &mut heads), Ok(false));
        assert_eq!(response.unread(), 6);
        response.discarded(6).unwrap();
        assert_eq!(response.unread(), 0);
        assert_eq!(response.discarded(1), Err(BadResponse::Surplus));
    }

    #[test]
    fn a_body_in_chunks_is_counted() {
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
        let bytes = format!("{head}3\r\nabc\r\n0\r\n\r\n");
        assert_eq!(whole(bytes.as_bytes(), None), Ok((3, false)));
    }

    #[test]
    fn requests_say_what_they_are() {
        let of = |upload| Requests::new("server.test", "/x", upload);
        let get = of(None);
        assert_eq!(get.usual, b"GET /x HTTP/1.1\r\nHost: server.test\r\n\r\n");
        assert_eq!(get.last, b"GET /x HTTP/1.1\r\nHost: server.test\r\nConnection: close\r\n\r\n");
        let post = of(Some((Method::Post, 7))).usual;
        assert_eq!(post, b"POST /x HTTP/1.1\r\nHost: server.test\r\nContent-Length: 7\r\n\r\n");
        let put = of(Some((Method::Put, 7))).usual;
        assert_eq!(put, b"PUT /x HTTP/1.1\r\nHost: server.test\r\nContent-Length: 7\r\n\r\n");
    }
}
