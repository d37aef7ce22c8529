//! Captures of real handshakes.

use std::path::Path;

use crate::read::{all, shares};

/// What is counted of the capture of this name.
#[track_caller]
fn holds(name: &str, expected: &[&str], certificates: &[u64], records: [&[u64]; 2]) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/capture/golden");
    let (workload, facts) = all(&[std::fs::read(folder.join(name).with_extension("pcap")).unwrap()]);
    assert_eq!(shares(&workload), expected);
    let values = |sketch: &tlstax_doc::Sketch| -> Vec<u64> {
        let times = |(value, count): &(u64, u64)| vec![*value; usize::try_from(*count).unwrap()];
        sketch.classes.iter().flat_map(times).collect()
    };
    assert_eq!(
        values(&workload.certificate_bytes),
        certificates.iter().map(|size| tlstax_doc::Sketch::class(*size)).collect::<Vec<_>>()
    );
    assert_eq!([values(&workload.records_out), values(&workload.records_in)], records);
    assert!(workload.sources[0].bad.is_empty());
    assert_eq!((facts.gaps, facts.unfinished, facts.retries), (0, 0, u64::from(name == "tls13_retry")));
}

#[test]
fn tls_1_2() {
    holds(
        "tls12_full",
        &[
            "test TLSv1.2 TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256 X25519 rsa-2048 full: 1 and 0 failed, 80 out, 57 in",
        ],
        &[914],
        [&[80], &[57]],
    );
    holds(
        "tls12_rsa_key_exchange",
        &["test TLSv1.2 TLS_RSA_WITH_AES_128_CBC_SHA256 rsa-2048 full: 1 and 0 failed, 117 out, 85 in"],
        &[914],
        [&[117], &[85]],
    );
}

#[test]
fn tls_1_2_is_resumed_by_a_ticket_or_by_an_id() {
    const SUITE: &str = "test TLSv1.2 TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384";
    let full = format!("{SUITE} X25519 ecdsa-p256 full: 1 and 0 failed, 80 out, 57 in");
    let resumed = |how: &str| format!("{SUITE} ecdsa {how}: 1 and 0 failed, 80 out, 57 in");
    let (ticket, id) = (resumed("ticket"), resumed("session-id"));
    holds("tls12_ticket", &[&ticket, &full], &[523], [&[80, 80], &[57, 57]]);
    holds("tls12_session_id", &[&id, &full], &[523], [&[80, 80], &[57, 57]]);
}

#[test]
fn tls_1_3() {
    // Beside the answer of 73 bytes, two tickets.
    holds(
        "tls13_full",
        &["test TLSv1.3 TLS_AES_128_GCM_SHA256 X25519 full: 1 and 0 failed, 551 out, 50 in"],
        &[],
        [&[73, 239, 239], &[50]],
    );
    holds(
        "tls13_retry",
        &["test TLSv1.3 TLS_AES_256_GCM_SHA384 secp384r1 full: 1 and 0 failed, 583 out, 50 in"],
        &[],
        [&[73, 255, 255], &[50]],
    );
}

#[test]
fn tls_1_3_is_resumed_by_a_psk_and_with_early_data() {
    const SUITE: &str = "test TLSv1.3 TLS_AES_256_GCM_SHA384 X25519";
    let line =
        |how: &str, out: u64, into: u64| format!("{SUITE} {how}: 1 and 0 failed, {out} out, {into} in");
    holds(
        "tls13_psk",
        &[&line("full", 583, 50), &line("psk", 328, 50)],
        &[],
        [&[73, 73, 255, 255, 255], &[50, 50]],
    );
    holds(
        "tls13_early_data",
        &[&line("full", 174, 50), &line("early-data", 87, 100)],
        &[],
        [&[87, 87, 87], &[50, 50, 50]],
    );
}

#[test]
fn a_handshake_that_fails_is_no_connection() {
    holds("failed", &["test: 0 and 1 failed, 0 out, 0 in"], &[], [&[], &[]]);
}
