//! What the report computes of a handshake on the network.
#![allow(clippy::unwrap_used)]

mod synthetic;

use synthetic::shown::{column, says, section, tables, texts, titles};
use tlstax_doc::{Outcome, Results};
use tlstax_report::{Block, IpVersion, Network, Published, Section, View};
use tlstax_spec::{Proof, Workload};

const OLDER: &str = "TLS 1.2 ECDSA P-256";
const USUAL: &str = "TLS 1.3 ECDSA P-256";
const LARGE: &str = "TLS 1.3 ML-DSA-87";

fn over(results: &Results, mtu: u64, ip: IpVersion) -> Section {
    let view = View::over(results, &Published::default(), Network::new(mtu, ip).unwrap());
    view.sections.into_iter().find(|section| section.id == "wire").unwrap()
}

fn proofs(results: &mut Results) -> impl Iterator<Item = &mut Proof> {
    let handshakes = |workload: &Workload| matches!(workload, Workload::Handshake(_));
    results.measurements.iter_mut().filter(move |measured| handshakes(&measured.case.workload)).filter_map(
        |measured| match &mut measured.outcome {
            Outcome::Measured { proof, .. } => Some(proof),
            _ => None,
        },
    )
}

#[test]
fn round_trips_are_told_with_false_start_and_with_tcp() {
    let section = section(&synthetic::results(1, |_| 1.0), "wire").unwrap();
    let waits = tables(&section)[0];
    assert_eq!(titles(waits), ["handshake", "trips", "with False Start", "with TCP"]);
    let of = |handshake| {
        ["trips", "with False Start", "with TCP"].map(|title| texts(&column(waits, handshake, title)))
    };
    assert_eq!(of(USUAL), [["1"], [""], ["2"]]);
    assert_eq!(of(OLDER), [["2"], ["1"], ["3"]]);
    // The certificates of a server are more than TCP sends at once.
    assert_eq!(of(LARGE), [["1"], [""], ["3"]]);
    says(
        &section.sentences,
        &["computed with TCP's own: TLS 1.3 full 2, TLS 1.2 full 3 (2 with False Start), TLS 1.3 psk 2."],
    );
}

#[test]
fn packets_and_bytes_follow_from_the_flights() {
    let section = section(&synthetic::results(1, |_| 1.0), "wire").unwrap();
    let bytes = tables(&section)[1];
    assert!(bytes.caption.contains("IPv4, MTU 1500"), "{}", bytes.caption);
    let of = |handshake, side: &str| {
        let cell = column(bytes, handshake, &format!("openssl: {side}"))[0].quantity().unwrap();
        (cell.value, cell.aside.clone().unwrap())
    };
    // Flights of 256, 1480 and 74 bytes: of the server's one is full.
    assert_eq!(of(USUAL, "client"), (60.0 + 5.0 * 52.0 + 308.0 + 126.0, "8 packets".to_owned()));
    assert_eq!(of(USUAL, "server"), (60.0 + 2.0 * 52.0 + 1500.0 + 84.0, "5 packets".to_owned()));
    let wanted = "(TLS 1.3 full, ECDSA P-256, openssl) is 2502 bytes in 13 packets on the network (IPv4, MTU 1500), one \
                  without TLS 328 bytes in 6 packets.";
    says(&section.sentences, &[wanted]);
}

#[test]
fn smaller_packets_are_more() {
    let results = synthetic::results(1, |_| 1.0);
    let client = |section: &Section| {
        let quantity = column(tables(section)[1], USUAL, "openssl: client")[0].quantity().unwrap().clone();
        (quantity.value, quantity.aside.unwrap())
    };
    // Each of three segments of the server is acknowledged.
    assert_eq!(client(&over(&results, 576, IpVersion::V4)), (806.0, "9 packets".to_owned()));
    assert_eq!(
        client(&over(&results, 1500, IpVersion::V6)),
        (80.0 + 360.0 + 328.0 + 146.0, "8 packets".to_owned())
    );
    let large = over(&results, 576, IpVersion::V4);
    assert_eq!(texts(&column(tables(&large)[0], LARGE, "with TCP")), ["4"]);
}

#[test]
fn without_flights_there_are_no_packets() {
    let mut results = synthetic::results(1, |_| 1.0);
    proofs(&mut results).for_each(|proof| proof.flights.clear());
    let section = section(&results, "wire").unwrap();
    assert_eq!(tables(&section).len(), 2, "round trips, and data");
    assert_eq!(texts(&column(tables(&section)[0], LARGE, "with TCP")), ["3"]);
    let noted = |block: &Block| match block {
        Block::Notes { notes } => notes.iter().any(|note| note.what.contains("flight were not counted")),
        _ => false,
    };
    assert!(section.blocks.iter().any(noted), "{section:?}");
    assert!(!section.sentences.iter().any(|said| said.contains("packets")));
    proofs(&mut results).for_each(|proof| proof.round_trips = None);
    results.measurements.retain(|measured| !matches!(measured.case.workload, Workload::Bulk(_)));
    assert!(synthetic::shown::section(&results, "wire").is_none());
}

#[test]
fn data_have_headers_too() {
    let results = synthetic::results(1, |_| 1.0);
    let wire = section(&results, "wire").unwrap();
    let data = tables(&wire)[2];
    assert_eq!(titles(data)[1..], ["TLS adds", "TCP and IP alone", "all together"]);
    let of = |title| column(data, "AES_128_GCM_SHA256 16 KiB", title)[0].quantity().unwrap().value;
    assert!((of("TLS adds") - 0.134).abs() < 1e-3);
    // 52 bytes of headers for 1448 of data.
    assert!((of("TCP and IP alone") - 3.591).abs() < 1e-3);
    assert!((of("all together") - 3.730).abs() < 1e-3);
    let mut alone = results;
    alone.measurements.retain(|measured| matches!(measured.case.workload, Workload::Bulk(_)));
    assert_eq!(tables(&section(&alone, "wire").unwrap()).len(), 1);
}
