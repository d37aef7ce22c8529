//! What every connection of a load does.

use std::net::SocketAddr;

use tlstax_spec::wire::Target;
use tlstax_spec::{Direction, Load, Resumption};

use crate::http1::{Accepts, Requests};
use crate::http2;

/// A load as one thread sees it.
pub(crate) struct Plan {
    pub(crate) load: Load,
    pub(crate) address: SocketAddr,
    /// Whether a connection that the server ends after some requests is opened anew: servers of the user's have limits of their
    /// own, nginx one of 1000 requests.
    pub(crate) renews: bool,
    /// Whether requests have bodies, though they may be empty.
    is_upload: bool,
    /// Bytes in the body of a request.
    pub(crate) upload: u64,
    /// Bytes in the body of a response; none is whatever comes.
    pub(crate) download: Option<u64>,
    /// Of a hundred connections so many resume.
    pub(crate) resumed_percent: u8,
    pub(crate) http1: Requests,
    pub(crate) http2: http2::Requests,
}

impl Plan {
    /// The load over connections to a server of this address.
    pub(crate) fn new(load: &Load, address: SocketAddr, asked: &Target, is_ours: bool) -> Self {
        let is_upload = load.direction == Direction::Upload;
        let upload = is_upload.then_some((asked.method, load.body));
        let body = u64::from(load.body);
        Self {
            load: load.clone(),
            address,
            renews: !is_ours && load.requests_per_connection == 0,
            upload: if is_upload { body } else { 0 },
            download: (is_ours && !is_upload).then_some(body),
            resumed_percent: if load.resumption == Resumption::Full { 0 } else { load.resumed_percent },
            is_upload,
            http1: Requests::new(&asked.name, &asked.path, upload),
            http2: http2::Requests::new(&asked.name, &asked.path, upload, load.params.is_some()),
        }
    }

    /// Which responses are good ones.
    pub(crate) fn accepts(&self) -> Accepts {
        Accepts { body: self.download, any_success: self.is_upload, padding: self.load.response_headers }
    }

    /// The bytes of bodies in one exchange whose response had so many.
    pub(crate) fn bytes(&self, response: u64) -> u64 {
        if self.is_upload { self.upload } else { response }
    }
}
