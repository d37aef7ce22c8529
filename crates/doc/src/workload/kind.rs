//! [`Kind`]: what connections have in common, and [`Counts`] of those that have it in common.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What is known of a connection and its handshake. A field is absent where the source does not tell it: it may be anything then.
#[derive(Debug, Default, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Kind {
    /// The class of its server's name, by the patterns that the user gave.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub protocol: Option<Protocol>,
    /// The cipher suite, by its IANA name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suite: Option<String>,
    /// The group of the key exchange, by its IANA name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// The server's key: `rsa-2048`, `ecdsa-p256`, or `rsa` and `ecdsa` where nothing tells which.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resumed: Option<Resumed>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub http: Option<HttpVersion>,
}

/// The protocol below HTTP.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub enum Protocol {
    /// No TLS.
    #[serde(rename = "none")]
    None,
    #[serde(rename = "SSLv3")]
    Ssl3,
    #[serde(rename = "TLSv1.0")]
    Tls10,
    #[serde(rename = "TLSv1.1")]
    Tls11,
    #[serde(rename = "TLSv1.2")]
    Tls12,
    #[serde(rename = "TLSv1.3")]
    Tls13,
}

impl Protocol {
    pub const ALL: [Self; 6] = [Self::None, Self::Ssl3, Self::Tls10, Self::Tls11, Self::Tls12, Self::Tls13];

    /// The word in documents and tables.
    pub const fn word(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Ssl3 => "SSLv3",
            Self::Tls10 => "TLSv1.0",
            Self::Tls11 => "TLSv1.1",
            Self::Tls12 => "TLSv1.2",
            Self::Tls13 => "TLSv1.3",
        }
    }

    pub const fn is_tls(self) -> bool {
        !matches!(self, Self::None)
    }
}

/// Whether a handshake took over an earlier session, and how.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Resumed {
    /// A full handshake.
    Full,
    /// Resumed; the source does not tell how.
    Resumed,
    /// By session id.
    SessionId,
    /// By a ticket of TLS 1.2 (RFC 5077).
    Ticket,
    /// By a PSK of TLS 1.3.
    Psk,
    /// By a PSK, with early data accepted.
    EarlyData,
}

impl Resumed {
    /// What tables and sentences call it.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Resumed => "resumed",
            Self::SessionId => "session id",
            Self::Ticket => "ticket",
            Self::Psk => "PSK",
            Self::EarlyData => "early data",
        }
    }

    pub const fn is_resumption(self) -> bool {
        !matches!(self, Self::Full)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub enum HttpVersion {
    /// HTTP/0.9 and 1.0.
    #[serde(rename = "1.0")]
    Http10,
    #[serde(rename = "1.1")]
    Http11,
    #[serde(rename = "2")]
    Http2,
    #[serde(rename = "3")]
    Http3,
}

impl HttpVersion {
    pub const fn word(self) -> &'static str {
        match self {
            Self::Http10 => "HTTP/1.0",
            Self::Http11 => "HTTP/1.1",
            Self::Http2 => "HTTP/2",
            Self::Http3 => "HTTP/3",
        }
    }
}

/// A kind of connection, and how much there was of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Share {
    #[serde(flatten)]
    pub kind: Kind,
    #[serde(flatten)]
    pub counts: Counts,
}

/// How much there was.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Counts {
    /// Connections that are known to have begun, each with its handshake.
    pub connections: u64,
    /// Of those, the ones of which no request is known: the source sees the connection only.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub connections_without_requests: u64,
    pub requests: u64,
    /// Of those, the ones of which nothing tells whether they began a connection: there were up to so many connections more.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub requests_without_connection: u64,
    /// Handshakes that did not succeed; they are no connections.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub failed_handshakes: u64,
    /// Bytes that servers sent.
    #[serde(default, skip_serializing_if = "Total::is_none")]
    pub out: Total,
    /// Bytes that clients sent.
    #[serde(default, rename = "in", skip_serializing_if = "Total::is_none")]
    pub into: Total,
}

/// A sum, and of how many: where that is fewer than there were, the rest is not known.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Total {
    /// How many requests or connections tell it.
    pub of: u64,
    pub bytes: u64,
}

impl Total {
    // Of serde's form.
    #[allow(clippy::trivially_copy_pass_by_ref)]
    fn is_none(&self) -> bool {
        self.of == 0
    }

    /// Adds what so many have told alike.
    pub const fn add(&mut self, bytes: u64, times: u64) {
        self.of = self.of.saturating_add(times);
        self.bytes = self.bytes.saturating_add(bytes.saturating_mul(times));
    }

    pub const fn merge(&mut self, other: Self) {
        self.of = self.of.saturating_add(other.of);
        self.bytes = self.bytes.saturating_add(other.bytes);
    }
}

impl Counts {
    /// Adds what another part has counted.
    pub const fn merge(&mut self, other: &Self) {
        self.connections = self.connections.saturating_add(other.connections);
        self.connections_without_requests =
            self.connections_without_requests.saturating_add(other.connections_without_requests);
        self.requests = self.requests.saturating_add(other.requests);
        self.requests_without_connection =
            self.requests_without_connection.saturating_add(other.requests_without_connection);
        self.failed_handshakes = self.failed_handshakes.saturating_add(other.failed_handshakes);
        self.out.merge(other.out);
        self.into.merge(other.into);
    }
}

#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_zero(number: &u64) -> bool {
    *number == 0
}
