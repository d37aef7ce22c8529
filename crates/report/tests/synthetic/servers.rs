//! Loads on servers that people run, by clients of every kind, for every section that tells of them.

use tlstax_doc::{Batch, Library, LibraryKind, Outcome, Results};
use tlstax_spec::wire::Hello;
use tlstax_spec::{
    Case, Cpu, Direction, Group, Http, Key, Load, Nanos, Page, Params, Proof, Resumption, Sample, Sessions,
    Suite, Tuning, Version, Workload,
};

use super::cost::Cost;
use super::measure::latency;
use super::{EQUAL, library, with_cases};

const SERVERS: [&str; 2] = ["nginx", "apache"];
const CLIENTS: [&str; 4] = ["lean", "ab", "curl", "wget"];

pub fn results(seed: u64) -> Results {
    with_costs(seed, cost)
}

/// The study on a machine on which everything costs the same.
pub fn all_equal(seed: u64) -> Results {
    with_costs(seed, |_| EQUAL)
}

fn with_costs(seed: u64, cost: impl Fn(&Case) -> Cost) -> Results {
    let libraries = SERVERS.map(|id| (id, LibraryKind::Server)).into_iter();
    let libraries = libraries.chain(CLIENTS.map(|id| (id, LibraryKind::Client)));
    let known = |(id, kind): (&str, LibraryKind)| {
        let hello = Hello { version: format!("{id} 1.2.3"), ..Hello::default() };
        let mut library = Library { kind, hello: Some(hello), ..library(id) };
        if let (Some(hello), "lean") = (&mut library.hello, id) {
            hello.omits = ["it verifies no certificate", "it decrypts no answer."].map(str::to_owned).into();
        }
        library
    };
    with_cases(cases(), libraries.map(known).collect(), seed, |_| 1.0, cost)
}

pub fn is_served(case: &Case) -> bool {
    SERVERS.contains(&case.library.as_str())
}

fn params() -> Params {
    super::cases::params(Key::EcdsaP256)
}

fn load(client: &str, params: Option<Params>) -> Load {
    Load { body: 1_000, ..Load::new(client.parse().unwrap(), params) }
}

fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    let mut add = |server: &str, threads: u16, load: Load| {
        let case = Case { library: server.parse().unwrap(), threads, workload: Workload::Load(load) };
        if !cases.contains(&case) {
            cases.push(case);
        }
    };
    for (server, client) in [("nginx", "lean"), ("nginx", "ab"), ("apache", "lean")] {
        pages(client).into_iter().for_each(|load| add(server, 1, load));
    }
    connections().into_iter().for_each(|load| add("nginx", 1, load));
    versions_of_http().into_iter().for_each(|load| add("nginx", 1, load));
    files().into_iter().for_each(|load| add("nginx", 1, load));
    let tuning = Tuning { workers: 2, sessions: Sessions::PerWorker, ..Tuning::default() };
    let mixed = Load { resumption: Resumption::Psk, resumed_percent: 80, ..new(Some(params())) };
    add("nginx", 1, Load { tuning, ..mixed });
    add("nginx", 2, load("lean", Some(params())));
    add("nginx", 1, Load { rate: 90_000, ..load("lean", None) });
    cases
}

/// Small and large files and a dynamic page, in every way to use a connection.
fn pages(client: &str) -> Vec<Load> {
    let mut loads = Vec::new();
    for (page, body) in [(Page::Static, 1_000), (Page::Static, 100_000), (Page::FastCgi, 1_000)] {
        for requests_per_connection in [1, 0] {
            let plain = Load { page, body, requests_per_connection, ..load(client, None) };
            let secure = Load { params: Some(params()), ..plain.clone() };
            loads.extend([plain.clone(), secure.clone()]);
            if requests_per_connection == 1 {
                loads.push(Load { resumption: Resumption::Psk, ..secure });
            } else if page == Page::Static {
                loads.push(Load { tuning: Tuning { sendfile: false, ..Tuning::default() }, ..plain });
            }
        }
    }
    loads
}

fn new(params: Option<Params>) -> Load {
    Load { requests_per_connection: 1, ..load("lean", params) }
}

/// Handshakes that differ in key, exchange, version and resumption.
fn connections() -> Vec<Load> {
    let older = Params { version: Version::Tls12, suite: Suite::EcdheEcdsaAes128Gcm, ..params() };
    let hybrid = Params { group: Some(Group::X25519MlKem768), ..params() };
    let resumed =
        |params, resumption, resumed_percent| Load { resumption, resumed_percent, ..new(Some(params)) };
    vec![
        new(Some(Params { key: Key::Rsa2048, ..params() })),
        new(Some(hybrid)),
        new(Some(older)),
        resumed(older, Resumption::Ticket, 100),
        resumed(params(), Resumption::EarlyData, 100),
        resumed(params(), Resumption::Psk, 80),
    ]
}

/// Both versions of HTTP, with TLS and without, at a small rate and as fast as it goes.
fn versions_of_http() -> Vec<Load> {
    let mut loads = Vec::new();
    for rate in [0, 500] {
        for params in [None, Some(params())] {
            loads.extend([Http::Http1, Http::Http2].map(|http| Load { http, rate, ..load("lean", params) }));
        }
    }
    loads
}

/// A file of 64 MiB, down and up.
fn files() -> Vec<Load> {
    let file = |client: &str, params| Load { body: 64 << 20, connections: 1, ..load(client, params) };
    let null =
        Params { version: Version::Tls12, suite: Suite::RsaNullSha256, group: None, key: Key::Rsa2048 };
    vec![
        file("curl", None),
        Load { tuning: Tuning { sendfile: false, ..Tuning::default() }, ..file("curl", None) },
        file("curl", Some(params())),
        file("curl", Some(null)),
        Load { direction: Direction::Upload, ..file("curl", None) },
        Load { direction: Direction::Upload, ..file("curl", Some(params())) },
        file("wget", None),
        file("wget", Some(params())),
    ]
}

fn cost(case: &Case) -> Cost {
    let Workload::Load(load) = &case.workload else { panic!("{case:?}") };
    let body = f64::from(load.body);
    let copied = if load.params.is_some() || !load.tuning.sendfile { 0.12 } else { 0.03 };
    let records = load
        .params
        .map_or(0.0, |params| 3_000.0 + body * if params.suite == Suite::RsaNullSha256 { 0.6 } else { 0.25 });
    let page = if load.page == Page::FastCgi { 150_000.0 } else { 12_000.0 };
    let frames = if load.http == Http::Http2 { 8_000.0 } else { 0.0 };
    let connection = match load.requests_per_connection {
        0 => 0.0,
        _ => 30_000.0 + load.params.map_or(0.0, |params| handshake(load, params)),
    };
    let factor = if case.library == "apache" { 1.6 } else { 1.0 };
    let server = (page + body * copied + records + frames + connection) * factor;
    let client = match load.client.as_str() {
        "lean" => server * 0.2,
        "ab" => server * 0.6 + 30_000.0,
        "wget" => 200_000.0 + body * 0.2 + records * 2.5,
        _ => 120_000.0 + body * 0.15 + records,
    };
    Cost { client, server, kept: 1.0 }
}

fn handshake(load: &Load, params: Params) -> f64 {
    let signature = if params.key == Key::Rsa2048 { 600_000.0 } else { 30_000.0 };
    let exchange = if params.group == Some(Group::X25519) { 90_000.0 } else { 140_000.0 };
    let resumed = if params.version == Version::Tls13 { exchange + 40_000.0 } else { 40_000.0 };
    let share = f64::from(load.resumed_percent) / 100.0;
    let full = signature + exchange + 80_000.0;
    if load.resumption == Resumption::Full { full } else { resumed * share + full * (1.0 - share) }
}

/// What a client cannot do.
pub fn hole(case: &Case) -> Option<Outcome> {
    let Workload::Load(load) = &case.workload else { return None };
    (load.client == "ab" && load.resumption != Resumption::Full)
        .then(|| Outcome::Unsupported { reason: "ab makes full handshakes only".to_owned() })
}

const REQUESTS: f64 = 100.0;

/// One window, on a machine that takes so many times as long as at its best.
pub fn batch(case: &Case, Cost { client, server, .. }: Cost, round: u32, machine: f64) -> Batch {
    let Workload::Load(load) = &case.workload else { panic!("{case:?}") };
    let nanos = |each: f64| Nanos((each * machine * REQUESTS) as u64);
    let is_one = load.connections == 1;
    let busiest = match load.tuning.workers {
        1 if is_one => client + server,
        1 => f64::max(client, server) * 1.01,
        _ => (client + server) / 2.0 * 1.01,
    };
    let wall = match load.rate {
        0 => nanos(busiest),
        rate => Nanos(f64::max(REQUESTS * 1e9 / f64::from(rate), busiest * machine * REQUESTS) as u64),
    };
    let side = |each: f64, user: f64| {
        let total = nanos(each);
        let part = |share: f64| Some(Nanos((total.0 as f64 * share) as u64));
        Some(Cpu { total, user: part(user), system: part(1.0 - user) })
    };
    let user = if load.params.is_some() { 0.7 } else { 0.1 };
    let (client, server) = (side(client, user), side(server, user));
    let all = nanos(0.0) + client.unwrap().total + server.unwrap().total;
    let tells = load.client == "lean";
    let mean = server.unwrap().total.0 as f64 / REQUESTS;
    let sample = Sample {
        iterations: REQUESTS as u64,
        wall,
        cpu: Cpu { total: all, ..Cpu::default() },
        client,
        server,
        latency: tells.then(|| latency(mean)),
        ..Sample::default()
    };
    // One server has a process that only one of the accounts knows.
    let other = if load.tuning.workers > 1 { 1.03 } else { 1.002 };
    let observed_server = Some(Nanos((server.unwrap().total.0 as f64 * other) as u64));
    Batch { slice: round * 2, sample, observed: None, observed_server }
}

/// Handshakes, and how many of them the server says were resumed.
pub fn prove(case: &Case, proof: Proof) -> Proof {
    let Workload::Load(load) = &case.workload else { return proof };
    let handshakes = 1_200;
    // A server whose workers do not share their sessions misses half of what it is offered.
    let missed = if load.tuning.sessions == Sessions::PerWorker { 2 } else { 1 };
    let resumed = match load.resumption {
        Resumption::Full => 0,
        _ => handshakes * u64::from(load.resumed_percent) / 100 / missed,
    };
    Proof { handshakes, resumed, ..proof }
}
