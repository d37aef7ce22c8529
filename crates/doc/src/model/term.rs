//! [`Term`]: something that a server does, of which the model knows the cost.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tlstax_spec::{Group, Http, Key, Resumption, Suite, Version};

/// Something that a server does so many times. The cost of a workload is the sum over terms of how many times each is done and what
/// it costs once. What is "added" may be less than nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "of", rename_all = "kebab-case")]
pub enum Term {
    /// A TCP connection, accepted and closed.
    Connection,
    /// What HTTP/2 adds to opening a connection: preface and settings.
    Http2Connection,
    /// A full handshake with X25519 and AES-128-GCM (with AES-128-CBC before TLS 1.2).
    Handshake { version: Version, key: Key },
    /// A handshake that resumes; of TLS 1.3 with X25519.
    Resumption { version: Version, way: Resumption },
    /// What a full handshake costs more where others resume: the session is kept or issued as a ticket, and handshakes of two kinds take
    /// turns.
    Session { version: Version, way: Resumption },
    /// What a group's key exchange adds to that of X25519.
    Group { group: Group },
    /// What RSA key transport, without any group, adds to X25519 and a signature.
    KeyTransport { key: Key },
    /// A request with a response without a body.
    Request { http: Http, tls: bool },
    /// The body of a response of so many bytes, by AES-128-GCM where it is encrypted. The cost of a size between two of these is on
    /// the line between them.
    Body { path: Path, http: Http, bytes: u32 },
    /// What a byte adds by another suite than AES-128-GCM.
    SuiteByte { suite: Suite },
    /// What a record adds by another suite than AES-128-GCM.
    SuiteRecord { suite: Suite },
    /// A record, written by itself: of a response each behind its first.
    Record,
    /// A buffer of 32 KiB that the body is read from its file into, to be encrypted: of a response each behind its first.
    Buffer,
}

/// Which way the bytes of a response take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Path {
    /// From the page cache to the socket, without TLS: sendfile(2).
    Sendfile,
    /// Through the memory of the process, without TLS.
    Copy,
    /// Encrypted.
    Tls,
}

impl std::fmt::Display for Term {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Connection => f.write_str("TCP connection"),
            Self::Http2Connection => f.write_str("HTTP/2 on a connection"),
            Self::Handshake { version, key } => write!(f, "full handshake, {version}, {key}"),
            Self::Resumption { version, way } => write!(f, "resumption, {version}, {way}"),
            Self::Session { version, way } => {
                write!(f, "full handshake beside resumptions, {version}, {way}")
            }
            Self::Group { group } => write!(f, "{group} in place of X25519"),
            Self::KeyTransport { key } => write!(f, "RSA key transport, {key}"),
            Self::Request { http, tls: true } => write!(f, "request, {http} over TLS"),
            Self::Request { http, tls: false } => write!(f, "request, {http} without TLS"),
            Self::Body { path, http, bytes } => {
                let way = match path {
                    Path::Sendfile => "by sendfile",
                    Path::Copy => "copied",
                    Path::Tls => "encrypted",
                };
                write!(f, "body of {bytes} bytes, {http}, {way}")
            }
            Self::SuiteByte { suite } => write!(f, "byte by {suite} in place of AES-128-GCM"),
            Self::SuiteRecord { suite } => write!(f, "record by {suite} in place of AES-128-GCM"),
            Self::Record => f.write_str("record"),
            Self::Buffer => f.write_str("buffer of 32 KiB"),
        }
    }
}
