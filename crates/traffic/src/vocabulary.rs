//! The words of logs and the code points of captures, as documents have them. What is in no registry has no name here, so that
//! nothing else gets from a log into a document.

use tlstax_doc::{HttpVersion, Protocol};
use tlstax_names::openssl;
use tlstax_spec::{Group, Suite};

/// `TLSv1.3`, `TLSv1`, `-`: what servers log as protocol. A dash or nothing is a connection without TLS.
pub fn protocol(word: &[u8]) -> Option<Protocol> {
    match word {
        b"-" | b"" => Some(Protocol::None),
        b"SSLv3" => Some(Protocol::Ssl3),
        b"TLSv1" | b"TLSv1.0" => Some(Protocol::Tls10),
        b"TLSv1.1" => Some(Protocol::Tls11),
        b"TLSv1.2" => Some(Protocol::Tls12),
        b"TLSv1.3" => Some(Protocol::Tls13),
        _ => None,
    }
}

/// The IANA name of a suite that goes by this name in IANA's registry, OpenSSL or GnuTLS.
pub fn suite(word: &[u8]) -> Option<String> {
    let word = std::str::from_utf8(word).ok()?;
    openssl::suite_of(word).map(|suite| suite.name().to_owned())
}

/// The IANA name of a suite by its code point.
pub fn suite_of_code(_code: u16) -> Option<String> {
    let _ = Suite::ALL;
    None
}

/// The IANA name of a group that goes by this name in IANA's registry or OpenSSL.
pub fn group(word: &[u8]) -> Option<String> {
    let word = std::str::from_utf8(word).ok()?;
    Group::ALL.iter().find(|group| openssl::group(**group) == word).map(|group| group.name().to_owned())
}

/// The IANA name of a group by its code point.
pub fn group_of_code(_code: u16) -> Option<String> {
    None
}

/// `HTTP/1.1`, `h2`: the version of HTTP.
pub fn http(word: &[u8]) -> Option<HttpVersion> {
    match word {
        b"HTTP/0.9" | b"HTTP/1.0" | b"http/1.0" => Some(HttpVersion::Http10),
        b"HTTP/1.1" | b"http/1.1" => Some(HttpVersion::Http11),
        b"HTTP/2.0" | b"HTTP/2" | b"h2" => Some(HttpVersion::Http2),
        b"HTTP/3.0" | b"HTTP/3" | b"h3" => Some(HttpVersion::Http3),
        _ => None,
    }
}
