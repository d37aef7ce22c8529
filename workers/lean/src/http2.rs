//! HTTP/2 as a load needs it: one request at a time on a connection, and responses of which the status is read and the data
//! counted. RFC 9113.

mod bad_frame;
mod frame;
mod hpack;
mod requests;
mod session;

pub(crate) use bad_frame::BadFrame;
pub(crate) use requests::Requests;
pub(crate) use session::Session;
