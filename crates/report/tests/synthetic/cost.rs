//! What a case costs, by formula.

use tlstax_spec::{
    Algorithm, Case, Contexts, Group, Handshake, Key, Op, Pattern, Primitive, Resumption, Suite, Workload,
};

use super::MANY;

/// What one case costs each side, in nanoseconds per iteration.
pub struct Cost {
    pub client: f64,
    pub server: f64,
    /// The share of each thread that is not lost to the others.
    pub kept: f64,
}

/// What a library costs as a multiple of the first.
fn factor(library: &str) -> f64 {
    let library = library.split_once("-without-").map_or(library, |(base, _)| base);
    match (library, MANY.iter().position(|known| *known == library)) {
        ("rustls-aws-lc", _) => 1.2,
        (_, Some(place)) => 1.0 + 0.15 * place as f64,
        (_, None) => 1.0,
    }
}

/// What is not lost: openssl's threads wait for each other where they share a context.
fn kept(case: &Case) -> f64 {
    let shared = matches!(&case.workload, Workload::Handshake(Handshake { contexts: Contexts::Shared, .. }));
    let waits = shared && case.threads > 1 && case.library.starts_with("openssl");
    if waits { 0.69 } else { 1.0 }
}

pub fn cost(case: &Case) -> Cost {
    let (client, server) = sides(case);
    Cost { client, server, kept: kept(case) }
}

fn sides(case: &Case) -> (f64, f64) {
    let other = factor(&case.library);
    let work = |cost: f64| (0.0, cost * other);
    match &case.workload {
        Workload::Primitive(primitive) => {
            work(primitive_cost(primitive) * switched_off(&case.library, primitive))
        }
        // The clocks of several threads cost more.
        Workload::Handshake(_) if case.library == "control" && case.threads > 1 => (2_400.0, 2_500.0),
        Workload::Handshake(_) if case.library == "control" => (900.0, 1_000.0),
        Workload::Handshake(handshake) => {
            let signature = match handshake.params.key {
                Key::Rsa2048 => 600_000.0,
                Key::MlDsa87 => 150_000.0,
                _ => 30_000.0,
            };
            let signature = if handshake.resumption == Resumption::Full { signature } else { 0.0 };
            let group = if handshake.params.group == Some(Group::X25519) { 70_000.0 } else { 120_000.0 };
            let verify = if handshake.params.key == Key::MlDsa87 { 60_000.0 } else { 90_000.0 };
            let context = if handshake.contexts == Contexts::PerConnection { 200_000.0 } else { 0.0 };
            let (client, server) = (group + verify + context, signature + group + 60_000.0 + context);
            (client * other, server * other)
        }
        Workload::Bulk(_) if case.library == "control" => (9_000.0, 8_000.0),
        Workload::Bulk(bulk) => {
            let per_byte = if bulk.params.suite == Suite::Aes128Gcm { 0.2 } else { 0.6 };
            let records = f64::from(bulk.buffer) / f64::from(bulk.record);
            let cost = f64::from(bulk.buffer) * per_byte + records * 400.0;
            (cost * 1.1 * other, cost * other)
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
            (client, server)
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
        (ServerContext, _) => 90_000.0,
        (ClientContext, _) => 40_000.0,
        (CaBundle, _) => 7_200_000.0,
        (Certificate, _) => 9_000.0,
        _ => 33_000.0,
    }
}

/// What a primitive costs without what is switched off, as a multiple of what it costs with it.
fn switched_off(library: &str, primitive: &Primitive) -> f64 {
    let is_aes = primitive.algorithm.name().starts_with("aes");
    match library.split_once("-without-") {
        Some((_, "aes")) if is_aes => 11.3,
        Some((_, "asm")) => 4.0,
        _ => 1.0,
    }
}
