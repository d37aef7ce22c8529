//! Samples and proofs of a case, from its cost.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hdrhistogram::Histogram;
use hdrhistogram::serialization::{Serializer, V2Serializer};
use tlstax_doc::{Batch, Measurement, Note, Outcome, Severity, Slice};
use tlstax_spec::{
    Algorithm, Bytes, Case, Cpu, Group, Handshake, Key, Nanos, Proof, Resumption, Sample, Stage, Version,
    Workload,
};

use super::cost::Cost;
use super::{Noise, ROUNDS, servers};

const CORES: f64 = 2.0;

/// One case in all rounds, or the reason why it has no figure.
pub fn measure(
    case: Case,
    slices: &[Slice],
    noise: &mut Noise,
    slowdown: &impl Fn(&str) -> f64,
    cost: &impl Fn(&Case) -> Cost,
) -> Measurement {
    if let Some(outcome) = hole(&case) {
        return Measurement::new(case, outcome);
    }
    let factor = slowdown(&case.id());
    let batches = (0..ROUNDS).map(|round| {
        let state = slices[round as usize * 2].latency_ns.0 as f64 / 150_000.0;
        let machine = factor * state * (1.0 + 0.003 * noise.next());
        let batch = if servers::is_served(&case) { servers::batch } else { batch };
        batch(&case, cost(&case), round, machine)
    });
    let batches = batches.collect();
    let proof = if servers::is_served(&case) { servers::prove(&case, proof(&case)) } else { proof(&case) };
    let mut measurement = Measurement::new(case.clone(), Outcome::Measured { proof, batches });
    if matches!(case.workload, Workload::Idle(_)) {
        measurement.notes.push(Note {
            severity: Severity::Info,
            what: "the allocator keeps some memory of its own".to_owned(),
            remedy: String::new(),
        });
    }
    measurement
}

/// A hole of every kind.
fn hole(case: &Case) -> Option<Outcome> {
    if servers::is_served(case) {
        return servers::hole(case);
    }
    let Workload::Primitive(primitive) = &case.workload else { return None };
    if case.library != "rustls-aws-lc" {
        return None;
    }
    match (primitive.algorithm, primitive.size) {
        (Algorithm::Aes128Cbc, _) => Some(Outcome::Unsupported { reason: "rustls has no CBC".to_owned() }),
        (Algorithm::Sha384, 64) => Some(Outcome::Failed {
            stage: Stage::Run,
            message: "the worker died <of shame>".to_owned(),
            stderr: "signal 11".to_owned(),
        }),
        (Algorithm::MlKem768, _) => Some(Outcome::Skipped { why: "the budget was spent".to_owned() }),
        _ => None,
    }
}

fn batch(case: &Case, Cost { client, server, kept }: Cost, round: u32, machine: f64) -> Batch {
    let nanos = |each: f64| Nanos((each * machine * f64::from(ITERATIONS)) as u64);
    let sample = match &case.workload {
        Workload::Primitive(_) => Sample {
            iterations: ITERATIONS.into(),
            wall: nanos(server / f64::from(case.threads) * 1.01),
            cpu: of_threads(nanos(server), 1),
            ..Sample::default()
        },
        Workload::Idle(idle) => Sample {
            iterations: idle.connections.into(),
            bytes: Bytes(u64::from(idle.connections) * (9_000 + u64::from(round) * 10)),
            wall: Nanos(1),
            ..Sample::default()
        },
        Workload::Load(load) => {
            let longer = if load.body == 100_000 { 1.2 } else { 1.01 };
            let (wall, cpu) = (nanos(client.max(server) * longer), of_threads(nanos(client + server), 1));
            Sample { latency: Some(latency(server)), ..of_sides(nanos(client), nanos(server), wall, cpu) }
        }
        Workload::Handshake(_) | Workload::Bulk(_) => {
            let wall = nanos((client + server) / (f64::from(case.threads).min(CORES) * kept));
            let cpu = of_threads(nanos(client + server), case.threads);
            of_sides(nanos(client), nanos(server), wall, cpu)
        }
    };
    Batch { slice: round * 2, sample, observed: None, observed_server: None }
}

const ITERATIONS: u32 = 100;

/// The CPU time of some threads; of several, the kernel's accounting is fine enough.
fn of_threads(total: Nanos, threads: u16) -> Cpu {
    match threads {
        1 => Cpu { total, ..Cpu::default() },
        _ => Cpu { total, user: Some(Nanos(total.0 * 4 / 5)), system: Some(Nanos(total.0 / 5)) },
    }
}

fn of_sides(client: Nanos, server: Nanos, wall: Nanos, cpu: Cpu) -> Sample {
    let side = |total: Nanos| {
        let part = |tenths: u64| Some(Nanos(total.0 * tenths / 10));
        (total.0 > 0).then_some(Cpu { total, user: part(4), system: part(6) })
    };
    Sample {
        iterations: ITERATIONS.into(),
        wall,
        cpu,
        client: side(client),
        server: side(server),
        ..Sample::default()
    }
}

/// A hundred latencies around sixteen times the server's cost.
pub fn latency(server: f64) -> String {
    let mut histogram = Histogram::<u64>::new(3).unwrap();
    for request in 0..100 {
        histogram.record((server * 16.0 / 1e3) as u64 + request * request / 10).unwrap();
    }
    let mut bytes = Vec::new();
    V2Serializer::new().serialize(&histogram, &mut bytes).unwrap();
    STANDARD.encode(bytes)
}

fn proof(case: &Case) -> Proof {
    let params = case.workload.params();
    let (client_bytes, server_bytes) = match &case.workload {
        Workload::Handshake(handshake) => sent(handshake),
        Workload::Bulk(bulk) => (0, u64::from(bulk.buffer) + u64::from(bulk.buffer / bulk.record) * 22),
        _ => (0, 0),
    };
    let round_trips = match &case.workload {
        Workload::Handshake(handshake) if handshake.params.version == Version::Tls12 => Some(2),
        Workload::Handshake(_) => Some(1),
        _ => None,
    };
    let flights = match round_trips {
        Some(1) => vec![client_bytes - 74, server_bytes, 74],
        Some(_) => vec![client_bytes - 126, server_bytes - 51, 126, 51],
        None => Vec::new(),
    };
    Proof {
        version: params.map(|params| params.version),
        suite: params.map(|params| params.suite),
        group: params.and_then(|params| params.group),
        key: params.map(|params| params.key),
        client_bytes,
        server_bytes,
        round_trips,
        flights,
        ..Proof::default()
    }
}

/// Bytes of the client and of the server.
fn sent(handshake: &Handshake) -> (u64, u64) {
    let (client, server) = match handshake.resumption {
        Resumption::Full if handshake.params.key == Key::MlDsa87 => (330, 18_934),
        Resumption::Full => (330, 1_480),
        _ => (560, 310),
    };
    match handshake.params.group {
        Some(Group::X25519MlKem768) => (client + 1_184, server + 1_088),
        _ => (client, server),
    }
}
