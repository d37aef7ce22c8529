//! Results that nobody measured: the truth of each case is planted, with jitter by a fixed generator.
#![allow(clippy::unwrap_used, dead_code)]

use tlstax_claims::{Book, Need, needed};
use tlstax_doc::{Batch, Library, Measurement, Outcome, RESULTS_VERSION, Results, Slice, StudyFacts, Tool};
use tlstax_spec::{Bytes, Case, Cpu, Host, Id, Nanos, Proof, Sample, Switch, Workload};
use tlstax_stats::{HalfWidth, Ratio};

pub const ROUNDS: u32 = 24;

/// Iterations of a batch.
const ITERATIONS: u64 = 100;

/// A fixed sequence of numbers from -1 to 1.
pub struct Noise(u64);

impl Noise {
    pub const fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15))
    }

    pub fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as f64 / f64::from(1_u32 << 30) - 1.0
    }
}

/// A machine that is played.
pub struct Machine {
    pub name: &'static str,
    pub features: &'static [&'static str],
    /// How far a batch is from its truth, at most, as a share of it.
    pub jitter: f64,
    pub seed: u64,
}

pub const QUIET: Machine = Machine {
    name: "Example CPU",
    features: &["aes", "pclmulqdq", "avx2", "sha_ni"],
    jitter: 0.002,
    seed: 1,
};

impl Machine {
    /// The results of these cases, where `cost` says how many nanoseconds an iteration takes each side.
    pub fn measures(&self, cases: &[Case], cost: impl Fn(&Case) -> f64) -> Results {
        let mut noise = Noise::new(self.seed);
        let slices: Vec<Slice> = (0..=ROUNDS).map(|round| slice(round, &mut noise)).collect();
        let measurements = cases.iter().map(|case| {
            let cost = cost(case);
            let batches =
                (0..ROUNDS).map(|round| batch(case, cost * (1.0 + self.jitter * noise.next()), round));
            let outcome = Outcome::Measured { proof: proof(case), batches: batches.collect() };
            Measurement::new(case.clone(), outcome)
        });
        let measurements = measurements.collect();
        let mut ids: Vec<Id> = cases.iter().map(|case| case.library.clone()).collect();
        ids.sort();
        ids.dedup();
        Results {
            schema: RESULTS_VERSION,
            tool: Tool { name: "tlstax".to_owned(), version: "0.1.0".to_owned(), reference_kernels: 1 },
            started: "2026-01-02T10:00:00Z".to_owned(),
            ended: "2026-01-02T10:01:30Z".to_owned(),
            host: self.host(),
            study: facts(),
            libraries: ids.into_iter().map(library).collect(),
            slices,
            measurements,
            notes: Vec::new(),
            counted: None,
        }
    }

    fn host(&self) -> Host {
        let features = self.features.iter().map(|name| (*name).to_owned()).collect();
        let mut host = Host { architecture: "x86_64".to_owned(), features, ..Host::default() };
        host.cpu.name = Some(self.name.to_owned());
        host
    }
}

fn facts() -> StudyFacts {
    StudyFacts {
        name: Id::literal("planted"),
        question: "?".to_owned(),
        seed: 1,
        budget_s: 10.0,
        precision: HalfWidth(Ratio(0.01)),
        max_rounds: 200,
        rounds: ROUNDS,
        interrupted: false,
    }
}

fn slice(round: u32, noise: &mut Noise) -> Slice {
    Slice {
        round,
        sitting: round / 3,
        at_ms: u64::from(round) * 100,
        latency_ns: Nanos((150_000.0 * (1.0 + 0.001 * noise.next())) as u64),
        throughput_ns: Nanos((160_000.0 * (1.0 + 0.001 * noise.next())) as u64),
        steal_ns: Nanos(0),
        throttled_ns: Nanos(0),
    }
}

fn batch(case: &Case, cost: f64, round: u32) -> Batch {
    let spent = Nanos((cost * ITERATIONS as f64) as u64);
    let cpu = |total| Cpu { total, ..Cpu::default() };
    let has_sides = matches!(case.workload, Workload::Handshake(_) | Workload::Bulk(_) | Workload::Load(_));
    let side = has_sides.then(|| cpu(spent));
    let sample = Sample {
        iterations: ITERATIONS,
        wall: spent,
        cpu: cpu(if has_sides { Nanos(spent.0 * 2) } else { spent }),
        bytes: Bytes(9_000 * ITERATIONS),
        client: side,
        server: side,
        ..Sample::default()
    };
    Batch { slice: round, sample, observed: None, observed_server: None }
}

fn proof(case: &Case) -> Proof {
    match &case.workload {
        Workload::Handshake(handshake) => {
            let trips = if handshake.params.version == tlstax_spec::Version::Tls13 { 1 } else { 2 };
            Proof { round_trips: Some(trips), ..Proof::default() }
        }
        Workload::Bulk(bulk) => {
            Proof { server_bytes: u64::from(bulk.buffer) * 1005 / 1000, ..Proof::default() }
        }
        _ => Proof::default(),
    }
}

fn library(id: Id) -> Library {
    let without: Vec<Switch> = match id.split_once("-without-") {
        Some((_, names)) => names.split('-').map(|name| name.parse().unwrap()).collect(),
        None => Vec::new(),
    };
    Library { without, ..Library::new(id) }
}

/// Every case that a book asks for.
pub fn cases(book: &Book) -> Vec<Case> {
    let needs = needed(book, &[], &[], false, &|_| true).unwrap();
    needs.into_iter().map(|Need { case, .. }| case).collect()
}
