//! [`Seen`]: what a source says of one request or connection.

/// The place of a kind in a [`Tally`](crate::Tally).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KindId(pub(crate) u32);

/// What a source says of one request or connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seen {
    pub kind: KindId,
    pub what: What,
    /// How many there were of it: 1 but in tables that somebody has counted.
    pub times: u64,
    /// When, seconds since 1970 in UTC; none where nothing tells.
    pub at: Option<u64>,
    /// Bytes that the server sent.
    pub out: Option<u64>,
    /// Bytes that the client sent.
    pub into: Option<u64>,
}

/// What was seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    /// A request; the how many-th of its connection it is, from 1, where the source tells it.
    Request { ordinal: Option<u64> },
    /// A request that is not the first one of its connection; the how many-th it is, nothing tells.
    LaterRequest,
    /// A connection with its handshake, and how many requests it had, where the source tells it.
    Connection { requests: Option<u64> },
    /// A handshake that did not succeed.
    FailedHandshake,
    /// Bytes of a connection that is counted elsewhere.
    Volume,
}
