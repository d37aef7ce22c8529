//! Bytes that a server sends, with what TLS and HTTP add to bodies; without TCP and IP.

use tlstax_spec::{Group, Key, Params, Resumption, Suite, SuiteFacts};

use crate::demand::{Demand, Exact};
use crate::work::{RESPONSE_HEAD, Setup};
use crate::workload::Traffic;

/// Bytes of a certificate beside key and signature: names, validity, extensions, timestamps of logs (RFC 6962).
const CERTIFICATE: f64 = 700.0;

/// The rest of a server's handshake: ServerHello without its key share, EncryptedExtensions, Finished, headers of records.
const FLIGHT: f64 = 200.0;

/// A ticket with its lifetime and nonce; OpenSSL sends two in a handshake of TLS 1.3.
const TICKET: f64 = 240.0;

/// SETTINGS, its acknowledgement and WINDOW_UPDATE of HTTP/2 have less than this.
const FRAME: f64 = 9.0;

/// The most bytes of a DATA frame that servers send unless a client allows more (RFC 9113, 4.2).
const MOST_OF_FRAME: f64 = 16_384.0;

/// Bytes in a second of all kinds as they are thought to be.
pub fn bytes_sent(traffic: &Traffic, setup: Setup) -> f64 {
    traffic.kinds.iter().map(|asked| of_demand(&asked.demand, setup, traffic.certificate_bytes)).sum()
}

/// Bytes of handshakes that a server sends for a connection with TLS, on average over all of them.
pub fn handshake_bytes(traffic: &Traffic) -> f64 {
    let of = |demand: &Demand| {
        let likely = demand.likely();
        Some((likely.connections, handshake(&likely, likely.tls?, traffic.certificate_bytes)))
    };
    mean(traffic.kinds.iter().filter_map(|asked| of(&asked.demand)))
}

/// Round trips of the handshake before a client may send its request, on average over connections; that of TCP apart. RFC 8446, 2;
/// RFC 5246, 7.3.
pub fn round_trips(traffic: &Traffic) -> f64 {
    let of = |demand: &Demand| {
        let likely = demand.likely();
        let Some(params) = likely.tls else { return (likely.connections, 0.0) };
        let (full, resumed) = match (params.version.is_tls13(), likely.resumption) {
            (true, Resumption::EarlyData) => (1.0, 0.0),
            (true, _) => (1.0, 1.0),
            (false, _) => (2.0, 1.0),
        };
        (likely.connections, full + (resumed - full) * share_resumed(&likely))
    };
    mean(traffic.kinds.iter().map(|asked| of(&asked.demand)))
}

fn mean(values: impl Iterator<Item = (f64, f64)>) -> f64 {
    let (weights, sum) =
        values.fold((0.0, 0.0), |(all, sum), (weight, value)| (all + weight, sum + weight * value));
    if weights > 0.0 { sum / weights } else { 0.0 }
}

fn of_demand(demand: &Demand, setup: Setup, certificate: Option<f64>) -> f64 {
    let likely = demand.likely();
    let frames = |bytes: f64| match likely.http {
        tlstax_spec::Http::Http2 => FRAME * (1.0 + (bytes / MOST_OF_FRAME).ceil()),
        tlstax_spec::Http::Http1 => 0.0,
    };
    let response = |bytes: f64| {
        let plain = bytes + RESPONSE_HEAD + frames(bytes);
        let records = (plain / f64::from(setup.record)).ceil();
        plain + likely.tls.map_or(0.0, |params| records * overhead(params.suite))
    };
    let responses: f64 = demand.bodies.iter().map(|(bytes, share)| share * response(*bytes)).sum();
    let handshakes =
        likely.tls.map_or(0.0, |params| likely.connections * handshake(&likely, params, certificate));
    demand.requests * responses + handshakes
}

fn share_resumed(demand: &Exact<'_>) -> f64 {
    if demand.resumption == Resumption::Full { 0.0 } else { demand.resumed }
}

fn handshake(demand: &Exact<'_>, params: Params, certificate: Option<f64>) -> f64 {
    let is_new = params.version.is_tls13();
    let exchange = params.group.map_or(0.0, share_of);
    // The chain: its own certificate, and one above it that an RSA key of 2048 bits has signed.
    let chain =
        certificate.unwrap_or_else(|| 2.0 * CERTIFICATE + key_of(params.key) + key_of(Key::Rsa2048) + 512.0);
    let tickets = if is_new { 2.0 * TICKET } else { TICKET };
    let full = FLIGHT + exchange + chain + signature(params.key) + tickets;
    let resumed = FLIGHT + if is_new { exchange + TICKET } else { 0.0 };
    full + (resumed - full) * share_resumed(demand)
}

/// Bytes that a record adds to what it holds: header, nonce, tag, the type inside (RFC 8446, 5.2; RFC 5288, 3; RFC 7905, 2; RFC 5246,
/// 6.2.3, with padding of half a block on average).
fn overhead(suite: Suite) -> f64 {
    let facts = SuiteFacts::of(suite.name());
    let mac = match facts.mac.as_str() {
        "HMAC-MD5" => 16.0,
        "HMAC-SHA1" => 20.0,
        "HMAC-SHA256" => 32.0,
        "HMAC-SHA384" => 48.0,
        _ => 16.0,
    };
    let beside = match () {
        () if facts.tls13 => 1.0,
        () if facts.cipher.contains("GCM") => 8.0,
        () if facts.cipher.contains("3DES") => 8.0 + 4.5,
        () if facts.cipher.contains("CBC") => 16.0 + 8.5,
        () => 0.0,
    };
    5.0 + mac + beside
}

/// Bytes of a server's key share: RFC 7748, RFC 8422, RFC 7919, FIPS 203 (ciphertexts of 1088 and 1568 bytes).
const fn share_of(group: Group) -> f64 {
    match group {
        Group::X25519 => 32.0,
        Group::Secp256r1 => 65.0,
        Group::Secp384r1 => 97.0,
        Group::Secp521r1 => 133.0,
        Group::X25519MlKem768 => 1_120.0,
        Group::Secp256r1MlKem768 => 1_153.0,
        Group::Secp384r1MlKem1024 => 1_665.0,
        Group::Ffdhe2048 => 256.0,
        Group::Ffdhe3072 => 384.0,
    }
}

/// Bytes of a public key in a certificate: RFC 8017, RFC 5480, RFC 8410, FIPS 204.
const fn key_of(key: Key) -> f64 {
    match key {
        Key::Rsa2048 => 294.0,
        Key::Rsa3072 => 422.0,
        Key::Rsa4096 => 550.0,
        Key::EcdsaP256 => 91.0,
        Key::EcdsaP384 => 120.0,
        Key::Ed25519 => 44.0,
        Key::MlDsa44 => 1_334.0,
        Key::MlDsa65 => 1_974.0,
        Key::MlDsa87 => 2_614.0,
    }
}

/// Bytes of a signature: the same sources.
const fn signature(key: Key) -> f64 {
    match key {
        Key::Rsa2048 => 256.0,
        Key::Rsa3072 => 384.0,
        Key::Rsa4096 => 512.0,
        Key::EcdsaP256 => 71.0,
        Key::EcdsaP384 => 103.0,
        Key::Ed25519 => 64.0,
        Key::MlDsa44 => 2_420.0,
        Key::MlDsa65 => 3_309.0,
        Key::MlDsa87 => 4_627.0,
    }
}
