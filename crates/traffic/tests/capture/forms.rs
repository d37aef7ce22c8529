//! The same packets in every form that files and links have.

use tlstax_doc::PassedOver;
use tlstax_traffic::capture::{first_packet, is_capture};

use crate::made::{tls12, tls13};
use crate::packets::{Form, Frames, Sent, USUAL, ethernet, pcap, segments, usual};
use crate::read::{all, one, passed_over, shares};

fn sent() -> Vec<Sent> {
    let mut sent = segments(40_001, 1_700_000_000, &tls13("a.test", 3, 16_401), 1_400);
    sent.extend(segments(40_002, 1_700_000_060, &tls12("b.example", 2, 5_000), 1_400));
    sent
}

const EXPECTED: [&str; 2] = [
    "TLSv1.2 TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256 secp256r1 ecdsa-p256 full 2: 1 and 0 failed, 10010 out, 305 in",
    "test TLSv1.3 TLS_AES_128_GCM_SHA256 X25519 full: 1 and 0 failed, 49218 out, 305 in",
];

/// A block of pcapng.
fn block(is_big: bool, kind: u32, body: &[u8]) -> Vec<u8> {
    let u32 = |number: u32| if is_big { number.to_be_bytes() } else { number.to_le_bytes() };
    let padding = vec![0; body.len().next_multiple_of(4) - body.len()];
    let length = u32(u32::try_from(body.len() + padding.len() + 12).unwrap());
    [&u32(kind)[..], &length, body, &padding, &length].concat()
}

/// A section with an interface that nothing is of and one of Ethernet with times of 2^-20 s, and the packets on that.
fn section(is_big: bool, frames: &Frames) -> Vec<u8> {
    let u32 = |number: u32| if is_big { number.to_be_bytes() } else { number.to_le_bytes() };
    let u16 = |number: u16| if is_big { number.to_be_bytes() } else { number.to_le_bytes() };
    let version = [u16(1), u16(0)].concat();
    let mut file = block(is_big, 0x0a0d_0d0a, &[&u32(0x1a2b_3c4d)[..], &version, &[0xff; 8]].concat());
    file.extend(block(is_big, 1, &[&u16(147)[..], &[0; 6]].concat()));
    let resolution = [&u16(9)[..], &u16(1), &[0x80 | 20, 0, 0, 0], &[0; 4]].concat();
    file.extend(block(is_big, 1, &[&u16(1)[..], &[0; 6], &resolution].concat()));
    for (seconds, frame) in frames {
        let time = u64::from(*seconds) << 20;
        let parts =
            [1, u32::try_from(time >> 32).unwrap(), time as u32, frame.len() as u32, frame.len() as u32];
        let head = parts.map(u32).concat();
        file.extend(block(is_big, 6, &[&head[..], frame].concat()));
    }
    // So many packets were dropped.
    let dropped = if is_big { 9_u64.to_be_bytes() } else { 9_u64.to_le_bytes() };
    file.extend(block(is_big, 5, &[&u32(1)[..], &[0; 8], &u16(5), &u16(8), &dropped].concat()));
    file.extend(block(is_big, 0xbad, b"something else"));
    file
}

#[test]
fn pcap_of_either_byte_order_and_resolution() {
    for is_big in [false, true] {
        for is_in_nanoseconds in [false, true] {
            let file = pcap(Form { is_big, is_in_nanoseconds, ..USUAL }, &ethernet(&sent()));
            assert!(is_capture(&file[..4]));
            let (workload, facts) = one(&file);
            assert_eq!(shares(&workload), EXPECTED);
            assert_eq!(facts.times, Some((1_700_000_000, 1_700_000_060)));
            let times: Vec<u64> = workload.series.buckets.iter().map(|bucket| bucket.at).collect();
            assert_eq!(times, [1_700_000_000, 1_700_000_060]);
            assert_eq!(workload.sources[0].bytes, file.len() as u64);
            assert_eq!(workload.sources[0].entries, sent().len() as u64);
        }
    }
}

#[test]
fn pcapng_of_either_byte_order_with_several_sections() {
    let frames = ethernet(&sent());
    let (first, second) = frames.split_at(20);
    let (first, second) = (first.to_vec(), second.to_vec());
    for is_big in [false, true] {
        let file = [section(is_big, &first), section(!is_big, &second)].concat();
        assert!(is_capture(&file[..12]));
        let (workload, facts) = one(&file);
        assert_eq!(shares(&workload), EXPECTED);
        assert_eq!(facts.times, Some((1_700_000_000, 1_700_000_060)));
        assert_eq!(first_packet(file.as_slice()).unwrap(), Some((1_700_000_000, 0)));
        // Both say nine of an interface of the same number.
        assert_eq!(facts.dropped, Some(18));
    }
}

#[test]
fn links_and_headers_of_ip_before_tcp() {
    let behind = |header: &[u8], ip: &dyn Fn(&Sent) -> Vec<u8>| -> Frames {
        sent().iter().map(|sent| (sent.seconds, [header, &ip(sent)].concat())).collect()
    };
    let v4 = |sent: &Sent| sent.ipv4(&[]);
    let with_options = |sent: &Sent| sent.ipv4(&[1; 8]);
    let v6 = |sent: &Sent| sent.ipv6(&[]);
    let extended = |sent: &Sent| sent.ipv6(&[(0, vec![0; 7]), (60, [&[1][..], &[0; 14]].concat())]);
    let mac = [2; 12];
    let of = |link: u32, header: &[u8], ip: &dyn Fn(&Sent) -> Vec<u8>| {
        let (workload, _) = one(&pcap(Form { link, ..USUAL }, &behind(header, ip)));
        assert_eq!(shares(&workload), EXPECTED, "link type {link}, header {header:?}");
        assert!(workload.sources[0].bad.is_empty() && workload.sources[0].passed_over.is_empty());
    };
    of(1, &[&mac[..], &[8, 0]].concat(), &with_options);
    of(1, &[&mac[..], &[0x86, 0xdd]].concat(), &extended);
    of(1, &[&mac[..], &[0x81, 0, 0, 5, 8, 0]].concat(), &v4);
    of(1, &[&mac[..], &[0x88, 0xa8, 0, 5, 0x81, 0, 0, 6, 0x86, 0xdd]].concat(), &v6);
    of(113, &[&[0; 14][..], &[8, 0]].concat(), &v4);
    of(276, &[&[0x86, 0xdd][..], &[0; 18]].concat(), &v6);
    of(101, &[], &v4);
    of(101, &[], &v6);
    of(0, &[2, 0, 0, 0], &v4);
    of(108, &[0, 0, 0, 24], &v6);
}

#[test]
fn padding_of_short_frames_is_no_part_of_them() {
    let mut frames = ethernet(&sent());
    frames.iter_mut().for_each(|(_, frame)| frame.extend([0xaa; 6]));
    assert_eq!(shares(&one(&pcap(USUAL, &frames)).0), EXPECTED);
}

#[test]
fn what_is_no_tcp_is_passed_over() {
    let mut frames = ethernet(&sent());
    let mut datagram = frames[5].1.clone();
    datagram[23] = 17;
    let mut fragment = frames[5].1.clone();
    fragment[20] = 0x20;
    let request = [&[2; 12][..], &[8, 6], &[0; 28]].concat();
    frames.extend([(7, datagram), (7, fragment), (7, request)]);
    let (workload, _) = one(&pcap(USUAL, &frames));
    assert_eq!(shares(&workload), EXPECTED);
    assert_eq!(passed_over(&workload, PassedOver::OtherProtocol), 2);
    assert_eq!(passed_over(&workload, PassedOver::Fragment), 1);
    let (workload, facts) = one(&pcap(Form { link: 147, ..USUAL }, &frames));
    assert_eq!((shares(&workload).len(), facts.other_links.into_iter().collect()), (0, vec![147]));
}

#[test]
fn files_of_one_capture_are_read_in_the_order_of_their_packets() {
    let mut sent = sent();
    for (at, sent) in sent.iter_mut().enumerate() {
        sent.seconds = 1_700_000_000 + u32::try_from(at).unwrap();
    }
    let parts: Vec<Vec<u8>> = sent.chunks(9).map(usual).collect();
    assert!(parts.len() > 5);
    let whole = all(&[usual(&sent)]);
    let mut order = parts.clone();
    order.reverse();
    order.swap(1, 3);
    let (mut workload, facts) = all(&order);
    assert_eq!(facts, whole.1);
    // Each file has a header.
    workload.sources[0].bytes -= 24 * (parts.len() as u64 - 1);
    assert_eq!(workload, whole.0);
}
