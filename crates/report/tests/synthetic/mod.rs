//! Results of a study that nobody ran: costs by formula, noise by a fixed generator.
#![allow(clippy::unwrap_used, dead_code)]

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hdrhistogram::Histogram;
use hdrhistogram::serialization::{Serializer, V2Serializer};
use tlstax_doc::{
    Batch, Library, Measurement, Note, Object, Outcome, RESULTS_VERSION, Receipt, Results, Severity, Slice,
    StudyFacts, Tool,
};
use tlstax_spec::wire::Hello;
use tlstax_spec::{
    Algorithm, Bulk, Bytes, Case, Contexts, Cpu, Direction, Group, Handshake, Host, Idle, Key, Load, Nanos,
    Op, Params, Pattern, Primitive, Proof, Resumption, Sample, Side, Suite, Version, Workload,
};

pub const LIBRARIES: [&str; 2] = ["openssl", "rustls-aws-lc"];
const ROUNDS: u32 = 12;

/// A fixed sequence of numbers from -1 to 1.
pub struct Noise(u64);

impl Noise {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as f64 / f64::from(1u32 << 30) - 1.0
    }
}

/// What one case costs each side, in nanoseconds per iteration.
struct Cost {
    client: f64,
    server: f64,
}

/// The study, with every case multiplied by what `slowdown` says of its id.
pub fn results(seed: u64, slowdown: impl Fn(&str) -> f64) -> Results {
    with_costs(seed, slowdown, cost)
}

/// The study on a machine on which everything costs the same.
pub fn all_equal(seed: u64) -> Results {
    with_costs(seed, |_| 1.0, |_| Cost { client: 50_000.0, server: 50_000.0 })
}

fn with_costs(seed: u64, slowdown: impl Fn(&str) -> f64, cost: impl Fn(&Case) -> Cost) -> Results {
    let mut noise = Noise::new(seed);
    let slices = slices(&mut noise);
    let day = seed % 9 + 1;
    let measurements =
        cases().into_iter().map(|case| measure(case, &slices, &mut noise, &slowdown, &cost)).collect();
    Results {
        schema: RESULTS_VERSION,
        tool: Tool { name: "tlstax".to_owned(), version: "0.1.0".to_owned(), reference_kernels: 1 },
        started: format!("2026-01-0{day}T10:00:00Z"),
        ended: format!("2026-01-0{day}T10:01:30Z"),
        host: host(),
        study: StudyFacts {
            name: "synthetic".to_owned(),
            question: "What does a report look like?".to_owned(),
            seed,
            budget_s: 90.0,
            precision: 0.01,
            max_rounds: 200,
            rounds: ROUNDS,
            interrupted: false,
        },
        libraries: LIBRARIES.iter().map(|id| library(id)).chain([absent()]).collect(),
        slices,
        measurements,
        notes: vec![
            Note {
                severity: Severity::Info,
                what: "hardware counters cannot be read".to_owned(),
                remedy: "sysctl kernel.perf_event_paranoid=1".to_owned(),
            },
            Note {
                severity: Severity::Warning,
                what: "this is a virtual machine with <other> guests & noise".to_owned(),
                remedy: "repeat the run".to_owned(),
            },
        ],
    }
}

/// A quiet machine, with every fifth round disturbed by a neighbour.
fn slices(noise: &mut Noise) -> Vec<Slice> {
    let slice = |round: u32, half: u64, noise: &mut Noise| {
        let disturbed = if round % 5 == 4 { 1.3 } else { 1.0 };
        Slice {
            round,
            sitting: round / 3,
            at_ms: u64::from(round) * 1000 + half * 500,
            latency_ns: Nanos((150_000.0 * disturbed * (1.0 + 0.002 * noise.next())) as u64),
            throughput_ns: Nanos((160_000.0 * disturbed * (1.0 + 0.002 * noise.next())) as u64),
            steal_ns: Nanos(0),
        }
    };
    (0..ROUNDS).flat_map(|round| [0, 1].map(|half| slice(round, half, noise))).collect()
}

fn host() -> Host {
    let mut host = Host {
        architecture: "x86_64".to_owned(),
        features: ["aes", "pclmulqdq", "avx2", "sha_ni"].map(str::to_owned).to_vec(),
        kernel: Some("6.1.0".to_owned()),
        os: Some("Debian GNU/Linux 12".to_owned()),
        memory: Some(Bytes(8_000_000_000)),
        ..Host::default()
    };
    host.cpu.name = Some("Example CPU @ 2.50GHz".to_owned());
    host.topology.cores = Some(2);
    host.virtualisation.present = Some(true);
    host.virtualisation.hypervisor = Some("KVM".to_owned());
    host
}

fn library(id: &str) -> Library {
    let hello = Hello { version: format!("{id} 3.0.1"), build: "gcc -O2".to_owned(), ..Hello::default() };
    let object = Object { file: format!("lib{id}.so"), bytes: 4_700_000, xxh3: "0123456789abcdef".repeat(2) };
    Library {
        id: id.to_owned(),
        unavailable: None,
        hello: Some(hello),
        receipt: Some(Receipt { objects: vec![object] }),
        made: None,
    }
}

fn absent() -> Library {
    let why = "its worker is not there; run `tlstax libraries build absent`".to_owned();
    Library { id: "absent".to_owned(), unavailable: Some(why), hello: None, receipt: None, made: None }
}

pub fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    let mut add =
        |library: &str, workload| cases.push(Case { library: library.to_owned(), threads: 1, workload });
    for library in LIBRARIES {
        primitives().into_iter().for_each(|work| add(library, Workload::Primitive(work)));
        handshakes().into_iter().for_each(|work| add(library, Workload::Handshake(work)));
        bulks().into_iter().for_each(|work| add(library, Workload::Bulk(work)));
        loads(library).into_iter().for_each(|work| add(library, Workload::Load(work)));
        for side in [Side::Client, Side::Server] {
            add(library, Workload::Idle(Idle { params: params(Key::EcdsaP256), side, connections: 200 }));
        }
    }
    handshakes().into_iter().for_each(|work| add("control", Workload::Handshake(work)));
    bulks().into_iter().take(1).for_each(|work| add("control", Workload::Bulk(work)));
    let primitive =
        Primitive { op: Op::Encrypt, algorithm: Algorithm::Aes128Gcm, size: 16384, pattern: Pattern::Tls };
    cases.push(Case {
        library: LIBRARIES[0].to_owned(),
        threads: 2,
        workload: Workload::Primitive(primitive),
    });
    cases
}

fn primitives() -> Vec<Primitive> {
    use Algorithm::*;
    let mut work = Vec::new();
    let primitive = |op, algorithm, size, pattern| Primitive { op, algorithm, size, pattern };
    for algorithm in [Aes128Gcm, Aes256Gcm, ChaCha20Poly1305, Aes128Cbc, Sha256, Sha384] {
        let op = algorithm.ops()[0];
        work.extend([64, 1350, 16384].map(|size| primitive(op, algorithm, size, Pattern::Tls)));
    }
    work.extend([64, 1350, 16384].map(|size| primitive(Op::Encrypt, Aes128Gcm, size, Pattern::Speed)));
    for algorithm in [Rsa2048, EcdsaP256, X25519, MlKem768] {
        work.extend(algorithm.ops().iter().map(|&op| primitive(op, algorithm, 0, Pattern::Tls)));
    }
    work
}

fn params(key: Key) -> Params {
    Params { version: Version::Tls13, suite: Suite::Aes128Gcm, group: Some(Group::X25519), key }
}

fn handshakes() -> Vec<Handshake> {
    let full = |params| Handshake {
        params,
        chain: 2,
        resumption: Resumption::Full,
        mutual: false,
        contexts: Contexts::Shared,
    };
    let hybrid = Params { group: Some(Group::X25519MlKem768), ..params(Key::EcdsaP256) };
    let older =
        Params { version: Version::Tls12, suite: Suite::EcdheEcdsaAes128Gcm, ..params(Key::EcdsaP256) };
    vec![
        full(params(Key::EcdsaP256)),
        full(params(Key::Rsa2048)),
        full(hybrid),
        full(older),
        Handshake { resumption: Resumption::Psk, ..full(params(Key::EcdsaP256)) },
    ]
}

fn bulks() -> Vec<Bulk> {
    let of = |suite, record| Bulk {
        params: Params { suite, ..params(Key::EcdsaP256) },
        direction: Direction::Download,
        record,
        write: 16384,
        buffer: 262_144,
    };
    vec![of(Suite::Aes128Gcm, 16384), of(Suite::Aes128Gcm, 1350), of(Suite::ChaCha20Poly1305, 16384)]
}

fn loads(library: &str) -> Vec<Load> {
    let mut loads = Vec::new();
    for requests_per_connection in [0, 1] {
        for body in [0, 1_000, 100_000] {
            for params in [None, Some(params(Key::EcdsaP256))] {
                loads.push(Load {
                    client: library.to_owned(),
                    params,
                    resumption: Resumption::Full,
                    connections: 16,
                    requests_per_connection,
                    body,
                    work_us: 0,
                });
            }
        }
    }
    loads
}

fn measure(
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
        batch(&case, &cost(&case), round, factor * state * (1.0 + 0.003 * noise.next()))
    });
    let batches = batches.collect();
    let mut measurement = Measurement::new(case.clone(), Outcome::Measured { proof: proof(&case), batches });
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
    let Workload::Primitive(primitive) = &case.workload else { return None };
    if case.library != "rustls-aws-lc" {
        return None;
    }
    match (primitive.algorithm, primitive.size) {
        (Algorithm::Aes128Cbc, _) => Some(Outcome::Unsupported { reason: "rustls has no CBC".to_owned() }),
        (Algorithm::Sha384, 64) => Some(Outcome::Failed {
            stage: "run".to_owned(),
            message: "the worker died <of shame>".to_owned(),
            stderr: "signal 11".to_owned(),
        }),
        (Algorithm::MlKem768, _) => Some(Outcome::Skipped { why: "the budget was spent".to_owned() }),
        _ => None,
    }
}

fn batch(case: &Case, cost: &Cost, round: u32, machine: f64) -> Batch {
    let Cost { client, server } = *cost;
    let iterations: u32 = 100;
    let nanos = |each: f64| Nanos((each * machine * f64::from(iterations)) as u64);
    let of_side = |each: f64| {
        let total = nanos(each);
        (each > 0.0).then_some(Cpu {
            total,
            user: Some(Nanos(total.0 * 2 / 5)),
            system: Some(Nanos(total.0 * 3 / 5)),
        })
    };
    let sample = match &case.workload {
        Workload::Primitive(_) => Sample {
            iterations: iterations.into(),
            wall: nanos(server / f64::from(case.threads) * 1.01),
            cpu: Cpu { total: nanos(server), ..Cpu::default() },
            ..Sample::default()
        },
        Workload::Idle(idle) => Sample {
            iterations: idle.connections.into(),
            bytes: Bytes(u64::from(idle.connections) * (9_000 + u64::from(round) * 10)),
            wall: Nanos(1),
            ..Sample::default()
        },
        Workload::Load(load) => Sample {
            iterations: iterations.into(),
            wall: nanos(if load.body == 100_000 {
                client.max(server) * 1.2
            } else {
                client.max(server) * 1.01
            }),
            cpu: Cpu { total: nanos(client + server), ..Cpu::default() },
            client: of_side(client),
            server: of_side(server),
            latency: Some(latency(server)),
            ..Sample::default()
        },
        Workload::Handshake(_) | Workload::Bulk(_) => Sample {
            iterations: iterations.into(),
            wall: nanos(client + server),
            cpu: Cpu { total: nanos(client + server), ..Cpu::default() },
            client: of_side(client),
            server: of_side(server),
            ..Sample::default()
        },
    };
    Batch { slice: round * 2, sample, observed: None }
}

/// A hundred latencies around sixteen times the server's cost.
fn latency(server: f64) -> String {
    let mut histogram = Histogram::<u64>::new(3).unwrap();
    for request in 0..100 {
        histogram.record((server * 16.0 / 1e3) as u64 + request * request / 10).unwrap();
    }
    let mut bytes = Vec::new();
    V2Serializer::new().serialize(&histogram, &mut bytes).unwrap();
    STANDARD.encode(bytes)
}

fn cost(case: &Case) -> Cost {
    let other = if case.library == LIBRARIES[0] { 1.0 } else { 1.2 };
    let work = |cost: f64| Cost { client: 0.0, server: cost * other };
    match &case.workload {
        Workload::Primitive(primitive) => work(primitive_cost(primitive)),
        Workload::Handshake(_) if case.library == "control" => Cost { client: 900.0, server: 1_000.0 },
        Workload::Handshake(handshake) => {
            let signature = if handshake.params.key == Key::Rsa2048 { 600_000.0 } else { 30_000.0 };
            let signature = if handshake.resumption == Resumption::Full { signature } else { 0.0 };
            let group = if handshake.params.group == Some(Group::X25519) { 70_000.0 } else { 120_000.0 };
            Cost { client: (group + 90_000.0) * other, server: (signature + group + 60_000.0) * other }
        }
        Workload::Bulk(_) if case.library == "control" => Cost { client: 9_000.0, server: 8_000.0 },
        Workload::Bulk(bulk) => {
            let per_byte = if bulk.params.suite == Suite::Aes128Gcm { 0.2 } else { 0.6 };
            let records = f64::from(bulk.buffer) / f64::from(bulk.record);
            let cost = f64::from(bulk.buffer) * per_byte + records * 400.0;
            Cost { client: cost * 1.1 * other, server: cost * other }
        }
        Workload::Idle(_) => work(1.0),
        Workload::Load(load) => {
            let tls = load.params.map_or(0.0, |_| 3_000.0 + f64::from(load.body) * 0.3);
            let connection = match (load.requests_per_connection, load.params) {
                (0, _) => 0.0,
                (_, None) => 30_000.0,
                (_, Some(_)) => 230_000.0,
            };
            let server = 12_000.0 + f64::from(load.body) * 0.1 + (tls + connection) * other;
            // New connections cost the client more, so that it is the limit.
            let client = if load.requests_per_connection == 1 { server * 1.5 } else { server * 0.7 };
            Cost { client, server }
        }
    }
}

fn primitive_cost(primitive: &Primitive) -> f64 {
    use Algorithm::*;
    let per_call = if primitive.pattern == Pattern::Tls { 120.0 } else { 60.0 };
    let sized = |per_byte: f64| per_call + per_byte * f64::from(primitive.size);
    match (primitive.algorithm, primitive.op) {
        (Aes128Gcm, _) => sized(0.2),
        (Aes256Gcm, _) => sized(0.25),
        (ChaCha20Poly1305, _) => sized(0.6),
        (Aes128Cbc, _) => sized(0.7),
        (Sha256, _) => sized(0.5),
        (Sha384, _) => sized(1.4),
        (Rsa2048, Op::Sign) => 600_000.0,
        (Rsa2048, _) => 18_000.0,
        (EcdsaP256, Op::Sign) => 20_000.0,
        (EcdsaP256, _) => 60_000.0,
        _ => 33_000.0,
    }
}

fn proof(case: &Case) -> Proof {
    let params = case.workload.params();
    let (client_bytes, server_bytes) = match &case.workload {
        Workload::Handshake(handshake) if handshake.resumption == Resumption::Full => (330, 1_480),
        Workload::Handshake(_) => (560, 310),
        Workload::Bulk(bulk) => (0, u64::from(bulk.buffer) + u64::from(bulk.buffer / bulk.record) * 22),
        _ => (0, 0),
    };
    Proof {
        version: params.map(|params| params.version),
        suite: params.map(|params| params.suite),
        group: params.and_then(|params| params.group),
        key: params.map(|params| params.key),
        client_bytes,
        server_bytes,
        ..Proof::default()
    }
}
