//! HTTP/1.1 requests over 127.0.0.1: the server in one process, the client in another, each in a single thread around
//! an epoll, as common servers and load generators have it.
//!
//! Both ends are the same code for every library and for plain HTTP, so that rows differ by the library alone. The
//! client reports each batch; the server says what it has used and counted when it is asked, while the load rests.

mod client;
mod guest;
mod http;
mod link;
mod message;
mod plain;
mod server;
mod socket;

pub(crate) use client::ClientJob;
pub(crate) use server::ServerJob;

use std::sync::Arc;

use tlstax_spec::{Load, Side};

use crate::adapter::{Adapter, Config, Endpoint};
use crate::job::JobError;
use crate::pair::{check, endpoint};
use crate::pki::Pki;

/// The configuration of one end: the library's, or that of plain HTTP.
fn config(adapter: &dyn Adapter, side: Side, load: &Load, pki: &Pki) -> Result<Arc<dyn Config>, JobError> {
    let Some(params) = load.params else { return Ok(Arc::new(plain::Plain)) };
    check(params, load.resumption)?;
    let endpoint = Endpoint { resumption: load.resumption, ..endpoint(params, pki) };
    adapter.config(side, &endpoint).map_err(JobError::preparing)
}

#[cfg(test)]
mod tests;
