//! The arithmetic of a line: that of the source, that of the standards, and what has to hold for all numbers.

use proptest::prelude::*;
use tlstax_doc::model::Bounds;
use tlstax_spec::Suite;

use super::*;

const ETHERNET: Packet = Packet { mtu: 1500, ip: 20, tcp: 32 };

fn line(gbit: f64) -> Line {
    Line::new(gbit).unwrap()
}

/// Of a core that takes so many nanoseconds for a byte.
fn stream(ns: f64) -> (Stream, Bounds) {
    let stream = Stream::given(1e9 / ns);
    let cost = stream.sends.clone().unwrap();
    (stream, cost)
}

#[test]
fn the_times_are_those_that_the_source_worked_out() {
    // Application encryption against network encryption: 100 MB by AES-256-CBC at 99.02 MB/s, and over 1 Gbit/s.
    assert_eq!(format!("{:.4}", seconds_to_encrypt(100e6, 99.02e6)), "1.0099");
    assert_eq!(line(1.0).seconds_to_send(100e6), 0.8);
}

#[test]
fn what_packets_add_is_what_the_standards_say() {
    assert_eq!(ETHERNET.payload(), 1448.0);
    assert_eq!(ETHERNET.on_line(), 1538.0);
    // 949 Mbit/s of 1 Gbit/s: what every file over TCP with timestamps reaches at most.
    assert!((ETHERNET.stream(line(1.0)) * 8.0 / 1e6 - 941.48).abs() < 0.01);
}

#[test]
fn records_add_what_the_standards_say() {
    let added = |suite, data| record_overhead(suite, data);
    assert_eq!(added(Suite::Aes128Gcm, 16_384), 22);
    assert_eq!(added(Suite::ChaCha20Poly1305, 1), 22);
    assert_eq!(added(Suite::EcdheRsaAes256Gcm, 16_384), 29);
    assert_eq!(added(Suite::EcdheRsaChaCha20Poly1305, 16_384), 21);
    // 16 + 16384 + 20 and 12 bytes of padding.
    assert_eq!(added(Suite::RsaAes128CbcSha, 16_384), 53);
    assert_eq!(added(Suite::RsaRc4128Md5, 100), 21);
    assert_eq!(added(Suite::EcdheRsaAes256CbcSha384, 16), 5 + 16 + 80 - 16);
}

#[test]
fn a_size_that_was_measured_is_taken_and_others_lie_between() {
    let at = |value| Bounds { value, low: value * 0.99, high: value * 1.01 };
    let points = [(1024, at(300.0)), (8192, at(1738.4)), (16_384, at(3379.8))];
    assert_eq!(at_size(&points, 8192), Ok(Sized { ns: points[1].1, is_interpolated: false }));
    let between = at_size(&points, 1350).unwrap();
    assert!(between.is_interpolated && (between.ns.value - 365.4).abs() < 2.0, "{between:?}");
    for outside in [512, 16_385] {
        let why = at_size(&points, outside).unwrap_err();
        assert_eq!(why, format!("measured at 1024, 8192, 16384 bytes, and not at {outside}"));
    }
    assert!(at_size(&points[..1], 4096).is_err());
}

#[test]
fn lines_that_cannot_be_are_refused() {
    for gbit in [0.0, -1.0, f64::NAN, f64::INFINITY, 100_001.0] {
        assert!(Line::new(gbit).is_err(), "{gbit}");
    }
}

#[test]
fn loss_limits_a_stream_whatever_the_line() {
    // 1448 bytes in 20 ms at a loss of 0.1 %: 2.8 MB/s.
    assert!(reno(1448.0, 0.02, 0.001).is_some_and(|rate| (rate / 2.804e6 - 1.0).abs() < 1e-3));
    assert_eq!(reno(1448.0, 0.02, 0.0), None);
}

proptest! {
    #[test]
    fn a_faster_line_and_a_dearer_byte_take_more_cores(
        gbit in 0.1..1000.0_f64, ns in 0.01..100.0_f64, more in 1.001..10.0_f64, mtu in 576_u64..9001
    ) {
        let packet = Packet { mtu, ..ETHERNET };
        let (slow, cheap) = stream(ns);
        let cores = slow.cores(cheap, line(gbit), &packet).value;
        prop_assert!(slow.cores(cheap, line((gbit * more).min(1e5)), &packet).value > cores);
        let (dear, cost) = stream(ns * more);
        prop_assert!(dear.cores(cost, line(gbit), &packet).value > cores);
        // One core fills the part of the line that the cores say.
        let one = slow.one_core(cheap, &packet).value;
        prop_assert!((one * cores / gbit - 1.0).abs() < 1e-9);
        // Headers never make more of a line than it has.
        prop_assert!(slow.data(line(gbit), &packet) < line(gbit).bytes());
    }

    #[test]
    fn larger_packets_carry_more(mtu in 576_u64..9000) {
        let packet = Packet { mtu, ..ETHERNET };
        let larger = Packet { mtu: mtu + 1, ..packet };
        prop_assert!(larger.stream(line(10.0)) > packet.stream(line(10.0)));
    }

    #[test]
    fn cbc_pads_to_whole_blocks(data in 1_u32..16_385) {
        let added = record_overhead(Suite::EcdheRsaAes128CbcSha256, data);
        prop_assert_eq!((data + added - 5) % 16, 0);
        prop_assert!((5 + 16 + 32 + 1..=5 + 16 + 32 + 16).contains(&added));
    }
}
