//! HTTP/2 as a load needs it: one request at a time on a connection, and responses of which the status is read and the data
//! counted. RFC 9113.

mod frame;
mod hpack;
mod session;

use tlstax_spec::Method;

pub(crate) use session::Session;

use crate::http1::BadResponse;

/// The header blocks of a load, which never change: no request puts anything into the dynamic table.
pub(crate) struct Requests {
    block: Vec<u8>,
    has_body: bool,
}

impl Requests {
    /// The head of every request; the body of an upload is written as it goes.
    pub(crate) fn new(host: &str, path: &str, upload: Option<(Method, u32)>, is_tls: bool) -> Self {
        let mut block = hpack::request(host, path, upload.map(|(method, _)| method), is_tls);
        if let Some((_, body)) = upload {
            hpack::content_length(body, &mut block);
        }
        Self { block, has_body: upload.is_some_and(|(_, body)| body > 0) }
    }
}

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
