//! HTTP/2 as a load needs it: one request at a time on a connection, and responses of which the status is read and the data
//! counted. RFC 9113.

mod frame;
mod hpack;
mod session;

pub(crate) use frame::BadFrame;
pub(crate) use hpack::Requests;
pub(crate) use session::Session;
