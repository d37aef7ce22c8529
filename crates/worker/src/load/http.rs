//! The little HTTP/1.1 that a load needs, as it is read: GET without a body, PUT or a form with one, a response with a
//! Content-Length.

use std::io;

use tlstax_spec::{Direction, Load};

use crate::heads::{LONGEST_HEAD, MOST_HEADERS, closes, content_length, header, padding};

/// The most bytes that a form has beside its file.
const ENVELOPE: u64 = 4096;

/// The response to what is no request that we serve; the connection is closed after it.
pub(super) const BAD_REQUEST: &str =
    "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";

/// What tells a client that waits with a large body that it is welcome (RFC 9110, 10.1.1).
pub(super) const CONTINUE: &str = "HTTP/1.1 100 Continue\r\n\r\n";

/// The requests that a server takes, those with bodies with as many bytes as the file has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Takes {
    Get,
    File(u64),
    Form(u64),
}

impl Takes {
    pub(super) fn of(load: &Load) -> Self {
        match load.direction {
            Direction::Download => Self::Get,
            Direction::Upload if load.form => Self::Form(load.body.into()),
            Direction::Upload => Self::File(load.body.into()),
        }
    }

    fn fits(self, method: &str, body: u64) -> bool {
        match self {
            Self::Get => method == "GET" && body == 0,
            Self::File(bytes) => ["PUT", "POST"].contains(&method) && body == bytes,
            Self::Form(bytes) => method == "POST" && (bytes..=bytes + ENVELOPE).contains(&body),
        }
    }
}

#[derive(Debug, PartialEq, Eq)]
pub(super) struct RequestHead {
    /// Its length in bytes.
    pub(super) length: usize,
    /// Bytes of the body that follows.
    pub(super) body: u64,
    /// Whether the client waits with the body until it is asked for it.
    pub(super) waits: bool,
    /// Whether the connection is to be closed after the response.
    pub(super) last: bool,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) struct ResponseHead {
    /// Its length in bytes.
    pub(super) length: usize,
    pub(super) body: u64,
    /// The bytes of the line of padding; 0 where there is none.
    pub(super) padding: usize,
    /// Whether the server closes the connection after it.
    pub(super) last: bool,
}

/// Reads the head of a request; none if it is not complete yet.
///
/// # Errors
/// It is no HTTP/1 request of the kind that a load makes.
pub(super) fn parse_request(bytes: &[u8], takes: Takes) -> io::Result<Option<RequestHead>> {
    let mut headers = [httparse::EMPTY_HEADER; MOST_HEADERS];
    let mut request = httparse::Request::new(&mut headers);
    let Some(length) = complete(request.parse(bytes), bytes.len())? else { return Ok(None) };
    let body = match header(request.headers, "content-length") {
        None => Some(0),
        Some(_) => content_length(request.headers),
    };
    let body = body.ok_or_else(|| invalid("a Content-Length that is no number"))?;
    let method = request.method.unwrap_or_default();
    if header(request.headers, "transfer-encoding").is_some() || !takes.fits(method, body) {
        return Err(invalid(&format!("{method} with {body} bytes is not served, {takes:?} is")));
    }
    let waits =
        header(request.headers, "expect").is_some_and(|what| what.eq_ignore_ascii_case(b"100-continue"));
    let last = closes(request.headers, request.version);
    Ok(Some(RequestHead { length, body, waits, last }))
}

/// Reads the head of a response, to an upload or a download; none if it is not complete yet.
///
/// # Errors
/// It is no HTTP/1 response, its status is not 200, nor any success of an upload, or its length is not told.
pub(super) fn parse_response(bytes: &[u8], direction: Direction) -> io::Result<Option<ResponseHead>> {
    let mut headers = [httparse::EMPTY_HEADER; MOST_HEADERS];
    let mut response = httparse::Response::new(&mut headers);
    let Some(length) = complete(response.parse(bytes), bytes.len())? else { return Ok(None) };
    let code = response.code.unwrap_or_default();
    let is_good = code == 200 || (direction == Direction::Upload && (200..300).contains(&code));
    if !is_good {
        return Err(invalid(&format!("status {code} instead of 200")));
    }
    // 204 says that there is none.
    let body = content_length(response.headers).or((code == 204).then_some(0));
    let body = body.ok_or_else(|| invalid("a response without a Content-Length"))?;
    let padding = padding(response.headers);
    let last = closes(response.headers, response.version);
    Ok(Some(ResponseHead { length, body, padding, last }))
}

fn complete(parsed: httparse::Result<usize>, available: usize) -> io::Result<Option<usize>> {
    match parsed {
        Ok(httparse::Status::Complete(length)) => Ok(Some(length)),
        Ok(httparse::Status::Partial) if available < LONGEST_HEAD => Ok(None),
        Ok(httparse::Status::Partial) => Err(invalid(&format!("a head of more than {LONGEST_HEAD} bytes"))),
        Err(error) => Err(invalid(&format!("not HTTP/1: {error}"))),
    }
}

/// The peer sent what it should not.
pub(super) fn invalid(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::message::Message;
    use super::*;

    fn load(direction: Direction, body: u32) -> Load {
        Load { direction, body, ..Load::new(tlstax_spec::Id::literal("x"), None) }
    }

    fn get(bytes: &[u8]) -> io::Result<Option<RequestHead>> {
        parse_request(bytes, Takes::Get)
    }

    fn answer(bytes: &[u8]) -> io::Result<Option<ResponseHead>> {
        parse_response(bytes, Direction::Download)
    }

    #[test]
    fn what_one_end_writes_the_other_reads() {
        for last in [false, true] {
            let bytes = Message::request(&load(Direction::Download, 7), last).whole();
            let head = RequestHead { length: bytes.len(), body: 0, waits: false, last };
            assert_eq!(get(&bytes).unwrap(), Some(head));
            let upload = load(Direction::Upload, 1000);
            let bytes = Message::request(&upload, last).whole();
            let head = parse_request(&bytes, Takes::of(&upload)).unwrap().unwrap();
            assert_eq!((head.length + 1000, head.body, head.last), (bytes.len(), 1000, last));
            let bytes = Message::response(1000, last, 0).whole();
            let head = answer(&bytes).unwrap().unwrap();
            assert_eq!((head.body, head.last, head.length + 1000), (1000, last, bytes.len()));
        }
        assert!(answer(BAD_REQUEST.as_bytes()).unwrap_err().to_string().contains("400"));
    }

    #[test]
    fn a_head_may_come_in_pieces() {
        let bytes = Message::request(&load(Direction::Download, 0), true).whole();
        for end in 0..bytes.len() {
            assert_eq!(get(&bytes[..end]).unwrap(), None);
        }
        let bytes = Message::response(0, true, 0).whole();
        for end in 0..bytes.len() {
            assert_eq!(answer(&bytes[..end]).unwrap(), None);
        }
    }

    #[test]
    fn connection_options_are_those_of_the_version() {
        let last = |head: &str| get(format!("{head}\r\n\r\n").as_bytes()).unwrap().unwrap().last;
        assert!(!last("GET / HTTP/1.1"));
        assert!(last("GET / HTTP/1.1\r\nconnection: Upgrade, CLOSE"));
        assert!(last("GET / HTTP/1.0"));
        assert!(!last("GET / HTTP/1.0\r\nConnection: keep-alive"));
    }

    #[test]
    fn uploads_have_the_bytes_of_the_case() {
        let asked = |takes, head: &str| parse_request(format!("{head}\r\n\r\n").as_bytes(), takes);
        let waits = |takes, head: &str| asked(takes, head).unwrap().unwrap().waits;
        assert!(!waits(Takes::File(3), "PUT /upload HTTP/1.1\r\nContent-Length: 3"));
        assert!(waits(Takes::File(3), "POST / HTTP/1.1\r\nContent-Length: 3\r\nExpect: 100-Continue"));
        assert!(!waits(Takes::Form(3), "POST / HTTP/1.1\r\nContent-Length: 200"));
        for (takes, head) in [
            (Takes::Get, "GET / HTTP/1.1\r\nContent-Length: 3"),
            (Takes::File(3), "GET / HTTP/1.1"),
            (Takes::File(3), "PUT / HTTP/1.1\r\nContent-Length: 4"),
            (Takes::File(3), "PUT / HTTP/1.1\r\nContent-Length: x"),
            (Takes::File(3), "PUT / HTTP/1.1\r\nTransfer-Encoding: chunked"),
            (Takes::Form(3), "PUT / HTTP/1.1\r\nContent-Length: 200"),
            (Takes::Form(3), "POST / HTTP/1.1\r\nContent-Length: 2"),
            (Takes::Form(3), "POST / HTTP/1.1\r\nContent-Length: 99999"),
        ] {
            assert!(asked(takes, head).is_err(), "{takes:?}: {head}");
        }
    }

    #[test]
    fn any_success_is_an_answer_to_an_upload() {
        for (head, body) in
            [("204 No Content", Some(0)), ("201 Created\r\nContent-Length: 5", Some(5)), ("400 No", None)]
        {
            let head = format!("HTTP/1.1 {head}\r\n\r\n");
            let read = parse_response(head.as_bytes(), Direction::Upload).ok().flatten();
            assert_eq!(read.map(|head| head.body), body, "{head}");
            assert!(answer(head.as_bytes()).is_err(), "{head}");
        }
    }

    #[test]
    fn what_is_not_ours_is_refused() {
        for request in [
            "POST / HTTP/1.1\r\n\r\n",
            "GET / HTTP/1.1\r\nContent-Length: 3\r\n\r\n",
            "\x16\x03\x01\x02 \0\x01",
        ] {
            assert!(get(request.as_bytes()).is_err(), "{request}");
        }
        let endless = format!("GET / HTTP/1.1\r\nX: {}", "x".repeat(LONGEST_HEAD));
        assert!(get(endless.as_bytes()).is_err());
        for response in [
            "HTTP/1.1 500 No\r\n\r\n",
            "HTTP/1.1 200 OK\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
        ] {
            assert!(answer(response.as_bytes()).is_err(), "{response}");
        }
    }
}
