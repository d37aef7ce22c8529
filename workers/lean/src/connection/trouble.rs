//! What can go wrong on a connection.

use std::io;

use crate::http1::BadResponse;
use crate::http2::BadFrame;
use crate::tls::{HandshakeError, NoRecord, RecordError};

#[derive(Debug, thiserror::Error)]
pub(crate) enum Trouble {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error(transparent)]
    Handshake(#[from] HandshakeError),
    #[error(transparent)]
    Record(#[from] RecordError),
    #[error(transparent)]
    NoRecord(#[from] NoRecord),
    #[error(transparent)]
    Response(#[from] BadResponse),
    #[error(transparent)]
    Frame(#[from] BadFrame),
    /// The server ended the connection for a reason: RFC 8446, 6.2.
    #[error("the server sent alert {0}")]
    Alert(u8),
    #[error("a TLS record of type {0} where there should be data")]
    Misplaced(u8),
    #[error("lost count of records: a record ends behind the end that Content-Length gives the body")]
    LostCount,
    #[error("the server closed the connection too early")]
    Early,
    #[error(
        "the server closes the connection after {0} requests although it was not asked to: raise its limit, or ask for no more on \
         one connection with --requests {0}"
    )]
    NotKept(u32),
    /// Truncation, as far as TLS can tell: RFC 8446, 6.1.
    #[error("the server closed the connection without close_notify")]
    NoCloseNotify,
    #[error("the server answered before it had the whole request")]
    Hasty,
    #[error("the server did not choose {0} by ALPN")]
    Alpn(&'static str),
    #[error("no connection moved for {0} s")]
    Stalled(u64),
    #[error(
        "the load wants more than {0} new connections per second, the ceiling: if the server may be loaded so, set \
         TLSTAX_CONNECTION_RATE"
    )]
    Ceiling(u64),
}
