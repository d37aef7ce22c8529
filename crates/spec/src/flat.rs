//! [`FlatCase`]: a case as one flat row of optional fields, the form on the wire and in documents.

use serde::{Deserialize, Serialize};

use crate::{
    Algorithm, Bulk, Case, Contexts, Direction, Group, Handshake, Idle, Key, Load, Op, Params, Pattern,
    Primitive, Resumption, Side, Suite, Version, Workload,
};

macro_rules! flat_case {
    ($($(#[$doc:meta])* $field:ident: $type:ty,)+) => {
        /// A case as a flat row. Which fields are set depends on `kind`; see the types of the same names.
        #[derive(Debug, Default, Clone, PartialEq, Eq, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        pub struct FlatCase {
            /// The id of the library.
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
    /// Bulk: which way the data flows.
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
}

/// A flat row that is no case.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CaseError {
    /// There is no such kind of workload.
    #[error("unknown kind of case '{0}'; known: primitive, handshake, bulk, idle, load")]
    UnknownKind(String),
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
            library: case.library,
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
                flat.client = Some(load.client);
                flat.resumption = Some(load.resumption);
                flat.connections = Some(load.connections);
                flat.requests_per_connection = Some(load.requests_per_connection);
                flat.body = Some(load.body);
                flat.work_us = Some(load.work_us);
            }
        }
        flat
    }
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
            "load" => Workload::Load(Load {
                client: need(&flat, "client", flat.client.clone())?,
                params: flat.version.map(|_| params(&flat)).transpose()?,
                resumption: need(&flat, "resumption", flat.resumption)?,
                connections: need(&flat, "connections", flat.connections)?,
                requests_per_connection: need(
                    &flat,
                    "requests_per_connection",
                    flat.requests_per_connection,
                )?,
                body: need(&flat, "body", flat.body)?,
                work_us: need(&flat, "work_us", flat.work_us)?,
            }),
            _ => return Err(CaseError::UnknownKind(flat.kind)),
        };
        Ok(Self { library: flat.library, threads: flat.threads.unwrap_or(1), workload })
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
