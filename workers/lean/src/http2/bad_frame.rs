//! Frames that a load cannot use.

use crate::http1::BadResponse;

/// What is wrong with a frame.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum BadFrame {
    /// The response is not a good one.
    #[error(transparent)]
    Response(#[from] BadResponse),
    /// RST_STREAM or GOAWAY with an error code: RFC 9113, 7.
    #[error("the server gave up with HTTP/2 error code {0}")]
    GaveUp(u32),
    /// Not HTTP/2.
    #[error("not HTTP/2: {0}")]
    Syntax(&'static str),
}
