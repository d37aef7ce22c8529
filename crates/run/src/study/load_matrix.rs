//! The matrix of loads.

use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer};
use tlstax_names::{names, sizes};
use tlstax_spec::{Direction, Group, Http, Id, Key, Page, Resumption, Sessions, Suite, Version};

use super::matrix::{default_directions, default_resumptions, default_threads};

/// Loads over loopback: plain HTTP, HTTPS in the combinations that exist, or both.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LoadMatrix {
    /// Whether to add plain HTTP to each combination of connections, requests and bodies.
    #[serde(default)]
    pub plain: bool,
    /// Protocol versions; none is plain HTTP only.
    #[serde(default, deserialize_with = "names")]
    pub versions: Vec<Version>,
    /// Cipher suites.
    #[serde(default, deserialize_with = "names")]
    pub suites: Vec<Suite>,
    /// Key exchange groups.
    #[serde(default, deserialize_with = "names")]
    pub groups: Vec<Group>,
    /// Certificate keys.
    #[serde(default, deserialize_with = "names")]
    pub keys: Vec<Key>,
    /// Full and resumed connections.
    #[serde(default = "default_resumptions", deserialize_with = "names")]
    pub resumptions: Vec<Resumption>,
    /// Who serves, in place of the libraries that are measured otherwise: real servers, or libraries. Real servers that the user
    /// names take the place of those in the list.
    #[serde(default)]
    pub servers: Vec<Id>,
    /// The clients, one or a list: libraries in workers, or programs such as curl. A library that is not there is replaced by the
    /// server's own; so is none at all, and the client of a real server is then lean.
    #[serde(default, alias = "client", deserialize_with = "one_or_several")]
    pub clients: Vec<Id>,
    /// With a resumption: of a hundred connections so many resume.
    #[serde(default = "default_percent")]
    pub resumed_percent: Vec<u64>,
    /// Versions of HTTP.
    #[serde(default = "default_http", deserialize_with = "names")]
    pub http: Vec<Http>,
    /// Connections at once.
    #[serde(default = "default_connections")]
    pub connections: Vec<u64>,
    /// Requests on one connection; 0 is no limit.
    #[serde(default = "default_requests")]
    pub requests_per_connection: Vec<u64>,
    /// Bytes in a response's body.
    #[serde(default = "default_bodies", deserialize_with = "sizes")]
    pub bodies: Vec<u64>,
    /// CPU microseconds of the application per request.
    #[serde(default = "default_work")]
    pub work_us: Vec<u64>,
    /// Requests per second in an open loop; 0 is a closed loop.
    #[serde(default = "default_rates")]
    pub rates: Vec<u64>,
    /// Downloads and uploads.
    #[serde(default = "default_directions", deserialize_with = "names")]
    pub directions: Vec<Direction>,
    /// Files and dynamic pages of a real server.
    #[serde(default = "default_pages", deserialize_with = "names")]
    pub pages: Vec<Page>,
    /// With and without sendfile(2) in a real server, for plain HTTP.
    #[serde(default = "default_yes")]
    pub sendfile: Vec<bool>,
    /// The most bytes that a real server encrypts into one record; 0 is its own choice.
    #[serde(default = "default_buffer", deserialize_with = "sizes")]
    pub tls_buffers: Vec<u64>,
    /// Worker processes of a real server.
    #[serde(default = "default_threads")]
    pub workers: Vec<u64>,
    /// Whether a real server is kept on its own core.
    #[serde(default = "default_yes")]
    pub pinned: Vec<bool>,
    /// Which of its workers know a session.
    #[serde(default = "default_sessions", deserialize_with = "names")]
    pub sessions: Vec<Sessions>,
    /// Threads of the client.
    #[serde(default = "default_threads")]
    pub threads: Vec<u64>,
    /// What is different in the quick form of the study, see [`Extent::Quick`].
    #[serde(default)]
    pub quick: IgnoredAny,
}

/// A matrix of nothing but plain HTTP, as a short cut begins with.
impl Default for LoadMatrix {
    fn default() -> Self {
        Self {
            plain: true,
            versions: Vec::new(),
            suites: Vec::new(),
            groups: Vec::new(),
            keys: Vec::new(),
            resumptions: default_resumptions(),
            servers: Vec::new(),
            clients: Vec::new(),
            resumed_percent: default_percent(),
            http: default_http(),
            connections: default_connections(),
            requests_per_connection: default_requests(),
            bodies: default_bodies(),
            work_us: default_work(),
            rates: default_rates(),
            directions: default_directions(),
            pages: default_pages(),
            sendfile: default_yes(),
            tls_buffers: default_buffer(),
            workers: default_threads(),
            pinned: default_yes(),
            sessions: default_sessions(),
            threads: default_threads(),
            quick: IgnoredAny,
        }
    }
}

fn one_or_several<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Id>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Names {
        One(Id),
        Several(Vec<Id>),
    }
    Ok(match Names::deserialize(deserializer)? {
        Names::One(name) => vec![name],
        Names::Several(names) => names,
    })
}

fn default_percent() -> Vec<u64> {
    vec![100]
}

fn default_http() -> Vec<Http> {
    vec![Http::Http1]
}

fn default_rates() -> Vec<u64> {
    vec![0]
}

fn default_pages() -> Vec<Page> {
    vec![Page::Static]
}

fn default_yes() -> Vec<bool> {
    vec![true]
}

fn default_buffer() -> Vec<u64> {
    vec![0]
}

fn default_sessions() -> Vec<Sessions> {
    vec![Sessions::Shared]
}

fn default_connections() -> Vec<u64> {
    vec![16]
}

fn default_requests() -> Vec<u64> {
    vec![0]
}

fn default_bodies() -> Vec<u64> {
    vec![1024]
}

fn default_work() -> Vec<u64> {
    vec![0]
}
