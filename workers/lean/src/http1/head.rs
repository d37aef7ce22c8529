//! Heads of responses. One is like the other but for the date, so most are not parsed but compared with the last.

use std::ops::Range;

use tlstax_worker::heads::{LONGEST_HEAD, MOST_HEADERS, closes, content_length, header, padding};

#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum BadResponse {
    #[error("status {0} instead of 200")]
    Status(u16),
    #[error("not HTTP/1: {0}")]
    Syntax(String),
    #[error("a response without a Content-Length")]
    NoLength,
    #[error("a body of {got} bytes instead of {wanted}")]
    Length { got: u64, wanted: u64 },
    #[error("a header with {got} bytes of padding instead of {wanted}")]
    Padding { got: usize, wanted: u32 },
    #[error("more bytes than the response has")]
    Surplus,
}

/// Which responses are good ones.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Accepts {
    /// The length of the body; none is any, in chunks too.
    pub(crate) body: Option<u64>,
    /// Whether any status of success is one, or 200 alone.
    pub(crate) any_success: bool,
    /// The bytes of the line of padding in the head; 0 is none.
    pub(crate) padding: u32,
}

impl Accepts {
    /// 200, with a body of so many bytes, or of any length.
    pub(crate) const fn downloads(body: Option<u64>) -> Self {
        Self { body, any_success: false, padding: 0 }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Head {
    /// Its length in bytes.
    pub(super) length: usize,
    pub(super) body: Body,
    /// Whether the server closes the connection after the response.
    pub(super) closes: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Body {
    Length(u64),
    Chunked,
}

/// Reads heads, and remembers the last.
#[derive(Debug)]
pub(crate) struct HeadReader {
    accepts: Accepts,
    last: Option<Remembered>,
}

/// A head that was parsed, and where its date is.
#[derive(Debug)]
struct Remembered {
    bytes: Vec<u8>,
    date: Range<usize>,
    head: Head,
}

impl HeadReader {
    pub(crate) const fn new(accepts: Accepts) -> Self {
        Self { accepts, last: None }
    }

    /// Reads the head at the beginning; none if it is not complete yet.
    pub(super) fn read(&mut self, bytes: &[u8]) -> Result<Option<Head>, BadResponse> {
        if let Some(head) = self.last.as_ref().and_then(|last| last.repeated(bytes)) {
            return Ok(Some(head));
        }
        let mut headers = [httparse::EMPTY_HEADER; MOST_HEADERS];
        let mut response = httparse::Response::new(&mut headers);
        let length = match response.parse(bytes) {
            Ok(httparse::Status::Complete(length)) => length,
            Ok(httparse::Status::Partial) if bytes.len() < LONGEST_HEAD => return Ok(None),
            Ok(httparse::Status::Partial) => {
                return Err(BadResponse::Syntax(format!("a head of more than {LONGEST_HEAD} bytes")));
            }
            Err(error) => return Err(BadResponse::Syntax(error.to_string())),
        };
        let head = self.judge(length, &response)?;
        self.last = header(response.headers, "date").map(|date| {
            // The value is a part of `bytes`.
            let start = date.as_ptr().addr() - bytes.as_ptr().addr();
            Remembered { bytes: bytes[..length].to_vec(), date: start..start + date.len(), head }
        });
        Ok(Some(head))
    }

    fn judge(&self, length: usize, response: &httparse::Response<'_, '_>) -> Result<Head, BadResponse> {
        let code = response.code.unwrap_or_default();
        if code != 200 && !(self.accepts.any_success && (200..300).contains(&code)) {
            return Err(BadResponse::Status(code));
        }
        let got = padding(response.headers);
        let wanted = self.accepts.padding;
        if got != wanted as usize {
            return Err(BadResponse::Padding { got, wanted });
        }
        let said = content_length(response.headers);
        let is_chunked = header(response.headers, "transfer-encoding")
            .is_some_and(|value| value.trim_ascii().eq_ignore_ascii_case(b"chunked"));
        let body = match (code, is_chunked, said, self.accepts.body) {
            // RFC 9110 15.3.5: never a body.
            (204, ..) => Body::Length(0),
            (_, true, _, None) => Body::Chunked,
            (_, false, Some(got), Some(wanted)) if got != wanted => {
                return Err(BadResponse::Length { got, wanted });
            }
            (_, false, Some(got), _) => Body::Length(got),
            _ => return Err(BadResponse::NoLength),
        };
        Ok(Head { length, body, closes: closes(response.headers, response.version) })
    }
}

impl Remembered {
    fn repeated(&self, bytes: &[u8]) -> Option<Head> {
        let bytes = bytes.get(..self.bytes.len())?;
        let Range { start, end } = self.date;
        let is_same = bytes[..start] == self.bytes[..start] && bytes[end..] == self.bytes[end..];
        // A line end in the place of the date would be another head.
        (is_same && !bytes[start..end].contains(&b'\n')).then_some(self.head)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use proptest::prelude::*;

    use super::*;

    fn head(date: &str, length: u64) -> Vec<u8> {
        format!("HTTP/1.1 200 OK\r\nDate: {date}\r\nContent-Length: {length}\r\n\r\n").into_bytes()
    }

    #[test]
    fn a_repeated_head_is_not_parsed_and_another_is() {
        let mut heads = HeadReader::new(Accepts::downloads(None));
        let first = heads.read(&head("Mon, 01 Jan 2024 00:00:00 GMT", 12)).unwrap().unwrap();
        assert_eq!(first.body, Body::Length(12));
        let again = head("Mon, 01 Jan 2024 00:00:01 GMT", 12);
        assert_eq!(heads.last.as_ref().unwrap().repeated(&again), Some(first));
        assert_eq!(heads.read(&again), Ok(Some(first)));
        // The same length, another body.
        let other = heads.read(&head("Mon, 01 Jan 2024 00:00:02 GMT", 13)).unwrap().unwrap();
        assert_eq!((other.length, other.body), (first.length, Body::Length(13)));
        // Not the whole head.
        assert_eq!(heads.read(&again[..again.len() - 1]), Ok(None));
        // As long as a date, and no date.
        let smuggled = head("x\r\nContent-Length: 99\r\nX-y:  ", 13);
        assert_eq!(heads.read(&smuggled).unwrap().unwrap().body, Body::Length(99));
    }

    #[test]
    fn what_the_load_does_not_want_is_refused() {
        let read = |accepts: Accepts, head: &str| HeadReader::new(accepts).read(head.as_bytes());
        let download = Accepts::downloads(Some(3));
        assert_eq!(read(download, "HTTP/1.1 500 No\r\n\r\n"), Err(BadResponse::Status(500)));
        assert_eq!(read(download, "HTTP/1.1 204 No\r\n\r\n"), Err(BadResponse::Status(204)));
        assert_eq!(read(download, "HTTP/1.1 200 OK\r\n\r\n"), Err(BadResponse::NoLength));
        let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
        assert_eq!(read(download, chunked), Err(BadResponse::NoLength));
        assert!(matches!(read(download, "ftp\r\n"), Err(BadResponse::Syntax(_))));
        let upload = Accepts { body: None, any_success: true, padding: 0 };
        let created = "HTTP/1.1 201 Created\r\nContent-Length: 5\r\n\r\n";
        assert_eq!(read(upload, created).unwrap().unwrap().body, Body::Length(5));
        let empty = read(upload, "HTTP/1.1 204 No Content\r\n\r\n");
        assert_eq!(empty.unwrap().unwrap().body, Body::Length(0));
        assert_eq!(read(upload, "HTTP/1.1 405 No\r\n\r\n"), Err(BadResponse::Status(405)));
    }

    #[test]
    fn connection_options_are_those_of_the_version() {
        let closes = |start: &str| {
            let head = format!("{start}\r\nContent-Length: 0\r\n\r\n");
            HeadReader::new(Accepts::downloads(None)).read(head.as_bytes()).unwrap().unwrap().closes
        };
        assert!(!closes("HTTP/1.1 200 OK"));
        assert!(closes("HTTP/1.1 200 OK\r\nconnection: Upgrade, CLOSE"));
        assert!(closes("HTTP/1.0 200 OK"));
        assert!(!closes("HTTP/1.0 200 OK\r\nConnection: keep-alive"));
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_without_harm(
            first in proptest::collection::vec(any::<u8>(), 0..200),
            second in "HTTP/1.1 200 OK\r\n(Date: [ -~]{0,9}\r\n|Content-Length: [0-9]{1,30}\r\n){0,4}\r\n",
            third in "HTTP/1.1 200 OK\r\n(Date: [ -~]{0,9}\r\n|Content-Length: [0-9]{1,30}\r\n){0,4}\r\n",
        ) {
            let mut heads = HeadReader::new(Accepts::downloads(None));
            for bytes in [&first[..], second.as_bytes(), third.as_bytes()] {
                let fresh = HeadReader::new(Accepts::downloads(None)).read(bytes);
                let cached = heads.read(bytes);
                if let Ok(Some(head)) = &cached {
                    prop_assert!(head.length <= bytes.len());
                }
                // What is remembered never changes what is read.
                prop_assert_eq!(cached, fresh);
            }
        }
    }
}
