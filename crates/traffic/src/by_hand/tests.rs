//! What is made of what a person writes.

use tlstax_doc::{HttpVersion, Protocol, Resumed, Tell, Workload, merge_workloads};

use super::*;

fn tool() -> Tool {
    Tool { name: "tlstax".to_owned(), version: "0".to_owned(), reference_kernels: 0 }
}

fn read(text: &str) -> Workload {
    by_hand(text, "shop.toml", tool()).unwrap()
}

fn refused(text: &str) -> String {
    by_hand(text, "shop.toml", tool()).unwrap_err().to_string()
}

fn sum(workload: &Workload, of: fn(&Share) -> u64) -> u64 {
    workload.shares.iter().map(of).sum()
}

#[test]
fn a_rate_is_enough_and_the_rest_is_not_known() {
    let workload = read("requests_per_second = 200\n");
    assert_eq!(workload.shares.len(), 1);
    assert_eq!(workload.shares[0].kind, Kind::default());
    let counts = workload.shares[0].counts;
    assert_eq!(
        (counts.requests, counts.requests_without_connection, counts.connections),
        (720_000, 720_000, 0)
    );
    assert_eq!(workload.series.buckets.len(), 3_600);
    assert!(workload.series.buckets.iter().all(|bucket| bucket.requests == 200));
    assert_eq!(workload.sources[0].tells, [Tell::Time, Tell::Requests].into());
    let connections = read("connections_per_second = 2.5\nduration_s = 10");
    let counts = connections.shares[0].counts;
    assert_eq!((counts.connections, counts.connections_without_requests, counts.requests), (25, 25, 0));
}

#[test]
fn shares_become_kinds_and_counts_add_up() {
    let workload = read(include_str!("../../../../docs/traffic-by-hand.toml"));
    assert_eq!(sum(&workload, |share| share.counts.requests), workload.response_bytes.count);
    assert_eq!(sum(&workload, |share| share.counts.out.bytes), workload.response_bytes.sum);
    let connections = sum(&workload, |share| share.counts.connections);
    assert_eq!(workload.request_ordinals.classes[0], (1, connections));
    let buckets = &workload.series.buckets;
    assert_eq!(buckets.iter().map(|bucket| bucket.connections).sum::<u64>(), connections);
    assert_eq!(buckets.iter().map(|bucket| bucket.full + bucket.resumed).sum::<u64>(), connections);
    assert_eq!(merge_workloads(&tool(), std::slice::from_ref(&workload)), workload);
    let short = read(include_str!("../../../../docs/traffic-by-hand-short.toml"));
    assert_eq!(sum(&short, |share| share.counts.requests), 7_200_000);
    // A suite of RSA takes of the keys the one that it can have.
    let of_tls12 = workload.shares.iter().filter(|share| share.kind.protocol == Some(Protocol::Tls12));
    let keys: Vec<_> = of_tls12.map(|share| share.kind.key.as_deref()).collect();
    assert!(!keys.is_empty() && keys.iter().all(|key| *key == Some("rsa-2048")), "{keys:?}");
}

#[test]
fn what_is_no_whole_number_is_some_with_one_more() {
    let workload = read("connections_per_second = 10\nduration_s = 10\nrequests_per_connection = 2.5");
    assert_eq!(workload.request_ordinals.classes, [(1, 100), (2, 100), (3, 50)]);
    assert_eq!((workload.request_ordinals.sum, workload.request_ordinals.max), (450, 3));
    let mixed = "connections_per_second = 10\nduration_s = 10\nrequests_per_connection = { 1 = 50, 3 = 50 }";
    assert_eq!(read(mixed).request_ordinals.classes, [(1, 100), (2, 50), (3, 50)]);
    let both = "connections_per_second = 10\nrequests_per_second = 40\nduration_s = 10";
    assert_eq!(read(both).request_ordinals.classes, [(1, 100), (2, 100), (3, 100), (4, 100)]);
}

#[test]
fn names_are_read_as_people_write_them() {
    let text = "requests_per_second = 1\nsuites = 'aes128gcm'\ngroups = 'p256'\nkeys = 'rsa'\nhttp = 'h2'\n\
                resumed = { full = 50, 0rtt = 50 }";
    let kinds: Vec<Kind> = read(text).shares.into_iter().map(|share| share.kind).collect();
    assert_eq!(kinds.len(), 2);
    assert_eq!(kinds[0].suite.as_deref(), Some("TLS_AES_128_GCM_SHA256"));
    assert_eq!((kinds[0].group.as_deref(), kinds[0].key.as_deref()), (Some("secp256r1"), Some("rsa-2048")));
    assert_eq!(kinds[0].http, Some(HttpVersion::Http2));
    assert_eq!([kinds[0].resumed, kinds[1].resumed], [Some(Resumed::Full), Some(Resumed::EarlyData)]);
    let plain =
        read("requests_per_second = 1\nprotocols = { none = 20, '1.3' = 80 }\nresumed = 70\nkeys = 'rsa'");
    let plain = plain.shares.iter().find(|share| share.kind.protocol == Some(Protocol::None)).unwrap();
    assert_eq!((plain.counts.requests, plain.kind.resumed, plain.kind.key.as_deref()), (720, None, None));
}

#[test]
fn what_cannot_be_is_refused_with_its_place() {
    let sum = refused("requests_per_second = 1\ngroups = { X25519 = 60, secp256r1 = 30 }");
    assert!(sum.starts_with("shop.toml: ") && sum.contains("line 2") && sum.contains("sum to 90 %"), "{sum}");
    let name = refused("requests_per_second = 1\ngroups = 'X25518'");
    assert!(name.contains("line 2") && name.contains("did you mean X25519"), "{name}");
    for (text, expected) in [
        ("", "it has no rate"),
        ("suites = 'aes128gcm'", "it has no rate"),
        ("requests_per_second = -1", "below zero"),
        ("requests_per_second = nan", "below zero"),
        ("requests_per_second = 1e300", "more than can be counted"),
        ("requests_per_second = 1\nduration_s = 0", "duration_s is 0"),
        ("requests_per_second = 1\nrequests_per_connection = 0.5", "no number of requests"),
        ("requests_per_second = 1\nresumed = 120", "120 is no share"),
        ("requests_per_second = 1\nresumed = { full = 120 }", "the share of 'full' is 120"),
        ("requests_per_second = 1\nresponse = '3 parsecs'", "no size"),
        ("requests_per_second = 1\nrequest_per_second = 1", "unknown field"),
        ("requests_per_second = 1\nsuites = 'aes128gcm'\nprotocols = '1.3'", "leave protocols out"),
        (
            "requests_per_second = 1\nsuites = 'ECDHE-RSA-AES128-GCM-SHA256'\nkeys = 'ecdsa-p256'",
            "goes with none of keys",
        ),
        (
            "requests_per_second = 1\nsuites = 'ECDHE-RSA-AES128-GCM-SHA256'\ngroups = 'X25519MLKEM768'",
            "goes with none of groups",
        ),
        (
            "requests_per_second = 4\nconnections_per_second = 1\nrequests_per_connection = 4",
            "says three times",
        ),
    ] {
        let found = refused(text);
        assert!(found.contains(expected), "{text}: {found}");
    }
}

proptest::proptest! {
    #![proptest_config(proptest::test_runner::Config::with_cases(40))]

    #[test]
    fn any_rates_add_up(rate in 0.0f64..1e5, each in 1.0f64..50.0, seconds in 1.0f64..3_000.0, resumed in 0.0f64..100.0) {
        let text = format!(
            "requests_per_second = {rate:?}\nrequests_per_connection = {each:?}\nduration_s = {seconds:?}\nresumed = {resumed:?}\n\
             response = {{ 1k = 50, 20k = 50 }}"
        );
        let workload = read(&text);
        let connections = sum(&workload, |share| share.counts.connections);
        let buckets = &workload.series.buckets;
        assert_eq!(buckets.iter().map(|bucket| bucket.connections).sum::<u64>(), connections);
        assert_eq!(workload.request_ordinals.count, sum(&workload, |share| share.counts.requests));
        assert_eq!(sum(&workload, |share| share.counts.out.bytes), workload.response_bytes.sum);
    }
}
