//! What a worker saw when it looked at a server.

use serde::{Deserialize, Serialize};

use crate::{Group, Http, Key, Resumption, Suite, Version};

/// What a server negotiated and answered on a few connections.
#[derive(Debug, Default, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sight {
    /// The protocol version; none over plain HTTP.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<Version>,
    /// The cipher suite.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suite: Option<Suite>,
    /// The key exchange group.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<Group>,
    /// The key in the certificate; none where it is of a kind that tlstax does not know.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<Key>,
    /// How connections can be made: `full`, and every resumption that worked.
    #[serde(default)]
    pub resumptions: Vec<Resumption>,
    /// The versions of HTTP.
    #[serde(default)]
    pub http: Vec<Http>,
    /// The status of the response to GET.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// Bytes in the body of the first response.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<u64>,
    /// Whether a later response had a body of another length.
    #[serde(default)]
    pub varies: bool,
    /// Whether the connection stays open after a response.
    #[serde(default)]
    pub keeps: bool,
    /// What was wrong with the response, if anything.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}
