//! What every connection of a load does.

use std::net::SocketAddr;

use tlstax_spec::wire::Target;
use tlstax_spec::{Direction, Http, Load, Resumption};

use crate::http1::{Accepts, Requests};
use crate::http2;

/// A load as one thread sees it.
pub(crate) struct Plan {
    /// The server.
    pub(crate) address: SocketAddr,
    /// The version of HTTP.
    pub(crate) http: Http,
    /// Requests on one connection; 0 is no limit.
    pub(crate) requests_per_connection: u32,
    /// Whether a connection that the server ends after some requests is opened anew: servers of the user's have limits of their
    /// own, nginx one of 1000 requests.
    pub(crate) renews: bool,
    /// Connections at the same time.
    pub(crate) connections: u32,
    /// Whether requests go as early data.
    pub(crate) early: bool,
    /// Whether requests have bodies, though they may be empty.
    is_upload: bool,
    /// Bytes in the body of a request.
    pub(crate) upload: u64,
    /// Bytes in the body of a response; none is whatever comes.
    pub(crate) download: Option<u64>,
    /// Bytes of the line of padding in the head of a response; 0 is none.
    pub(crate) padding: u32,
    /// Requests per second that are begun; 0 is a closed loop.
    pub(crate) rate: u32,
    /// Of a hundred connections so many resume.
    pub(crate) resumed_percent: u8,
    /// In HTTP/1.1.
    pub(crate) http1: Requests,
    /// In HTTP/2.
    pub(crate) http2: http2::Requests,
}

impl Plan {
    /// The load over connections to a server of this address.
    pub(crate) fn new(load: &Load, address: SocketAddr, asked: &Target, is_ours: bool) -> Self {
        let is_upload = load.direction == Direction::Upload;
        let upload = is_upload.then_some((asked.method, load.body));
        let body = u64::from(load.body);
        Self {
            address,
            http: load.http,
            requests_per_connection: load.requests_per_connection,
            renews: !is_ours && load.requests_per_connection == 0,
            connections: load.connections,
            early: load.resumption == Resumption::EarlyData,
            upload: if is_upload { body } else { 0 },
            download: (is_ours && !is_upload).then_some(body),
            padding: load.response_headers,
            rate: load.rate,
            resumed_percent: if load.resumption == Resumption::Full { 0 } else { load.resumed_percent },
            is_upload,
            http1: Requests::new(&asked.name, &asked.path, upload),
            http2: http2::Requests::new(&asked.name, &asked.path, upload, load.params.is_some()),
        }
    }

    /// Which responses are good ones.
    pub(crate) fn accepts(&self) -> Accepts {
        let accepts = if self.is_upload { Accepts::uploads() } else { Accepts::downloads(self.download) };
        accepts.with_padding(self.padding)
    }

    /// The bytes of bodies in one exchange whose response had so many.
    pub(crate) fn bytes(&self, response: u64) -> u64 {
        if self.is_upload { self.upload } else { response }
    }
}
