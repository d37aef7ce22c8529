//! A [`Case`]: one thing to measure, fully spelled out.

use serde::{Deserialize, Serialize};

use crate::named::named;
use crate::{Algorithm, Authentication, FlatCase, Group, Id, Key, Op, Pattern, Suite, Version};

/// One thing to measure: a library, a workload and the number of threads that do it at the same time.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "FlatCase", try_from = "FlatCase")]
pub struct Case {
    /// The id of the library in the registry; for a load, the server's: a library in a worker, or a program such as nginx.
    pub library: Id,
    /// Threads in one process that do the same work at the same time; for a load, the client's.
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

named! {
    /// A version of HTTP, by its ALPN protocol id (IANA).
    "HTTP version" Http {
        /// HTTP/1.1, RFC 9112.
        Http1 = "http/1.1",
        /// HTTP/2, RFC 9113; without TLS with prior knowledge (h2c).
        Http2 = "h2",
    }
}

named! {
    /// Where a response comes from.
    "kind of page" Page {
        /// A file.
        Static = "static",
        /// A program that stays between requests, behind FastCGI.
        FastCgi = "fastcgi",
    }
}

named! {
    /// Which processes of a server know a session that one of them has made.
    "sharing of sessions" Sessions {
        /// All: a cache in shared memory, or the same ticket keys.
        Shared = "shared",
        /// The one that made it: a cache in each process.
        PerWorker = "per-worker",
    }
}

/// How a real server is set up, beside what has to be negotiated. [`Tuning::default`] is what most people run, on one core.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Tuning {
    /// Whether plain HTTP sends files by sendfile(2), without copying them through the process.
    pub sendfile: bool,
    /// The bytes that are encrypted into one record at most, as nginx's `ssl_buffer_size`; 0 is the server's own choice.
    pub tls_buffer: u32,
    /// Worker processes, or threads in a server that has threads.
    pub workers: u16,
    /// Whether the server is kept on its own core; several workers get all cores.
    pub pinned: bool,
    /// Which workers know a session.
    pub sessions: Sessions,
}

impl Default for Tuning {
    fn default() -> Self {
        Self { sendfile: true, tls_buffer: 0, workers: 1, pinned: true, sessions: Sessions::Shared }
    }
}

/// HTTP requests over loopback.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Load {
    /// The id of the client: a library in a worker of its own, or a program such as curl.
    pub client: Id,
    /// What is negotiated; none is plain HTTP.
    pub params: Option<Params>,
    /// Full or resumed connections.
    pub resumption: Resumption,
    /// With a resumption: of a hundred connections so many resume, the others make full handshakes.
    pub resumed_percent: u8,
    /// The version of HTTP.
    pub http: Http,
    /// Connections open at the same time. In HTTP/1.1 each has one request at a time.
    pub connections: u32,
    /// Requests on one connection before it is closed and a new one opened; 0 is no limit (keep-alive).
    pub requests_per_connection: u32,
    /// Open loop: requests per second that are begun, whether or not earlier ones are answered; 0 is a closed loop.
    pub rate: u32,
    /// Download: the body is in the response. Upload: it is in the request, and the response has none.
    pub direction: Direction,
    /// Bytes in the body.
    pub body: u32,
    /// CPU time that the embedded server's application spends on one request, in microseconds: a dynamic page.
    pub work_us: u32,
    /// Where a real server's response comes from.
    pub page: Page,
    /// How a real server is set up.
    pub tuning: Tuning,
}

impl Load {
    /// Downloads over HTTP/1.1 in a closed loop, on 16 connections that are kept alive, of files without contents.
    pub fn new(client: Id, params: Option<Params>) -> Self {
        Self {
            client,
            params,
            resumption: Resumption::Full,
            resumed_percent: 100,
            http: Http::Http1,
            connections: 16,
            requests_per_connection: 0,
            rate: 0,
            direction: Direction::Download,
            body: 0,
            work_us: 0,
            page: Page::Static,
            tuning: Tuning::default(),
        }
    }

    /// Of a hundred connections so many must resume; none where the hit rate is what the load is to find out, because the
    /// server's workers do not know each other's sessions.
    pub fn resumed_share(&self) -> Option<u8> {
        let is_question = self.tuning.sessions == Sessions::PerWorker && self.tuning.workers > 1;
        match self.resumption {
            Resumption::Full => Some(0),
            _ => (!is_question).then_some(self.resumed_percent),
        }
    }

    /// What the client must be able to do beyond downloads over HTTP/1.1 in a closed loop in one thread: words of
    /// [`crate::wire::Hello::loads`].
    pub fn demands(&self) -> Vec<&'static str> {
        let demands = [
            (self.http == Http::Http2, "h2"),
            (self.rate > 0, "rate"),
            (self.direction == Direction::Upload, "upload"),
            (self.resumption == Resumption::EarlyData, "early-data"),
            (self.resumed_percent != 100 && self.resumption != Resumption::Full, "mix"),
        ];
        demands.into_iter().filter_map(|(is_needed, word)| is_needed.then_some(word)).collect()
    }
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
        let mut path = vec![self.library.to_string(), self.workload.kind().to_owned()];
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
    let percent = load.resumed_percent;
    let parts = [
        (true, format!("from-{}", load.client)),
        (load.http == Http::Http2, load.http.to_string()),
        (load.params.is_some(), load.resumption.to_string()),
        (load.resumption != Resumption::Full && percent != 100, format!("{percent}-percent-resumed")),
        (true, format!("{}-connections", load.connections)),
        (true, requests(load.requests_per_connection)),
        (load.rate > 0, format!("{}-per-second", load.rate)),
        (load.direction == Direction::Upload, load.direction.to_string()),
        (true, format!("body-{}", load.body)),
        (load.work_us > 0, format!("work-{}us", load.work_us)),
        (load.page != Page::Static, load.page.to_string()),
    ];
    path.extend(parts.into_iter().filter_map(|(is_said, part)| is_said.then_some(part)));
    push_tuning(path, &load.tuning);
}

fn requests(per_connection: u32) -> String {
    match per_connection {
        0 => "keep-alive".to_owned(),
        1 => "one-request".to_owned(),
        requests => format!("{requests}-requests"),
    }
}

fn push_tuning(path: &mut Vec<String>, tuning: &Tuning) {
    let usual = Tuning::default();
    let parts = [
        (!tuning.sendfile, "no-sendfile".to_owned()),
        (tuning.tls_buffer > 0, format!("tls-buffer-{}", tuning.tls_buffer)),
        (tuning.workers != usual.workers, format!("{}-workers", tuning.workers)),
        (!tuning.pinned, "not-pinned".to_owned()),
        (tuning.sessions != usual.sessions, format!("sessions-{}", tuning.sessions)),
    ];
    path.extend(parts.into_iter().filter_map(|(is_said, part)| is_said.then_some(part)));
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
