//! The matrices of a study: lists, of which each combination that exists is a case.

use serde::Deserialize;
use serde::de::IgnoredAny;
use tlstax_names::{names, sizes};
use tlstax_spec::{
    Algorithm, Contexts, Direction, Group, Key, Op, Pattern, Resumption, Side, Suite, Version,
};

/// Every combination of these; operations that an algorithm does not have are left out.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PrimitiveMatrix {
    /// Algorithms.
    #[serde(deserialize_with = "names")]
    pub algorithms: Vec<Algorithm>,
    /// Operations; all that the algorithm has where absent.
    #[serde(default, deserialize_with = "names")]
    pub ops: Vec<Op>,
    /// Message sizes in bytes, for algorithms that have them.
    #[serde(default = "default_sizes", deserialize_with = "sizes")]
    pub sizes: Vec<u64>,
    /// Layouts of the calls.
    #[serde(default = "default_patterns", deserialize_with = "names")]
    pub patterns: Vec<Pattern>,
    /// Numbers of threads.
    #[serde(default = "default_threads")]
    pub threads: Vec<u64>,
    /// What is different in the quick form of the study, see [`Extent::Quick`].
    #[serde(default)]
    pub quick: IgnoredAny,
}

fn default_sizes() -> Vec<u64> {
    vec![16, 64, 256, 1024, 1350, 8192, 16384]
}

fn default_patterns() -> Vec<Pattern> {
    vec![Pattern::Tls]
}

pub(super) fn default_threads() -> Vec<u64> {
    vec![1]
}

/// The combinations that exist of these: a suite of another version, or one that does not fit the certificate key or
/// the group, makes no case.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HandshakeMatrix {
    /// Protocol versions.
    #[serde(deserialize_with = "names")]
    pub versions: Vec<Version>,
    /// Cipher suites.
    #[serde(deserialize_with = "names")]
    pub suites: Vec<Suite>,
    /// Key exchange groups; suites with RSA key transport need none.
    #[serde(deserialize_with = "names")]
    pub groups: Vec<Group>,
    /// Certificate keys.
    #[serde(deserialize_with = "names")]
    pub keys: Vec<Key>,
    /// Certificates that the server sends.
    #[serde(default = "default_chains")]
    pub chains: Vec<u64>,
    /// Full and resumed.
    #[serde(default = "default_resumptions", deserialize_with = "names")]
    pub resumptions: Vec<Resumption>,
    /// Without and with a client certificate.
    #[serde(default = "default_mutual")]
    pub mutual: Vec<bool>,
    /// Numbers of threads that make handshakes at the same time.
    #[serde(default = "default_threads")]
    pub threads: Vec<u64>,
    /// Which handshakes have their contexts in common.
    #[serde(default = "default_contexts", deserialize_with = "names")]
    pub contexts: Vec<Contexts>,
    /// What is different in the quick form of the study, see [`Extent::Quick`].
    #[serde(default)]
    pub quick: IgnoredAny,
}

fn default_chains() -> Vec<u64> {
    vec![2]
}

pub(super) fn default_resumptions() -> Vec<Resumption> {
    vec![Resumption::Full]
}

fn default_contexts() -> Vec<Contexts> {
    vec![Contexts::Shared]
}

fn default_mutual() -> Vec<bool> {
    vec![false]
}

/// As [`HandshakeMatrix`], for application data.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BulkMatrix {
    /// Protocol versions.
    #[serde(deserialize_with = "names")]
    pub versions: Vec<Version>,
    /// Cipher suites.
    #[serde(deserialize_with = "names")]
    pub suites: Vec<Suite>,
    /// Key exchange groups.
    #[serde(deserialize_with = "names")]
    pub groups: Vec<Group>,
    /// Certificate keys.
    #[serde(deserialize_with = "names")]
    pub keys: Vec<Key>,
    /// Which way the data flows.
    #[serde(default = "default_directions", deserialize_with = "names")]
    pub directions: Vec<Direction>,
    /// The largest plaintext in a record, bytes.
    #[serde(default = "default_records", deserialize_with = "sizes")]
    pub records: Vec<u64>,
    /// Bytes in one write.
    #[serde(default = "default_writes", deserialize_with = "sizes")]
    pub writes: Vec<u64>,
    /// Bytes written before they are read: more than the cache holds, to see main memory.
    #[serde(default = "default_buffers", deserialize_with = "sizes")]
    pub buffers: Vec<u64>,
    /// What is different in the quick form of the study, see [`Extent::Quick`].
    #[serde(default)]
    pub quick: IgnoredAny,
}

pub(super) fn default_directions() -> Vec<Direction> {
    vec![Direction::Download]
}

fn default_records() -> Vec<u64> {
    vec![16384]
}

fn default_writes() -> Vec<u64> {
    vec![16384]
}

fn default_buffers() -> Vec<u64> {
    vec![262_144]
}

/// As [`HandshakeMatrix`], for connections that do nothing.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IdleMatrix {
    /// Protocol versions.
    #[serde(deserialize_with = "names")]
    pub versions: Vec<Version>,
    /// Cipher suites.
    #[serde(deserialize_with = "names")]
    pub suites: Vec<Suite>,
    /// Key exchange groups.
    #[serde(deserialize_with = "names")]
    pub groups: Vec<Group>,
    /// Certificate keys.
    #[serde(deserialize_with = "names")]
    pub keys: Vec<Key>,
    /// The sides that are kept.
    #[serde(default = "default_sides", deserialize_with = "names")]
    pub sides: Vec<Side>,
    /// Connections at once.
    #[serde(default = "default_idle")]
    pub connections: Vec<u64>,
    /// What is different in the quick form of the study, see [`Extent::Quick`].
    #[serde(default)]
    pub quick: IgnoredAny,
}

fn default_sides() -> Vec<Side> {
    vec![Side::Server, Side::Client]
}

fn default_idle() -> Vec<u64> {
    vec![500]
}
