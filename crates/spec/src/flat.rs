//! [`FlatCase`]: a case as one flat row of optional fields, the form on the wire and in documents.

use serde::{Deserialize, Serialize};

use crate::{
    Algorithm, Bulk, Case, Contexts, Direction, Group, Handshake, Http, Idle, InvalidId, Key, Load, Op, Page,
    Params, Pattern, Primitive, Resumption, Sessions, Side, Suite, Tuning, Version, Workload,
};

macro_rules! flat_case {
    ($($(#[$doc:meta])* $field:ident: $type:ty,)+) => {
        /// A case as a flat row. Which fields are set depends on `kind`; see the types of the same names.
        #[derive(Debug, Default, Clone, PartialEq, Eq, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        pub struct FlatCase {
            /// The id of the library.
            #[cfg_attr(feature = "schema", schemars(with = "crate::Id"))]
            pub library: String,
            /// primitive, handshake, bulk, idle or load.
            pub kind: String,
            $($(#[$doc])* #[serde(default, skip_serializing_if = "Option::is_none")] pub $field: Option<$type>,)+
        }
    };
}

flat_case! {
    /// Threads that do the work at the same time; 1 where absent.
    threads: u16,
    /// Primitive: the operation.
    op: Op,
    /// Primitive: the algorithm.
    algorithm: Algorithm,
    /// Primitive: the length of the message in bytes.
    size: u32,
    /// Primitive: how the calls are laid out.
    pattern: Pattern,
    /// The protocol version; absent in a load over plain HTTP.
    version: Version,
    /// The cipher suite.
    suite: Suite,
    /// The key exchange group; absent with RSA key transport.
    group: Group,
    /// The key in the server's certificate.
    key: Key,
    /// Handshake: certificates that the server sends.
    chain: u8,
    /// Handshake and load: full or resumed.
    resumption: Resumption,
    /// Handshake: the client authenticates too.
    mutual: bool,
    /// Handshake: which handshakes have their contexts in common; shared where absent.
    contexts: Contexts,
    /// Bulk and load: which way the data flows; in a load, download where absent.
    direction: Direction,
    /// Bulk: the largest plaintext in a record.
    record: u32,
    /// Bulk: the bytes in one write.
    write: u32,
    /// Bulk: the bytes written before they are read.
    buffer: u32,
    /// Idle: the side that is kept.
    side: Side,
    /// Idle and load: connections open at the same time.
    connections: u32,
    /// Load: the library of the client.
    client: String,
    /// Load: requests on one connection; 0 is no limit.
    requests_per_connection: u32,
    /// Load: bytes in the body of a response.
    body: u32,
    /// Load: CPU microseconds of the application per request.
    work_us: u32,
    /// Load: of a hundred connections so many resume; all where absent.
    resumed_percent: u8,
    /// Load: the version of HTTP; http/1.1 where absent.
    http: Http,
    /// Load: requests per second in an open loop; a closed loop where absent.
    rate: u32,
    /// Load: where a real server's response comes from; static where absent.
    page: Page,
    /// Load: false if a real server does without sendfile(2).
    sendfile: bool,
    /// Load: the most bytes that a real server encrypts into one record; its own choice where absent.
    tls_buffer: u32,
    /// Load: a real server's worker processes; 1 where absent.
    workers: u16,
    /// Load: false if a real server may run on every core.
    pinned: bool,
    /// Load: which of a real server's workers know a session; shared where absent.
    sessions: Sessions,
}

/// A flat row that is no case.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CaseError {
    /// There is no such kind of workload.
    #[error("unknown kind of case '{0}'; known: primitive, handshake, bulk, idle, load")]
    UnknownKind(String),
    /// The library or the client has a name that is no id.
    #[error(transparent)]
    Id(#[from] InvalidId),
    /// A field that the kind needs is absent.
    #[error("a {kind} case needs the field '{field}'")]
    Missing {
        /// The kind.
        kind: String,
        /// The absent field.
        field: &'static str,
    },
}

impl From<Case> for FlatCase {
    fn from(case: Case) -> Self {
        let mut flat = Self {
            library: case.library.into(),
            kind: case.workload.kind().to_owned(),
            threads: (case.threads != 1).then_some(case.threads),
            ..Self::default()
        };
        if let Some(params) = case.workload.params() {
            flat.version = Some(params.version);
            flat.suite = Some(params.suite);
            flat.group = params.group;
            flat.key = Some(params.key);
        }
        match case.workload {
            Workload::Primitive(primitive) => {
                flat.op = Some(primitive.op);
                flat.algorithm = Some(primitive.algorithm);
                flat.size = Some(primitive.size);
                flat.pattern = Some(primitive.pattern);
            }
            Workload::Handshake(handshake) => {
                flat.chain = Some(handshake.chain);
                flat.resumption = Some(handshake.resumption);
                flat.mutual = Some(handshake.mutual);
                let contexts = handshake.contexts;
                flat.contexts = (contexts != Contexts::Shared).then_some(contexts);
            }
            Workload::Bulk(bulk) => {
                flat.direction = Some(bulk.direction);
                flat.record = Some(bulk.record);
                flat.write = Some(bulk.write);
                flat.buffer = Some(bulk.buffer);
            }
            Workload::Idle(idle) => {
                flat.side = Some(idle.side);
                flat.connections = Some(idle.connections);
            }
            Workload::Load(load) => {
                flat.put_load(load);
            }
        }
        flat
    }
}

impl FlatCase {
    /// What is as usual is left out, so that a load of an earlier version reads the same.
    fn put_load(&mut self, load: Load) {
        let usual = Load::new(load.client, None);
        self.client = Some(usual.client.into());
        self.resumption = Some(load.resumption);
        self.connections = Some(load.connections);
        self.requests_per_connection = Some(load.requests_per_connection);
        self.body = Some(load.body);
        self.work_us = Some(load.work_us);
        self.resumed_percent = unusual(load.resumed_percent, usual.resumed_percent);
        self.http = unusual(load.http, usual.http);
        self.rate = unusual(load.rate, usual.rate);
        self.direction = unusual(load.direction, usual.direction);
        self.page = unusual(load.page, usual.page);
        self.sendfile = unusual(load.tuning.sendfile, usual.tuning.sendfile);
        self.tls_buffer = unusual(load.tuning.tls_buffer, usual.tuning.tls_buffer);
        self.workers = unusual(load.tuning.workers, usual.tuning.workers);
        self.pinned = unusual(load.tuning.pinned, usual.tuning.pinned);
        self.sessions = unusual(load.tuning.sessions, usual.tuning.sessions);
    }

    fn load(&self) -> Result<Load, CaseError> {
        let usual = Load::new(need(self, "client", self.client.clone())?.try_into()?, None);
        Ok(Load {
            params: self.version.map(|_| params(self)).transpose()?,
            resumption: need(self, "resumption", self.resumption)?,
            connections: need(self, "connections", self.connections)?,
            requests_per_connection: need(self, "requests_per_connection", self.requests_per_connection)?,
            body: need(self, "body", self.body)?,
            work_us: need(self, "work_us", self.work_us)?,
            resumed_percent: self.resumed_percent.unwrap_or(usual.resumed_percent),
            http: self.http.unwrap_or(usual.http),
            rate: self.rate.unwrap_or(usual.rate),
            direction: self.direction.unwrap_or(usual.direction),
            page: self.page.unwrap_or(usual.page),
            tuning: Tuning {
                sendfile: self.sendfile.unwrap_or(usual.tuning.sendfile),
                tls_buffer: self.tls_buffer.unwrap_or(usual.tuning.tls_buffer),
                workers: self.workers.unwrap_or(usual.tuning.workers),
                pinned: self.pinned.unwrap_or(usual.tuning.pinned),
                sessions: self.sessions.unwrap_or(usual.tuning.sessions),
            },
            ..usual
        })
    }
}

fn unusual<T: PartialEq>(value: T, usual: T) -> Option<T> {
    (value != usual).then_some(value)
}

impl TryFrom<FlatCase> for Case {
    type Error = CaseError;

    fn try_from(flat: FlatCase) -> Result<Self, CaseError> {
        let workload = match flat.kind.as_str() {
            "primitive" => Workload::Primitive(Primitive {
                op: need(&flat, "op", flat.op)?,
                algorithm: need(&flat, "algorithm", flat.algorithm)?,
                size: need(&flat, "size", flat.size)?,
                pattern: need(&flat, "pattern", flat.pattern)?,
            }),
            "handshake" => Workload::Handshake(Handshake {
                params: params(&flat)?,
                chain: need(&flat, "chain", flat.chain)?,
                resumption: need(&flat, "resumption", flat.resumption)?,
                mutual: need(&flat, "mutual", flat.mutual)?,
                contexts: flat.contexts.unwrap_or(Contexts::Shared),
            }),
            "bulk" => Workload::Bulk(Bulk {
                params: params(&flat)?,
                direction: need(&flat, "direction", flat.direction)?,
                record: need(&flat, "record", flat.record)?,
                write: need(&flat, "write", flat.write)?,
                buffer: need(&flat, "buffer", flat.buffer)?,
            }),
            "idle" => Workload::Idle(Idle {
                params: params(&flat)?,
                side: need(&flat, "side", flat.side)?,
                connections: need(&flat, "connections", flat.connections)?,
            }),
            "load" => Workload::Load(flat.load()?),
            _ => return Err(CaseError::UnknownKind(flat.kind)),
        };
        Ok(Self { library: flat.library.try_into()?, threads: flat.threads.unwrap_or(1), workload })
    }
}

fn params(flat: &FlatCase) -> Result<Params, CaseError> {
    Ok(Params {
        version: need(flat, "version", flat.version)?,
        suite: need(flat, "suite", flat.suite)?,
        group: flat.group,
        key: need(flat, "key", flat.key)?,
    })
}

fn need<T>(flat: &FlatCase, field: &'static str, value: Option<T>) -> Result<T, CaseError> {
    value.ok_or_else(|| CaseError::Missing { kind: flat.kind.clone(), field })
}
