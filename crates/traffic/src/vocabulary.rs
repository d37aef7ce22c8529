//! The words of logs and the code points of captures, as documents have them. What is in no registry has no name here, so that
//! nothing else gets from a log into a document.
//!
//! A [`Tally`](crate::Tally) remembers what words mean, and asks once for most.

use std::collections::HashMap;
use std::sync::LazyLock;

use tlstax_doc::{HttpVersion, Protocol};
use tlstax_spec::{Group, Key, SuiteFacts};

/// A line for each suite: code point, IANA name.
const SUITES: &str = include_str!("vocabulary/suites.txt");

/// A line for each group: code point, IANA name, other names.
const GROUPS: &str = include_str!("vocabulary/groups.txt");

/// `TLSv1.3`, `TLSv1`, `-`: what servers log as protocol. A dash or nothing is a connection without TLS. Zeek leaves the dot out,
/// GnuTLS the `v`, and Go has a space instead of it.
pub fn protocol(word: &[u8]) -> Option<Protocol> {
    match word {
        b"-" | b"" => Some(Protocol::None),
        b"SSLv3" | b"SSL3.0" => Some(Protocol::Ssl3),
        b"TLSv1" | b"TLSv1.0" | b"TLSv10" | b"TLS1.0" | b"TLS 1.0" => Some(Protocol::Tls10),
        b"TLSv1.1" | b"TLSv11" | b"TLS1.1" | b"TLS 1.1" => Some(Protocol::Tls11),
        b"TLSv1.2" | b"TLSv12" | b"TLS1.2" | b"TLS 1.2" => Some(Protocol::Tls12),
        b"TLSv1.3" | b"TLSv13" | b"TLS1.3" | b"TLS 1.3" => Some(Protocol::Tls13),
        _ => None,
    }
}

/// The protocol of a version as it stands in records and in `supported_versions`.
pub const fn protocol_of_code(code: u16) -> Option<Protocol> {
    match code {
        0x0300 => Some(Protocol::Ssl3),
        0x0301 => Some(Protocol::Tls10),
        0x0302 => Some(Protocol::Tls11),
        0x0303 => Some(Protocol::Tls12),
        0x0304 => Some(Protocol::Tls13),
        _ => None,
    }
}

/// The IANA name of a suite that goes by this name in IANA's registry, OpenSSL or GnuTLS, or by its code point in hex.
pub fn suite(word: &[u8]) -> Option<String> {
    let word = text(word)?;
    if let Some(code) = code_in_hex(word) {
        return suite_of_code(code);
    }
    SUITES_BY_NAME.get(word).or_else(|| SUITES_BY_NAME.get(&bare(word))).map(|name| (*name).to_owned())
}

/// IANA's names of suites by all names that they have, without what only some have in them ([`bare`]).
static SUITES_BY_NAME: LazyLock<HashMap<String, &str>> = LazyLock::new(|| {
    let mut known = HashMap::new();
    for (_, name) in entries(SUITES) {
        known.insert(bare(name), name);
        known.insert(name.to_owned(), name);
        known.extend(SuiteFacts::of(name).openssl.map(|openssl| (openssl, name)));
    }
    known
});

/// The IANA name of a suite by its code point.
pub fn suite_of_code(code: u16) -> Option<String> {
    entries(SUITES).find(|(known, _)| *known == code).map(|(_, name)| name.to_owned())
}

/// The kind of key that a server has who negotiates this suite, by its IANA name; none where the suite leaves it open.
pub fn key_of_suite(suite: &str) -> Option<&'static str> {
    let authentication = SuiteFacts::of(suite).authentication;
    match authentication.as_str() {
        "RSA" | "RSA, PSK" => Some("rsa"),
        "ECDSA" => Some("ecdsa"),
        "DSS" => Some("dsa"),
        _ => None,
    }
}

/// The key of its own name, or of the scheme that it signs with.
pub fn key(word: &[u8]) -> Option<String> {
    let word = text(word)?.to_ascii_lowercase();
    if let Some(key) = Key::ALL.iter().find(|key| key.name() == word) {
        return Some(key.name().to_owned());
    }
    let key = match word.as_str() {
        "ecdsa_secp256r1_sha256" => Key::EcdsaP256.name(),
        "ecdsa_secp384r1_sha384" => Key::EcdsaP384.name(),
        "ed25519" => Key::Ed25519.name(),
        "mldsa44" => Key::MlDsa44.name(),
        "mldsa65" => Key::MlDsa65.name(),
        "mldsa87" => Key::MlDsa87.name(),
        scheme if scheme == "rsa" || scheme.starts_with("rsa_") => "rsa",
        scheme if scheme == "ecdsa" || scheme.starts_with("ecdsa_") => "ecdsa",
        _ => return None,
    };
    Some(key.to_owned())
}

/// The IANA name of a group that goes by this name in IANA's registry, OpenSSL or elsewhere, or by its code point in hex.
pub fn group(word: &[u8]) -> Option<String> {
    let word = text(word)?;
    if let Some(code) = code_in_hex(word) {
        return group_of_code(code);
    }
    let is_it = |names: &str| names.split(' ').any(|name| name.eq_ignore_ascii_case(word));
    entries(GROUPS).find(|(_, names)| is_it(names)).and_then(|(code, _)| group_of_code(code))
}

/// The IANA name of a group by its code point, spelled as in cases where those have the group.
pub fn group_of_code(code: u16) -> Option<String> {
    let (_, names) = entries(GROUPS).find(|(known, _)| *known == code)?;
    let name = names.split(' ').next()?;
    let ours = Group::ALL.iter().map(|group| group.name()).find(|ours| ours.eq_ignore_ascii_case(name));
    Some(ours.unwrap_or(name).to_owned())
}

/// `HTTP/1.1`, `h2`: the version of HTTP.
pub fn http(word: &[u8]) -> Option<HttpVersion> {
    match word {
        b"HTTP/0.9" | b"HTTP/1.0" | b"http/1.0" => Some(HttpVersion::Http10),
        b"HTTP/1.1" | b"http/1.1" => Some(HttpVersion::Http11),
        b"HTTP/2.0" | b"HTTP/2" | b"h2" | b"h2c" => Some(HttpVersion::Http2),
        b"HTTP/3.0" | b"HTTP/3" | b"h3" => Some(HttpVersion::Http3),
        _ => None,
    }
}

/// The entries of a registry: code point, and the names behind it.
fn entries(registry: &'static str) -> impl Iterator<Item = (u16, &'static str)> {
    registry.lines().filter_map(|line| {
        let (code, names) = line.split_once(' ')?;
        Some((u16::from_str_radix(code, 16).ok()?, names))
    })
}

/// A name; none has more letters than this.
fn text(word: &[u8]) -> Option<&str> {
    std::str::from_utf8(word).ok().filter(|word| (1..=64).contains(&word.len()))
}

/// `0x001d`: how OpenSSL has what it does not know by name.
fn code_in_hex(word: &str) -> Option<u16> {
    u16::from_str_radix(word.strip_prefix("0x").or_else(|| word.strip_prefix("0X"))?, 16).ok()
}

/// A name of IANA or GnuTLS without what only one of them has: `TLS_RSA_WITH_AES_128_CBC_SHA` is `RSA_AES_128_CBC_SHA1` there.
fn bare(name: &str) -> String {
    let name = name.to_ascii_uppercase();
    let name = name.strip_prefix("TLS_").or_else(|| name.strip_prefix("GNUTLS_")).unwrap_or(&name);
    let name = name.replace("_WITH_", "_").replace("ARCFOUR", "RC4");
    let name =
        name.strip_suffix("_POLY1305_SHA256").map_or(name.clone(), |cipher| format!("{cipher}_POLY1305"));
    name.strip_suffix("_SHA1").map_or(name.clone(), |rest| format!("{rest}_SHA"))
}

#[cfg(test)]
mod tests;
