//! What workloads ask for.

use tlstax_doc::{Counts, Share, Tool};
use tlstax_spec::{Http, Version};
use tlstax_traffic::by_hand;

use super::*;

fn workload(text: &str) -> Workload {
    let tool = Tool { name: "tlstax".to_owned(), version: "0".to_owned(), reference_kernels: 0 };
    by_hand(text, "by-hand.toml", tool).unwrap()
}

fn busiest(workload: &Workload) -> Traffic {
    traffic(workload, Offered::AsCounted(Rate::Busiest)).unwrap()
}

#[test]
fn what_is_known_is_as_it_is() {
    let traffic = busiest(&workload(include_str!("../../../../docs/traffic-by-hand-short.toml")));
    let [Asked { demand, stands_in: false }] = traffic.kinds.as_slice() else { panic!("{traffic:?}") };
    assert_eq!((demand.http, demand.resumption), (Http::Http1, Resumption::Psk));
    let close = |one: f64, other: f64| (one / other - 1.0).abs() < 1e-6;
    assert!(close(demand.requests, 2_000.0) && close(demand.connections.value, 500.0));
    assert!(close(demand.resumed.low, 0.8) && close(demand.resumed.high, 0.8));
    assert!(close(demand.bytes(), 2_000.0 * 3_072.0));
    assert_eq!(traffic.left_out, [""; 0]);
}

#[test]
fn a_rate_scales_all_of_it() {
    let workload = workload(include_str!("../../../../docs/traffic-by-hand.toml"));
    let (one, other) = (busiest(&workload), traffic(&workload, Offered::PerSecond(4_000.0)).unwrap());
    let sum = |traffic: &Traffic| traffic.kinds.iter().map(|kind| kind.demand.connections.high).sum::<f64>();
    assert!((sum(&other) / sum(&one) - 2.0).abs() < 0.01);
    assert!(other.kinds.len() > 4);
    for rate in [0.0, -5.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(traffic(&workload, Offered::PerSecond(rate)), Err(NoTraffic::Rate(_))));
    }
}

#[test]
fn what_is_not_known_is_open() {
    let traffic = busiest(&workload("requests_per_second = 50"));
    let Demand { connections, resumed, .. } = traffic.kinds[0].demand;
    assert_eq!((connections.low, resumed.low, resumed.high), (0.0, 0.0, 1.0));
    assert!((connections.high - 50.0).abs() < 1e-6 && (connections.value - 50.0).abs() < 1e-6);
    assert!(traffic.assumed.len() > 5);
}

#[test]
fn what_no_load_has_is_named_and_never_ignored() {
    let mut workload =
        workload("connections_per_second = 10\nrequests_per_connection = 1\nprotocols = 'SSLv3'");
    let ssl3 = busiest(&workload);
    assert_eq!(ssl3.kinds[0].demand.tls.unwrap().version, Version::Tls10);
    assert!(ssl3.assumed.join("\n").contains("SSLv3, which no load has, is counted as TLSv1.0"));
    let counts = Counts { connections: 36_000, requests: 36_000, ..Counts::default() };
    let kinds = [
        Kind { http: Some(HttpVersion::Http3), ..Kind::default() },
        Kind { suite: Some("TLS_PSK_WITH_NULL_SHA".to_owned()), ..Kind::default() },
        Kind { suite: Some("TLS_RSA_WITH_CAMELLIA_256_CBC_SHA".to_owned()), ..Kind::default() },
    ];
    workload.shares.extend(kinds.map(|kind| Share { kind, counts }));
    // Requests alone, of connections that nobody counted.
    let alone = Kind { suite: Some("TLS_AES_128_CCM_SHA256".to_owned()), ..Kind::default() };
    workload.shares.push(Share { kind: alone, counts: Counts { connections: 0, ..counts } });
    let traffic = busiest(&workload);
    assert_eq!(traffic.kinds.iter().filter(|kind| kind.stands_in).count(), 1);
    assert_eq!(traffic.left_out.len(), 3);
    let left_out = traffic.left_out.join("\n");
    assert!(left_out.contains("20.0 % of requests: HTTP/3") && left_out.contains("TLS_PSK_WITH_NULL_SHA"));
    assert!(left_out.contains("no connection that they came on was counted (TLS_AES_128_CCM_SHA256)"));
    workload.shares.truncate(0);
    assert!(matches!(super::traffic(&workload, Offered::PerSecond(1.0)), Err(NoTraffic::Nothing)));
}
