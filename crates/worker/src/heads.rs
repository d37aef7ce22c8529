//! What both clients of loads read in the head of a message of HTTP/1.1.

use httparse::Header;
use tlstax_spec::{PADDING, padding_line};

/// A head longer than this is refused; ours have less than 100 bytes beside the padding.
pub const LONGEST_HEAD: usize = 16 * 1024;

/// More headers than this are refused; ours have two.
pub const MOST_HEADERS: usize = 64;

/// The value of a header.
pub fn header<'a>(headers: &[Header<'a>], name: &str) -> Option<&'a [u8]> {
    headers.iter().find(|header| header.name.eq_ignore_ascii_case(name)).map(|header| header.value)
}

/// HTTP/1.1 keeps the connection unless told otherwise; HTTP/1.0 closes it (RFC 9112 9.3).
pub fn closes(headers: &[Header<'_>], version: Option<u8>) -> bool {
    let told = |option: &[u8]| {
        header(headers, "connection").is_some_and(|value| {
            value.split(|&byte| byte == b',').any(|one| one.trim_ascii().eq_ignore_ascii_case(option))
        })
    };
    told(b"close") || (version == Some(0) && !told(b"keep-alive"))
}

/// The Content-Length, if there is one that is a number.
pub fn content_length(headers: &[Header<'_>]) -> Option<u64> {
    header(headers, "content-length").and_then(|value| std::str::from_utf8(value).ok()?.trim().parse().ok())
}

/// The bytes of the line of padding; 0 where there is none.
pub fn padding(headers: &[Header<'_>]) -> usize {
    header(headers, PADDING).map_or(0, |value| padding_line(value.len()))
}
