//! Bytes that a server sends, with what TLS and HTTP add to bodies; without TCP and IP.

use tlstax_spec::{Group, Http, Key, Params, Resumption, Suite};

use crate::demand::{Demand, Exact};
use crate::line::record_overhead;
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

/// Bytes of TCP's in a packet of 1500: IPv4, timestamps (RFC 7323).
const IN_A_PACKET: f64 = 1_448.0;

/// SYN, the flight of the handshake and FIN.
const PACKETS_OF_A_CONNECTION: f64 = 3.0;

/// Bytes in a second of all kinds as they are thought to be.
pub fn bytes_sent(traffic: &Traffic, setup: Setup) -> f64 {
    traffic.kinds.iter().map(|asked| of_demand(&asked.demand, setup, traffic.certificate_bytes)).sum()
}

/// Packets of Ethernet in a second that those bytes are sent in: responses each in packets of its own, and those that open and close
/// connections.
pub fn packets_sent(traffic: &Traffic, setup: Setup) -> f64 {
    traffic.kinds.iter().map(|asked| packets_of(&asked.demand, setup)).sum()
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
        (likely.connections, full + (resumed - full) * likely.share_resumed())
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
    let responses: f64 =
        demand.bodies.iter().map(|(bytes, share)| share * response(&likely, *bytes, setup)).sum();
    let handshakes =
        likely.tls.map_or(0.0, |params| likely.connections * handshake(&likely, params, certificate));
    demand.requests * responses + handshakes
}

fn packets_of(demand: &Demand, setup: Setup) -> f64 {
    let likely = demand.likely();
    let packets = |bytes: f64| (response(&likely, bytes, setup) / IN_A_PACKET).ceil();
    let responses: f64 = demand.bodies.iter().map(|(bytes, share)| share * packets(*bytes)).sum();
    demand.requests * responses + PACKETS_OF_A_CONNECTION * likely.connections
}

/// Bytes of a response with so many bytes of body.
fn response(demand: &Exact<'_>, bytes: f64, setup: Setup) -> f64 {
    let frames = match demand.http {
        Http::Http2 => FRAME * (1.0 + (bytes / MOST_OF_FRAME).ceil()),
        Http::Http1 => 0.0,
    };
    let plain = bytes + RESPONSE_HEAD + frames;
    plain + demand.tls.map_or(0.0, |params| overhead(params.suite, plain, setup.record))
}

/// Bytes that records add to so much data: full ones, and one with the rest.
fn overhead(suite: Suite, data: f64, record: u32) -> f64 {
    let full = (data / f64::from(record)).floor();
    let rest = (data - full * f64::from(record)).ceil();
    // It is less than a record.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let rest = rest as u32;
    let last = if rest > 0 { record_overhead(suite, rest) } else { 0 };
    full * f64::from(record_overhead(suite, record)) + f64::from(last)
}

fn handshake(demand: &Exact<'_>, params: Params, certificate: Option<f64>) -> f64 {
    let is_new = params.version.is_tls13();
    let exchange = params.group.map_or(0.0, share_of);
    // The chain: its own certificate, and one above it that an RSA key of 2048 bits has signed.
    let chain =
        certificate.unwrap_or_else(|| 2.0 * CERTIFICATE + key_of(params.key) + key_of(Key::Rsa2048) + 512.0);
    let tickets = if is_new { 2.0 * TICKET } else { TICKET };
    // Who can decrypt what a client encrypts to the certificate's key signs nothing (RFC 5246, 7.4.3).
    let signature = params.group.map_or(0.0, |_| signature(params.key));
    let full = FLIGHT + exchange + chain + signature + tickets;
    let resumed = FLIGHT + if is_new { exchange + TICKET } else { 0.0 };
    full + (resumed - full) * demand.share_resumed()
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

#[cfg(test)]
mod tests {
    use tlstax_spec::Version;

    use super::*;

    fn demand(params: Params, bodies: &[(f64, f64)]) -> Exact<'_> {
        Exact {
            tls: Some(params),
            http: Http::Http1,
            connections: 1.0,
            resumed: 0.0,
            resumption: Resumption::Full,
            requests: 1.0,
            bodies,
        }
    }

    const OLD: Params =
        Params { version: Version::Tls12, suite: Suite::RsaAes128Gcm, group: None, key: Key::Rsa2048 };

    #[test]
    fn only_a_key_exchange_is_signed() {
        let signed = Params { suite: Suite::EcdheRsaAes128Gcm, group: Some(Group::X25519), ..OLD };
        let bytes = |params| handshake(&demand(params, &[]), params, None);
        assert_eq!(bytes(signed) - bytes(OLD), 32.0 + 256.0);
    }

    #[test]
    fn records_add_as_many_bytes_as_they_do_on_the_line() {
        let of = |bytes: f64| response(&demand(OLD, &[]), bytes, Setup::default());
        // Header, nonce and tag for each record.
        assert_eq!(of(1_000.0), 1_000.0 + RESPONSE_HEAD + 29.0);
        assert_eq!(of(20_000.0), 20_000.0 + RESPONSE_HEAD + 2.0 * 29.0);
        assert_eq!(of(16_384.0 - RESPONSE_HEAD), 16_384.0 + 29.0);
    }
}
