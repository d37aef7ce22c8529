//! Results of a study that nobody ran: costs by formula, noise by a fixed generator.
#![allow(clippy::unwrap_used, dead_code)]

pub mod cases;
mod cost;
mod measure;
pub mod servers;
pub mod shown;

use tlstax_doc::{
    Library, LibraryKind, Made, Note, Object, RESULTS_VERSION, Receipt, Results, Severity, Slice, StudyFacts,
    Tool,
};
use tlstax_spec::wire::Hello;
use tlstax_spec::{Bytes, Case, Host, Id, Nanos, SocketMemory, Switch};
use tlstax_stats::{HalfWidth, Ratio};

use cases::cases;
use cost::{Cost, cost};
use measure::measure;

pub const LIBRARIES: [&str; 2] = ["openssl", "rustls-aws-lc"];

/// So many that they do not fit beside each other; two of them with something switched off.
pub const MANY: [&str; 14] = [
    "openssl",
    "openssl-1.1.1-weak",
    "openssl-3.0",
    "openssl-3.6",
    "openssl-3.6-without-asm",
    "openssl-without-aes",
    "boringssl",
    "rustls-aws-lc",
    "rustls-graviola",
    "gnutls",
    "nss",
    "mbedtls",
    "s2n-aws-lc",
    "java-conscrypt",
];

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

/// The study, with every case multiplied by what `slowdown` says of its id.
pub fn results(seed: u64, slowdown: impl Fn(&str) -> f64) -> Results {
    with_costs(&LIBRARIES, seed, slowdown, cost)
}

pub fn both() -> [Results; 2] {
    [results(1, |_| 1.0), servers::results(1)]
}

/// The same study with many libraries.
pub fn of_many(seed: u64) -> Results {
    with_costs(&MANY, seed, |_| 1.0, cost)
}

/// Any cases, measured on the same machine; servers are those of these ids.
pub fn of_cases(cases: Vec<Case>) -> Results {
    let mut ids: Vec<Id> = cases.iter().map(|case| case.library.clone()).collect();
    ids.sort();
    ids.dedup();
    let libraries = ids.iter().map(|id| library(id)).collect();
    with_cases(cases, libraries, 1, |_| 1.0, cost)
}

/// What everything costs where everything costs the same.
const EQUAL: Cost = Cost { client: 50_000.0, server: 50_000.0, kept: 1.0 };

/// The study on a machine on which everything costs the same.
pub fn all_equal(seed: u64) -> Results {
    with_costs(&LIBRARIES, seed, |_| 1.0, |_| EQUAL)
}

fn with_costs(
    libraries: &[&str],
    seed: u64,
    slowdown: impl Fn(&str) -> f64,
    cost: impl Fn(&Case) -> Cost,
) -> Results {
    let all = libraries.iter().map(|id| library(id)).chain([absent()]).collect();
    with_cases(cases(libraries), all, seed, slowdown, cost)
}

fn with_cases(
    cases: Vec<Case>,
    libraries: Vec<Library>,
    seed: u64,
    slowdown: impl Fn(&str) -> f64,
    cost: impl Fn(&Case) -> Cost,
) -> Results {
    let mut noise = Noise::new(seed);
    let slices = slices(&mut noise);
    let day = seed % 9 + 1;
    let measurements =
        cases.into_iter().map(|case| measure(case, &slices, &mut noise, &slowdown, &cost)).collect();
    Results {
        schema: RESULTS_VERSION,
        tool: Tool { name: "tlstax".to_owned(), version: "0.1.0".to_owned(), reference_kernels: 1 },
        started: format!("2026-01-0{day}T10:00:00Z"),
        ended: format!("2026-01-0{day}T10:01:30Z"),
        host: host(),
        study: StudyFacts {
            name: Id::literal("synthetic"),
            question: "What does a report look like?".to_owned(),
            seed,
            budget_s: 90.0,
            precision: HalfWidth(Ratio(0.01)),
            max_rounds: 200,
            rounds: ROUNDS,
            interrupted: false,
        },
        libraries,
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
        counted: None,
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
            throttled_ns: Nanos(0),
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
    host.topology.threads = Some(2);
    host.virtualisation.present = Some(true);
    host.virtualisation.hypervisor = Some("KVM".to_owned());
    let generations = 0..6;
    host.sockets = Some(SocketMemory {
        connections: 100,
        objects: generations.clone().map(|generation| Bytes(700_000 + 1_000 * generation)).collect(),
        buffers: generations.map(|_| Bytes(19_200)).collect(),
        unread: None,
    });
    host
}

fn library(id: &str) -> Library {
    let derived = id.split_once("-without-");
    let without = derived.map(|(_, what)| what.split('-').map(|name| name.parse().unwrap()).collect());
    let without: Vec<Switch> = without.unwrap_or_default();
    let hello = Hello {
        version: format!("{id} 3.0.1"),
        build: "gcc -O2".to_owned(),
        without: without.iter().map(ToString::to_string).collect(),
        ..Hello::default()
    };
    let object = Object { file: format!("lib{id}.so"), bytes: 4_700_000, xxh3: "0123456789abcdef".repeat(2) };
    Library {
        kind: if id == "control" { LibraryKind::Control } else { LibraryKind::Library },
        base: derived.map(|(base, _)| base.parse().unwrap()),
        without,
        hello: Some(hello),
        receipt: Some(Receipt { objects: vec![object] }),
        made: id.starts_with("rustls").then(|| made(id)),
        ..Library::new(id.parse().unwrap())
    }
}

fn made(id: &str) -> Made {
    Made {
        source: format!("crate:{id}-sys@=0.39.1"),
        licence: Some("Apache-2.0".to_owned()),
        options: ["cmake", "-DNO_TESTS=1"].map(str::to_owned).into(),
        compiler: "gcc (Debian 12.2.0-14) 12.2.0".to_owned(),
        seconds: Some(83),
        passed: 812,
        skipped: 33,
        inputs: "fedcba9876543210".repeat(2),
        program: "00112233aabbccdd".repeat(2),
    }
}

fn absent() -> Library {
    let why = "its worker is not there; run `tlstax libraries build absent`".to_owned();
    Library { unavailable: Some(why), ..Library::new(Id::literal("absent")) }
}
