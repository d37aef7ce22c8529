//! The little HTTP/1.1 that a load needs: GET without a body, a response with a Content-Length.

use std::io;

use tlstax_spec::{PADDING, padding_value};

use crate::heads::{LONGEST_HEAD, MOST_HEADERS, closes, content_length, header, padding};

/// A request, with or without the wish that it is the last one on its connection.
pub(super) fn request(last: bool) -> Vec<u8> {
    let host = crate::pki::SERVER_NAME;
    format!("GET / HTTP/1.1\r\nHost: {host}\r\n{}\r\n", if last { "Connection: close\r\n" } else { "" })
        .into_bytes()
}

/// A whole response with a body of so many bytes, which are not all the same, and a line of padding of so many in its head.
pub(super) fn response(body: u32, last: bool, padding: u32) -> Vec<u8> {
    let close = if last { "Connection: close\r\n" } else { "" };
    let padding = padding_value(padding).map_or_else(String::new, |value| format!("{PADDING}: {value}\r\n"));
    let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {body}\r\n{padding}{close}\r\n");
    let mut response = head.into_bytes();
    response.extend((0..body).map(|at| (at % 251) as u8));
    response
}

/// The response to what is no request that we serve; the connection is closed after it.
pub(super) const BAD_REQUEST: &[u8] =
    b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";

#[derive(Debug, PartialEq, Eq)]
pub(super) struct RequestHead {
    /// Its length in bytes.
    pub(super) length: usize,
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
pub(super) fn parse_request(bytes: &[u8]) -> io::Result<Option<RequestHead>> {
    let mut headers = [httparse::EMPTY_HEADER; MOST_HEADERS];
    let mut request = httparse::Request::new(&mut headers);
    let Some(length) = complete(request.parse(bytes), bytes.len())? else { return Ok(None) };
    if request.method != Some("GET") {
        return Err(invalid(&format!("only GET is served, not {}", request.method.unwrap_or_default())));
    }
    let has_body = header(request.headers, "content-length").is_some_and(|length| length != b"0")
        || header(request.headers, "transfer-encoding").is_some();
    if has_body {
        return Err(invalid("a request with a body is not served"));
    }
    let last = closes(request.headers, request.version);
    Ok(Some(RequestHead { length, last }))
}

/// Reads the head of a response; none if it is not complete yet.
///
/// # Errors
/// It is no HTTP/1 response, its status is not 200, or its length is not told.
pub(super) fn parse_response(bytes: &[u8]) -> io::Result<Option<ResponseHead>> {
    let mut headers = [httparse::EMPTY_HEADER; MOST_HEADERS];
    let mut response = httparse::Response::new(&mut headers);
    let Some(length) = complete(response.parse(bytes), bytes.len())? else { return Ok(None) };
    if response.code != Some(200) {
        return Err(invalid(&format!("status {} instead of 200", response.code.unwrap_or_default())));
    }
    let body =
        content_length(response.headers).ok_or_else(|| invalid("a response without a Content-Length"))?;
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
    use super::*;

    #[test]
    fn what_one_end_writes_the_other_reads() {
        for last in [false, true] {
            let bytes = request(last);
            assert_eq!(parse_request(&bytes).unwrap(), Some(RequestHead { length: bytes.len(), last }));
            let bytes = response(1000, last, 0);
            let head = parse_response(&bytes).unwrap().unwrap();
            assert_eq!((head.body, head.last, head.length + 1000), (1000, last, bytes.len()));
        }
        assert!(parse_response(BAD_REQUEST).unwrap_err().to_string().contains("400"));
    }

    #[test]
    fn a_head_may_come_in_pieces() {
        let bytes = request(true);
        for end in 0..bytes.len() {
            assert_eq!(parse_request(&bytes[..end]).unwrap(), None);
        }
        let bytes = response(0, true, 0);
        for end in 0..bytes.len() {
            assert_eq!(parse_response(&bytes[..end]).unwrap(), None);
        }
    }

    #[test]
    fn connection_options_are_those_of_the_version() {
        let last = |head: &str| parse_request(format!("{head}\r\n\r\n").as_bytes()).unwrap().unwrap().last;
        assert!(!last("GET / HTTP/1.1"));
        assert!(last("GET / HTTP/1.1\r\nconnection: Upgrade, CLOSE"));
        assert!(last("GET / HTTP/1.0"));
        assert!(!last("GET / HTTP/1.0\r\nConnection: keep-alive"));
    }

    #[test]
    fn what_is_not_ours_is_refused() {
        for request in [
            "POST / HTTP/1.1\r\n\r\n",
            "GET / HTTP/1.1\r\nContent-Length: 3\r\n\r\n",
            "\x16\x03\x01\x02 \0\x01",
        ] {
            assert!(parse_request(request.as_bytes()).is_err(), "{request}");
        }
        let endless = format!("GET / HTTP/1.1\r\nX: {}", "x".repeat(LONGEST_HEAD));
        assert!(parse_request(endless.as_bytes()).is_err());
        for response in [
            "HTTP/1.1 500 No\r\n\r\n",
            "HTTP/1.1 200 OK\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
        ] {
            assert!(parse_response(response.as_bytes()).is_err(), "{response}");
        }
    }
}
