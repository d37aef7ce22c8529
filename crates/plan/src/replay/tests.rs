//! What is offered in the place of a workload.

use tlstax_doc::Tool;

use super::*;
use tlstax_traffic::by_hand;

fn workload(text: &str) -> Workload {
    let tool = Tool { name: "tlstax".to_owned(), version: "0".to_owned(), reference_kernels: 0 };
    by_hand(text, "by-hand.toml", tool).unwrap()
}

fn of(text: &str) -> Replay {
    replay(&workload(text), ReplaySettings::default()).unwrap()
}

#[test]
fn all_that_is_known_is_offered_as_it_is() {
    let replay = of(include_str!("../../../../docs/traffic-by-hand-short.toml"));
    assert_eq!((replay.cases, replay.covered), (1, 1.0));
    assert_eq!(replay.left_out, Vec::<String>::new());
    assert_eq!(
        replay.assumed,
        ["the version of HTTP is not known for all connections: http/1.1 was assumed"]
    );
    let load = replay.study.split_once("[[load]]\n").unwrap().1;
    assert_eq!(
        load,
        "versions = [\"TLSv1.3\"]\nsuites = [\"TLS_AES_128_GCM_SHA256\"]\ngroups = [\"X25519\"]\nkeys = [\"ecdsa-p256\"]\n\
         resumptions = [\"psk\"]\nresumed_percent = [80]\nclients = [\"lean\"]\nhttp = [\"http/1.1\"]\n\
         requests_per_connection = [4]\nbodies = [3072]\nrates = [2000]\n"
    );
}

#[test]
fn kinds_are_taken_until_they_stand_for_enough() {
    let text = "requests_per_second = 1000\nrequests_per_connection = 2\nkeys = 'rsa'\nresumed = 0\n\
                groups = { X25519 = 60, secp256r1 = 36, secp384r1 = 4 }";
    let whole = of(text);
    assert_eq!(whole.cases, 2);
    assert!((whole.covered - 0.96).abs() < 0.001, "{}", whole.covered);
    assert_eq!(whole.left_out, ["4.0 % of connections: rare kinds, 1 of them"]);
    assert!(whole.study.contains("rates = [600]") && whole.study.contains("rates = [360]"));
    let all = replay(&workload(text), ReplaySettings { share: 1.0, ..ReplaySettings::default() }).unwrap();
    assert_eq!((all.cases, all.left_out.len()), (3, 0));
}

#[test]
fn what_is_not_known_is_assumed_and_said() {
    let replay = of("requests_per_second = 50");
    let said = replay.assumed.join("\n");
    for part in ["TLSv1.3", "TLS_AES_128_GCM_SHA256", "X25519", "rsa-2048", "a full handshake", "1024 bytes"]
    {
        assert!(said.contains(part), "{part}: {said}");
    }
    assert!(replay.assumed.iter().all(|sentence| replay.study.contains(sentence.as_str())));
    assert!(replay.study.contains("rates = [50]\n"));
}

#[test]
fn without_times_there_is_a_closed_loop() {
    let mut workload = workload("requests_per_second = 50\nprotocols = 'none'");
    workload.series = tlstax_doc::Series { undated: 180_000, ..Default::default() };
    let replay = replay(&workload, ReplaySettings::default()).unwrap();
    assert!(replay.study.contains("plain = true\n") && replay.study.contains("rates = [0]\n"));
}

#[test]
fn what_no_load_has_is_left_out_and_said() {
    let replay = of(
        "connections_per_second = 10\nrequests_per_connection = 1\nprotocols = { SSLv3 = 10, '1.3' = 90 }",
    );
    assert_eq!(replay.left_out, ["10.0 % of connections: a version of TLS that no load has"]);
    let old = workload("connections_per_second = 10\nprotocols = 'SSLv3'");
    let error = super::replay(&old, ReplaySettings::default()).unwrap_err();
    assert!(error.to_string().contains("a version of TLS that no load has"), "{error}");
    let nothing = Workload { shares: Vec::new(), ..old };
    assert_eq!(super::replay(&nothing, ReplaySettings::default()), Err(NoReplay::Nothing));
}
