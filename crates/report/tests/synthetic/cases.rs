//! What the study measures: every kind of work, and the ways in which reports set one beside another.

use tlstax_spec::{
    Algorithm, Bulk, Case, Contexts, Group, Handshake, Idle, Key, Load, Op, Params, Pattern, Primitive,
    Resumption, Side, Suite, Version, Workload,
};

/// Every case for these libraries, and those of the control.
pub fn cases(libraries: &[&str]) -> Vec<Case> {
    let mut cases = Vec::new();
    let mut add = |library: &str, threads, workload| {
        cases.push(Case { library: library.parse().unwrap(), threads, workload });
    };
    for library in libraries {
        primitives().into_iter().for_each(|work| add(library, 1, Workload::Primitive(work)));
        handshakes().into_iter().for_each(|work| add(library, 1, Workload::Handshake(work)));
        several().into_iter().for_each(|(threads, work)| add(library, threads, Workload::Handshake(work)));
        bulks().into_iter().for_each(|work| add(library, 1, Workload::Bulk(work)));
        loads(library).into_iter().for_each(|work| add(library, 1, Workload::Load(work)));
        for side in [Side::Client, Side::Server] {
            add(library, 1, Workload::Idle(Idle { params: params(Key::EcdsaP256), side, connections: 200 }));
        }
    }
    handshakes().into_iter().for_each(|work| add("control", 1, Workload::Handshake(work)));
    several().into_iter().for_each(|(threads, work)| add("control", threads, Workload::Handshake(work)));
    bulks().into_iter().take(1).for_each(|work| add("control", 1, Workload::Bulk(work)));
    let primitive =
        Primitive { op: Op::Encrypt, algorithm: Algorithm::Aes128Gcm, size: 16384, pattern: Pattern::Tls };
    add(libraries[0], 2, Workload::Primitive(primitive));
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
    let setup = [ServerContext, ClientContext, CaBundle, Certificate];
    for algorithm in [Rsa2048, EcdsaP256, X25519, MlKem768].into_iter().chain(setup) {
        work.extend(algorithm.ops().iter().map(|&op| primitive(op, algorithm, 0, Pattern::Tls)));
    }
    work
}

pub fn params(key: Key) -> Params {
    Params { version: Version::Tls13, suite: Suite::Aes128Gcm, group: Some(Group::X25519), key }
}

pub fn full(params: Params) -> Handshake {
    Handshake { params, chain: 2, resumption: Resumption::Full, mutual: false, contexts: Contexts::Shared }
}

fn handshakes() -> Vec<Handshake> {
    let hybrid = Params { group: Some(Group::X25519MlKem768), ..params(Key::EcdsaP256) };
    let older =
        Params { version: Version::Tls12, suite: Suite::EcdheEcdsaAes128Gcm, ..params(Key::EcdsaP256) };
    vec![
        full(params(Key::EcdsaP256)),
        full(params(Key::Rsa2048)),
        full(hybrid),
        full(params(Key::MlDsa87)),
        full(older),
        Handshake { resumption: Resumption::Psk, ..full(params(Key::EcdsaP256)) },
    ]
}

/// Handshakes of several threads, and with contexts that are shared less: on two cores, four threads take turns.
fn several() -> Vec<(u16, Handshake)> {
    let usual = full(params(Key::EcdsaP256));
    let with = |contexts| Handshake { contexts, ..usual };
    vec![
        (2, usual),
        (4, usual),
        (2, with(Contexts::PerThread)),
        (1, with(Contexts::PerConnection)),
        (2, with(Contexts::PerConnection)),
    ]
}

fn bulks() -> Vec<Bulk> {
    let of = |suite, record| Bulk { record, ..Bulk::usual(Params { suite, ..params(Key::EcdsaP256) }) };
    vec![of(Suite::Aes128Gcm, 16384), of(Suite::Aes128Gcm, 1350), of(Suite::ChaCha20Poly1305, 16384)]
}

fn loads(library: &str) -> Vec<Load> {
    let mut loads = Vec::new();
    for requests_per_connection in [0, 1] {
        for body in [0, 1_000, 100_000] {
            for params in [None, Some(params(Key::EcdsaP256))] {
                loads.push(Load {
                    requests_per_connection,
                    body,
                    ..Load::new(library.parse().unwrap(), params)
                });
            }
        }
    }
    loads
}
