//! Round trips, packets and bytes of handshakes over a network, from what a scripted worker says that it sent.

use serde_json::json;

use crate::run::measurement;
use crate::stage::{HANDSHAKES, Stage};

/// Two handshakes of TLS 1.3 and one of TLS 1.2.
fn study() -> String {
    let older = "[[handshake]]\nversions = [\"TLSv1.2\"]\nsuites = [\"TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256\"]\n\
                 groups = [\"X25519\"]\nkeys = [\"ecdsa-p256\"]\n";
    format!("{HANDSHAKES}keys = [\"ecdsa-p256\"]\nresumptions = [\"full\", \"psk\"]\n{older}")
}

#[test]
fn flights_are_kept_and_make_packets() {
    let stage = Stage::calm();
    let (run, results) = stage.measure("wire", &study(), "");
    assert_eq!(measurement(&results, "/psk")["outcome"]["proof"]["flights"], json!([506, 370, 74]));
    let waits = "Round trips before the first request, computed with TCP's own: TLS 1.3 full 2, TLS 1.3 psk 2, TLS 1.2 full 3 (2 \
                 with False Start).";
    run.ends(0).shows([waits, "ON THE NETWORK", "IPv4, MTU 1500"]);
    let packets =
        |flags: &str| stage.run(&format!("report wire.json --format markdown {flags}")).ends(0).stdout;
    assert!(
        packets("").contains("is 3042 bytes in 13 packets on the network (IPv4, MTU 1500)"),
        "{}",
        packets("")
    );
    assert!(packets("--mtu 576 --ip 4").contains("in 17 packets on the network (IPv4, MTU 576)"));
    assert!(packets("--ip 6").contains("in 13 packets on the network (IPv6, MTU 1500)"));
}

#[test]
fn a_network_that_cannot_be_is_refused() {
    let stage = Stage::calm();
    stage.measure("wire", &study(), "");
    stage.refuses("report wire.json --mtu 67", ["an MTU of 67 is out of range", "IPv4", "from 68 to 65535"]);
    stage.refuses("report wire.json --mtu 1279 --ip 6", ["IPv6", "from 1280 to 65535"]);
    stage.refuses("report wire.json --mtu 65536", ["out of range"]);
    stage.refuses("report wire.json --mtu large", ["large"]);
    stage.refuses("report wire.json --ip 5", ["'5'", "4", "6"]);
    stage.refuses("report wire.json wire.json --mtu 576", ["one file of results"]);
}

#[test]
fn flights_that_are_not_what_was_sent_are_no_proof() {
    let script = json!({ "faults": [{ "case": "*/psk", "at": "run", "fault": "other-flights" }] });
    let (_, results) = Stage::with(&[("mock", script)]).measure("lie", &study(), "");
    let lie = &measurement(&results, "/psk")["outcome"];
    assert_eq!((lie["is"].as_str(), lie["stage"].as_str()), (Some("failed"), Some("proof")), "{lie}");
    assert!(lie["message"].as_str().unwrap().contains("the flights come to"), "{lie}");
}

#[test]
fn idle_connections_have_the_kernels_share_or_a_reason() {
    let idle = "[[idle]]\nversions = [\"TLSv1.3\"]\nsuites = [\"TLS_AES_128_GCM_SHA256\"]\ngroups = [\"X25519\"]\nkeys = \
                [\"ecdsa-p256\"]\n";
    let stage = Stage::calm();
    let (_, results) = stage.measure("idle", idle, "");
    let sockets = &results["host"]["sockets"];
    match sockets["unread"].as_str() {
        Some(reason) => assert!(!reason.is_empty()),
        None => assert_eq!(sockets["objects"].as_array().map(Vec::len), Some(6), "{sockets}"),
    }
    let (_, without) = stage.measure("none", &study(), "");
    assert!(without["host"]["sockets"].is_null(), "they were made for nobody");
}
