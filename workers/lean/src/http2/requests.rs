//! The header blocks of a load.

use tlstax_spec::Method;

use super::hpack;

/// The header blocks of a load, which never change: no request puts anything into the dynamic table.
pub(crate) struct Requests {
    pub(super) block: Vec<u8>,
    pub(super) has_body: bool,
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
