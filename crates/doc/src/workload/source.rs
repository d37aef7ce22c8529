//! [`Source`]: what a workload was counted from, and what that could tell.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a workload was counted from. Files of the same format that tell the same are one source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Source {
    /// `nginx`, `apache`, `haproxy`, `caddy`, `envoy`, `alb`, `zeek`, `json`, `capture`, `table`, `by-hand`.
    pub format: String,
    /// What it could tell.
    pub tells: BTreeSet<Tell>,
    /// Bytes of it, uncompressed.
    pub bytes: u64,
    /// Lines, rows or packets, good and bad ones.
    pub entries: u64,
    /// Those that could not be read, by what was wrong with them.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub bad: BTreeMap<Bad, u64>,
    /// Those that were read and do not count, by the reason.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub passed_over: BTreeMap<PassedOver, u64>,
}

impl Source {
    /// Adds what another part of it has. Format and what it tells are the same.
    pub fn merge(&mut self, other: &Self) {
        self.bytes = self.bytes.saturating_add(other.bytes);
        self.entries = self.entries.saturating_add(other.entries);
        add_all(&mut self.bad, &other.bad);
        add_all(&mut self.passed_over, &other.passed_over);
    }

    /// How many entries could not be read.
    pub fn bad_entries(&self) -> u64 {
        self.bad.values().fold(0, |sum: u64, count| sum.saturating_add(*count))
    }
}

fn add_all<K: Ord + Copy>(known: &mut BTreeMap<K, u64>, other: &BTreeMap<K, u64>) {
    for (key, count) in other {
        let sum = known.entry(*key).or_default();
        *sum = sum.saturating_add(*count);
    }
}

/// Something that a source can tell of a request or a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Tell {
    Time,
    Protocol,
    Suite,
    Group,
    Key,
    Resumed,
    Http,
    /// Which requests are of one connection: its number, or the how many-th each is.
    Connection,
    /// Requests: a capture does not, since they are encrypted.
    Requests,
    /// Bytes of responses with their headers.
    BytesOut,
    /// Bytes of responses without their headers.
    BodyOut,
    /// Bytes of requests with their headers.
    BytesIn,
    /// Bytes of requests without their headers.
    BodyIn,
    /// Sizes of records.
    Records,
    /// Sizes of certificate messages.
    CertificateBytes,
    /// The class of the server's name.
    Class,
}

/// What is wrong with an entry that cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Bad {
    /// It ends before its last field.
    Cut,
    /// It has something else where the format has a separator, or more than the format.
    OtherFormat,
    /// A quote is not closed.
    Quote,
    /// A time that is none.
    Time,
    /// A number that is none, or too large.
    Number,
    /// A byte 0.
    Nul,
    /// Longer than a megabyte.
    TooLong,
    /// No JSON, or not the object that the format has.
    Json,
    /// A packet of which too little was captured.
    Snapped,
    /// A packet or block that contradicts itself.
    Malformed,
}

/// Why an entry that can be read does not count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PassedOver {
    /// Empty lines, comments and headers.
    Empty,
    /// Before or after the time that was asked for.
    OtherTime,
    /// No request: a connection that was closed without one, a log of something else.
    NoRequest,
    /// A packet of another protocol.
    OtherProtocol,
    /// A part of an IP packet.
    Fragment,
    /// A packet of a connection that began before the capture.
    BegunBefore,
    /// A packet behind a gap: segments before it are missing.
    BehindGap,
    /// A segment that came before.
    Repeated,
}

impl Bad {
    /// What is wrong, in a few words.
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::Cut => "ends before its last field",
            Self::OtherFormat => "is not of the format",
            Self::Quote => "has a quote that is not closed",
            Self::Time => "has a time that is none",
            Self::Number => "has a number that is none",
            Self::Nul => "has a NUL byte",
            Self::TooLong => "is longer than 1 MB",
            Self::Json => "is no JSON object of the format",
            Self::Snapped => "was captured too short",
            Self::Malformed => "contradicts itself",
        }
    }
}
