//! [`Workload`]: what servers were really asked for.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::kind::Share;
use super::series::Series;
use super::sketch::Sketch;
use super::source::Source;
use crate::results::Tool;
use crate::version::SchemaVersion;

/// The version of [`Workload`] that this program writes.
pub const WORKLOAD_VERSION: SchemaVersion = SchemaVersion { major: 1, minor: 0 };

/// What servers were really asked for: connections, handshakes, requests and bytes, counted. Everything in it adds up, so that the
/// workload of several parts is the same whatever the parts were. Nothing in it is about a person: no address, no URL, no name of a
/// server.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Workload {
    /// The version of this form.
    pub schema: SchemaVersion,
    /// Always `workload`: tells it from other documents.
    pub document: String,
    /// The program that wrote it.
    pub tool: Tool,
    /// What it was counted from, one for each format and what that tells, in order.
    pub sources: Vec<Source>,
    /// Counts of each kind of connection, in order.
    pub shares: Vec<Share>,
    /// Of requests whose source tells it: the how many-th of its connection each was. As many are the first as there are
    /// connections, and as many are the k-th as there are connections with at least k requests.
    pub request_ordinals: Sketch,
    /// Bytes of responses.
    pub response_bytes: Sketch,
    /// Bytes of requests.
    pub request_bytes: Sketch,
    /// Bytes of TLS records with application data that servers sent, with the 5 bytes of their headers.
    pub records_out: Sketch,
    /// The same of clients.
    pub records_in: Sketch,
    /// Bytes of the `Certificate` message of servers, where it is sent in the clear (before TLS 1.3).
    pub certificate_bytes: Sketch,
    /// What happened when.
    pub series: Series,
}
