//! What the scripted worker claims to be, and to have negotiated.

use std::hash::{DefaultHasher, Hash, Hasher};

use serde_json::{Map, Value};
use tlstax_spec::known_answers::{name, operations};
use tlstax_spec::wire::Hello;
use tlstax_spec::{Case, Compression, Group, Key, Pattern, Proof, Resumption, Suite, Version, Workload};
use tlstax_worker::names;
use tlstax_worker::switches::wanted;

/// A worker that can do everything, with the script's fields in place of the default ones.
pub fn hello(protocol: u32, fields: &Map<String, Value>) -> Result<Hello, serde_json::Error> {
    let everything = Hello {
        protocol,
        family: "script".to_owned(),
        version: "script 1.0".to_owned(),
        build: "made up".to_owned(),
        primitives: operations().map(|(algorithm, op)| name(algorithm, op)).collect(),
        patterns: names(Pattern::ALL),
        versions: names(Version::ALL),
        suites: names(Suite::ALL),
        groups: names(Group::ALL),
        keys: names(Key::ALL),
        resumptions: names(Resumption::ALL),
        // A scripted library does without what it is asked to do without.
        without: names(wanted().unwrap_or_default()),
        scripted: true,
        ..Hello::default()
    };
    let mut hello = serde_json::to_value(everything)?;
    for (name, value) in fields {
        hello[name] = value.clone();
    }
    serde_json::from_value(hello)
}

/// The proof of a batch in which everything happened as the case wants it.
pub fn proof(case: &Case, iterations: u64) -> Proof {
    if let Workload::Primitive(primitive) = &case.workload {
        let known = (primitive.algorithm, primitive.op, primitive.size);
        return Proof {
            answer: Some(format!("{:016x}{:016x}", hash(&known), hash(&primitive.size))),
            ..Proof::default()
        };
    }
    let Some(params) = case.workload.params() else { return Proof::default() };
    let (handshakes, resumption) = match &case.workload {
        Workload::Handshake(handshake) => (iterations * u64::from(case.threads), handshake.resumption),
        Workload::Idle(idle) => (iterations * u64::from(idle.connections), Resumption::Full),
        _ => (0, Resumption::Full),
    };
    let full = resumption == Resumption::Full;
    let (client_bytes, server_bytes) = wire_bytes(&case.workload);
    let is_handshake = matches!(case.workload, Workload::Handshake(_));
    Proof {
        version: Some(params.version),
        suite: Some(params.suite),
        group: params.group.filter(|_| full || params.version.is_tls13()),
        key: full.then_some(params.key),
        compression: compression(&case.workload),
        resumed: if full { 0 } else { handshakes },
        handshakes,
        early: if resumption == Resumption::EarlyData { handshakes } else { 0 },
        client_bytes,
        server_bytes,
        round_trips: round_trips(&case.workload),
        flights: if is_handshake { flights(client_bytes, server_bytes) } else { Vec::new() },
        answer: None,
    }
}

fn compression(workload: &Workload) -> Option<Compression> {
    match workload {
        Workload::Bulk(bulk) => Some(bulk.compression).filter(|method| *method != Compression::None),
        _ => None,
    }
}

/// As many as the standards have, in a handshake in memory.
fn round_trips(workload: &Workload) -> Option<u32> {
    let Workload::Handshake(handshake) = workload else { return None };
    Some(match (handshake.params.version, handshake.resumption) {
        (_, Resumption::EarlyData) => 0,
        (version, Resumption::Full) if !version.is_tls13() => 2,
        _ => 1,
    })
}

/// The client's Finished comes by itself, and all of the server's before it.
fn flights(client_bytes: u64, server_bytes: u64) -> Vec<u64> {
    const FINISHED: u64 = 74;
    vec![client_bytes - FINISHED, server_bytes, FINISHED]
}

/// Plausible sizes: a ClientHello and a Finished; for bulk data 22 bytes of each record in TLS 1.3; a third of what is compressed.
fn wire_bytes(workload: &Workload) -> (u64, u64) {
    match workload {
        Workload::Bulk(bulk) => {
            let records = bulk.buffer.div_ceil(bulk.record.min(bulk.write).max(1));
            let payload = if compression(workload).is_some() { bulk.buffer / 3 } else { bulk.buffer };
            let sent = u64::from(payload) + 22 * u64::from(records);
            if bulk.direction == tlstax_spec::Direction::Download { (0, sent) } else { (sent, 0) }
        }
        Workload::Handshake(handshake) if handshake.resumption != Resumption::Full => (580, 370),
        Workload::Handshake(handshake) => (330, 620 + 700 * u64::from(handshake.chain)),
        _ => (330, 1320),
    }
}

/// The same in every process of one build, which is all that is needed.
fn hash(of: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    of.hash(&mut hasher);
    hasher.finish()
}
