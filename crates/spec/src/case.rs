//! A [`Case`]: one thing to measure, fully spelled out.

use serde::{Deserialize, Serialize};

use crate::named::named;
use crate::{Algorithm, Authentication, FlatCase, Group, Key, Op, Pattern, Suite, Version};

/// One thing to measure: a library, a workload and the number of threads that do it at the same time.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "FlatCase", try_from = "FlatCase")]
pub struct Case {
    /// The id of the library in the registry; for a load, the server's.
    pub library: String,
    /// Threads in one process that do the same work at the same time.
    pub threads: u16,
    /// What is done.
    pub workload: Workload,
}

/// The kinds of work that can be measured.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Workload {
    /// One cryptographic operation, without a protocol.
    Primitive(Primitive),
    /// TLS handshakes in memory, both sides in one thread.
    Handshake(Handshake),
    /// Application data in memory over an established connection, both sides in one thread.
    Bulk(Bulk),
    /// Memory of idle connections.
    Idle(Idle),
    /// HTTP requests over loopback, client and server each in a process of its own.
    Load(Load),
}

/// One operation of one algorithm on messages of one size.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Primitive {
    /// What is done.
    pub op: Op,
    /// With what.
    pub algorithm: Algorithm,
    /// The length of the message in bytes; 0 for algorithms without one.
    pub size: u32,
    /// How the calls are laid out.
    pub pattern: Pattern,
}

/// What the two sides of a connection have to negotiate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Params {
    /// The protocol version.
    pub version: Version,
    /// The cipher suite.
    pub suite: Suite,
    /// The key exchange group; none with RSA key transport.
    pub group: Option<Group>,
    /// The key in the server's certificate.
    pub key: Key,
}

impl Params {
    /// Whether version, suite, group and key can occur together at all.
    pub const fn is_coherent(&self) -> bool {
        let version_fits = self.suite.version() as u8 == self.version as u8;
        let group_fits = match (self.suite.authentication(), self.group) {
            (Authentication::Rsa, group) => group.is_none(),
            (_, None) => false,
            (Authentication::DheRsa, Some(group)) => group.is_finite_field(),
            (Authentication::Any, Some(_)) => true,
            (_, Some(group)) => !group.is_finite_field() && !group.is_post_quantum(),
        };
        version_fits && group_fits && self.suite.fits(self.key)
    }
}

impl Group {
    /// Whether the group is a finite field of RFC 7919.
    pub const fn is_finite_field(self) -> bool {
        matches!(self, Self::Ffdhe2048 | Self::Ffdhe3072)
    }

    /// Whether the group contains a post-quantum KEM, which exists in TLS 1.3 only.
    pub const fn is_post_quantum(self) -> bool {
        matches!(self, Self::X25519MlKem768 | Self::Secp256r1MlKem768 | Self::Secp384r1MlKem1024)
    }
}

named! {
    /// How much of a handshake is taken over from an earlier one.
    "resumption" Resumption {
        /// A full handshake.
        Full = "full",
        /// TLS 1.2 resumption by session id: the server keeps the state.
        SessionId = "session-id",
        /// TLS 1.2 resumption by ticket (RFC 5077): the client keeps the state.
        Ticket = "ticket",
        /// TLS 1.3 resumption by pre-shared key, with a new key exchange (psk_dhe_ke).
        Psk = "psk",
        /// TLS 1.3 resumption by pre-shared key with early data (0-RTT).
        EarlyData = "early-data",
    }
}

impl Resumption {
    /// Whether the kind exists in this version.
    pub const fn fits(self, version: Version) -> bool {
        match self {
            Self::Full => true,
            Self::SessionId | Self::Ticket => matches!(version, Version::Tls12),
            Self::Psk | Self::EarlyData => matches!(version, Version::Tls13),
        }
    }
}

named! {
    /// Which connections have one context (configuration) in common.
    "sharing of contexts" Contexts {
        /// All connections of all threads: what a server should do.
        Shared = "shared",
        /// The connections of one thread.
        PerThread = "per-thread",
        /// None: each connection makes its own context and drops it, and that is part of its cost.
        PerConnection = "per-connection",
    }
}

/// A handshake in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Handshake {
    /// What is negotiated.
    pub params: Params,
    /// How many certificates the server sends, end entity included, root excluded: 1 to 3.
    pub chain: u8,
    /// Full or resumed.
    pub resumption: Resumption,
    /// Whether the client authenticates with a certificate too.
    pub mutual: bool,
    /// Which handshakes have their contexts in common.
    pub contexts: Contexts,
}

named! {
    /// Which way application data flows.
    "direction" Direction {
        /// From the server to the client.
        Download = "download",
        /// From the client to the server.
        Upload = "upload",
    }
}

named! {
    /// One end of a connection.
    "side" Side {
        /// The side that opens the connection.
        Client = "client",
        /// The side that accepts it.
        Server = "server",
    }
}

/// Application data in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Bulk {
    /// What is negotiated.
    pub params: Params,
    /// Which way the data flows.
    pub direction: Direction,
    /// The largest plaintext in one record, in bytes: 512 to 16384.
    pub record: u32,
    /// The bytes handed to the library in one write.
    pub write: u32,
    /// The bytes written before the other side reads them all: larger than the cache to see main memory.
    pub buffer: u32,
}

/// Connections that do nothing after the handshake, to see what each takes in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Idle {
    /// What is negotiated.
    pub params: Params,
    /// The side that is kept; the other is dropped after the handshake.
    pub side: Side,
    /// How many connections are kept at once.
    pub connections: u32,
}

/// HTTP/1.1 requests over loopback, closed loop.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Load {
    /// The id of the library in the client's process.
    pub client: String,
    /// What is negotiated; none is plain HTTP.
    pub params: Option<Params>,
    /// Full or resumed connections.
    pub resumption: Resumption,
    /// Connections open at the same time, each with one request at a time.
    pub connections: u32,
    /// Requests on one connection before it is closed and a new one opened; 0 is no limit (keep-alive).
    pub requests_per_connection: u32,
    /// Bytes in the body of a response.
    pub body: u32,
    /// CPU time that the server's application spends on one request, in microseconds: a dynamic page.
    pub work_us: u32,
}

impl Workload {
    /// The kind of the workload: one lower-case word.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Primitive(_) => "primitive",
            Self::Handshake(_) => "handshake",
            Self::Bulk(_) => "bulk",
            Self::Idle(_) => "idle",
            Self::Load(_) => "load",
        }
    }

    /// What has to be negotiated, where a connection is made at all.
    pub const fn params(&self) -> Option<Params> {
        match self {
            Self::Primitive(_) => None,
            Self::Handshake(handshake) => Some(handshake.params),
            Self::Bulk(bulk) => Some(bulk.params),
            Self::Idle(idle) => Some(idle.params),
            Self::Load(load) => load.params,
        }
    }
}

impl Case {
    /// A readable path made from the fields. It names the case for people and joins results; it is never parsed.
    pub fn id(&self) -> String {
        let mut path = vec![self.library.clone(), self.workload.kind().to_owned()];
        match &self.workload {
            Workload::Primitive(primitive) => push_primitive(&mut path, primitive),
            Workload::Handshake(handshake) => push_handshake(&mut path, handshake),
            Workload::Bulk(bulk) => push_bulk(&mut path, bulk),
            Workload::Idle(idle) => {
                push_params(&mut path, Some(idle.params));
                path.push(idle.side.to_string());
                path.push(format!("{}-connections", idle.connections));
            }
            Workload::Load(load) => push_load(&mut path, load),
        }
        if self.threads != 1 {
            path.push(format!("{}-threads", self.threads));
        }
        path.join("/")
    }
}

fn push_primitive(path: &mut Vec<String>, primitive: &Primitive) {
    path.push(primitive.algorithm.to_string());
    path.push(primitive.op.to_string());
    if primitive.algorithm.class().is_sized() {
        path.push(primitive.size.to_string());
    }
    if primitive.pattern != Pattern::Tls {
        path.push(format!("{}-pattern", primitive.pattern));
    }
}

fn push_handshake(path: &mut Vec<String>, handshake: &Handshake) {
    push_params(path, Some(handshake.params));
    path.push(format!("chain-{}", handshake.chain));
    path.push(handshake.resumption.to_string());
    if handshake.mutual {
        path.push("mutual".to_owned());
    }
    if handshake.contexts != Contexts::Shared {
        path.push(format!("contexts-{}", handshake.contexts));
    }
}

fn push_bulk(path: &mut Vec<String>, bulk: &Bulk) {
    push_params(path, Some(bulk.params));
    path.push(bulk.direction.to_string());
    path.push(format!("record-{}", bulk.record));
    path.push(format!("write-{}", bulk.write));
    path.push(format!("buffer-{}", bulk.buffer));
}

fn push_load(path: &mut Vec<String>, load: &Load) {
    push_params(path, load.params);
    path.push(format!("from-{}", load.client));
    if load.params.is_some() {
        path.push(load.resumption.to_string());
    }
    path.push(format!("{}-connections", load.connections));
    path.push(match load.requests_per_connection {
        0 => "keep-alive".to_owned(),
        1 => "one-request".to_owned(),
        requests => format!("{requests}-requests"),
    });
    path.push(format!("body-{}", load.body));
    if load.work_us > 0 {
        path.push(format!("work-{}us", load.work_us));
    }
}

fn push_params(path: &mut Vec<String>, params: Option<Params>) {
    let Some(params) = params else {
        path.push("http".to_owned());
        return;
    };
    path.push(params.version.to_string());
    path.push(params.suite.to_string());
    path.extend(params.group.map(|group| group.to_string()));
    path.push(params.key.to_string());
}
