//! What a worker saw when it looked at a server.

use serde::{Deserialize, Serialize};

use crate::{Group, Http, Key, Resumption, Suite, Version};

/// What a server negotiated and answered on a few connections; over plain HTTP nothing is negotiated.
#[derive(Debug, Default, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Sight {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<Version>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suite: Option<Suite>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<Group>,
    /// The key in the certificate; none where it is of a kind that tlstax does not know.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<Key>,
    /// How connections can be made: `full`, and every resumption that worked.
    pub resumptions: Vec<Resumption>,
    pub http: Vec<Http>,
    /// The status of the response to GET.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// Bytes in the body of the first response.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub body: Option<u64>,
    /// Whether a later response had a body of another length.
    pub varies: bool,
    /// Whether the connection stays open after a response.
    pub keeps: bool,
    /// What was wrong with the response, if anything.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}
