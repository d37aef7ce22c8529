//! What can go wrong on a connection.

use std::io;

use crate::http1::BadResponse;
use crate::http2::BadFrame;
use crate::tls::{HandshakeError, NoRecord, RecordError};

/// What went wrong.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Trouble {
    /// A system call, or the network.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// rustls.
    #[error(transparent)]
    Tls(#[from] rustls::Error),
    /// The handshake, or what belongs to it and comes later.
    #[error(transparent)]
    Handshake(#[from] HandshakeError),
    /// A record that is none of this connection's.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// No record.
    #[error(transparent)]
    NoRecord(#[from] NoRecord),
    /// HTTP.
    #[error(transparent)]
    Response(#[from] BadResponse),
    /// HTTP/2.
    #[error(transparent)]
    Frame(#[from] BadFrame),
    /// The server ended the connection for a reason: RFC 8446, 6.2.
    #[error("the server sent alert {0}")]
    Alert(u8),
    /// A record that does not belong here.
    #[error("a TLS record of type {0} where there should be data")]
    Misplaced(u8),
    /// The lengths of the records do not add up to that of the body.
    #[error("lost count of records: a record ends behind the end that Content-Length gives the body")]
    LostCount,
    /// The connection is gone, in the middle of something.
    #[error("the server closed the connection too early")]
    Early,
    /// The server will not keep the connection.
    #[error(
        "the server closes the connection after {0} requests although it was not asked to: raise its limit, or ask for no more on \
         one connection with --requests {0}"
    )]
    NotKept(u32),
    /// Truncation, as far as TLS can tell: RFC 8446, 6.1.
    #[error("the server closed the connection without close_notify")]
    NoCloseNotify,
    /// A response before the whole request.
    #[error("the server answered before it had the whole request")]
    Hasty,
    /// ALPN chose something else.
    #[error("the server did not choose {0} by ALPN")]
    Alpn(&'static str),
    /// Nothing happens any more.
    #[error("no connection moved for {0} s")]
    Stalled(u64),
    /// More connections than are allowed.
    #[error(
        "the load wants more than {0} new connections per second, the ceiling: if the server may be loaded so, set \
         TLSTAX_CONNECTION_RATE"
    )]
    Ceiling(u64),
}
