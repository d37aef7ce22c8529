//! Captures of which something is missing, or there too often.

use tlstax_doc::{Bad, PassedOver};

use crate::made::{Burst, data, plain, record, refused, tls12, tls13};
use crate::packets::{ACK, Form, RESET, SYN, Sent, USUAL, ethernet, pcap, segments, usual};
use crate::read::{all, any, one, passed_over, shares};

const AT: u32 = 1_700_000_000;
const TLS13: &str = "test TLSv1.3 TLS_AES_128_GCM_SHA256 X25519 full";

fn sent() -> Vec<Sent> {
    segments(40_001, AT, &tls13("a.test", 4, 16_401), 1_400)
}

/// What a capture says of all that was sent in [`sent`].
fn whole() -> [String; 1] {
    [format!("{TLS13}: 1 and 0 failed, {} out, 305 in", 4 * 16_406)]
}

/// The segments of the answer, which nothing else is in.
fn of_answer(sent: &[Sent]) -> Vec<usize> {
    let places = sent.iter().enumerate().filter(|(_, sent)| !sent.is_client && sent.payload.len() > 60);
    // The first two are the server's flight.
    places.skip(2).map(|(place, _)| place).collect()
}

#[test]
fn segments_that_come_twice_count_once() {
    let sent: Vec<Sent> = sent().into_iter().flat_map(|sent| [sent.clone(), sent]).collect();
    let (workload, facts) = one(&usual(&sent));
    assert_eq!((shares(&workload), facts.gaps), (whole().to_vec(), 0));
    let with_content = sent.iter().filter(|sent| !sent.payload.is_empty() || sent.flags & SYN != 0).count();
    assert_eq!(passed_over(&workload, PassedOver::Repeated), with_content as u64 / 2);
}

#[test]
fn segments_that_overlap_count_once() {
    let mut sent = sent();
    // Each one again, joined with the one behind it.
    for place in of_answer(&sent).into_iter().rev().skip(1) {
        let next = sent[place + 1].payload.clone();
        let mut joined = sent[place].clone();
        joined.payload.extend(next);
        sent.insert(place + 1, joined);
    }
    assert_eq!(shares(&one(&usual(&sent)).0), whole());
}

#[test]
fn a_connection_ends_when_all_of_it_has_come_and_not_with_its_last_flags() {
    let mut sent = sent();
    // More than the last record.
    let late: Vec<usize> = of_answer(&sent).into_iter().rev().take(15).collect();
    for place in late.iter().rev() {
        sent.push(sent[*place].clone());
    }
    late.iter().for_each(|place| drop(sent.remove(*place)));
    assert_eq!(shares(&one(&usual(&sent)).0), whole());
}

#[test]
fn an_answer_may_overtake_what_it_answers() {
    let sent = sent();
    // The first packet of the server that acknowledges the hello of the client, before any of the first five.
    let answer = sent.iter().position(|sent| !sent.is_client && !sent.payload.is_empty()).unwrap();
    for beginning in [[0, 1, 2, 3], [3, 2, 1, 0], [1, 3, 0, 2]] {
        let order = [answer].into_iter().chain(beginning).chain(answer + 1..sent.len());
        let mixed: Vec<Sent> = order.map(|place| sent[place].clone()).collect();
        assert_eq!(answer, 4);
        assert_eq!(shares(&one(&usual(&mixed)).0), whole(), "{beginning:?}");
    }
}

#[test]
fn a_segment_that_is_lost_within_a_record_changes_nothing() {
    let mut sent = sent();
    let places = of_answer(&sent);
    // The third of the answer: a record has twelve.
    sent.remove(places[2]);
    let (workload, facts) = one(&usual(&sent));
    assert_eq!((shares(&workload), facts.gaps), (whole().to_vec(), 1));
    assert_eq!(workload.sources[0].passed_over.len(), 0);
}

#[test]
fn behind_a_lost_header_the_next_record_is_found() {
    let answer = [data(16_401), data(16_401)].concat();
    let mut bursts = tls13("a.test", 0, 0);
    bursts.truncate(3);
    // Each record of the answer begins a segment.
    for _ in 0..3 {
        bursts.push(Burst { is_client: false, bytes: answer.clone() });
    }
    let mut sent = segments(40_001, AT, &bursts, 1_400);
    let places = of_answer(&sent);
    let per_burst = answer.len().div_ceil(1_400);
    // The header of the second record of the second burst.
    sent.remove(places[per_burst + 16_406 / 1_400]);
    let (workload, facts) = one(&usual(&sent));
    assert_eq!(facts.gaps, 1);
    assert_eq!(workload.records_out.classes.last(), Some(&(16_384, 5)));
    assert!(passed_over(&workload, PassedOver::BehindGap) > 5);
    // Bytes are known, whatever records they are in.
    assert_eq!(shares(&workload), [format!("{TLS13}: 1 and 0 failed, {} out, 305 in", 6 * 16_406)]);
}

#[test]
fn without_the_hello_of_the_server_the_rest_is_known() {
    let mut sent = segments(40_001, AT, &tls12("a.test", 1, 500), 4_000);
    let place = sent.iter().position(|sent| !sent.is_client && !sent.payload.is_empty()).unwrap();
    sent.remove(place);
    let (workload, _) = one(&usual(&sent));
    assert_eq!(shares(&workload).len(), 1);
    let share = &workload.shares[0];
    assert_eq!((share.counts.connections, share.kind.class.as_deref()), (1, Some("test")));
    assert_eq!((&share.kind.suite, share.kind.resumed), (&None, None));
}

#[test]
fn of_a_connection_that_began_before_only_the_bytes_are_known() {
    let sent = sent();
    let first = of_answer(&sent)[0];
    let (workload, _) = one(&usual(&sent[first..]));
    assert_eq!(shares(&workload), [format!(": 0 and 0 failed, {} out, 24 in", 4 * 16_406 + 24)]);
    assert_eq!(passed_over(&workload, PassedOver::BegunBefore), sent[first..].len() as u64);
    assert_eq!(workload.records_out.count, 5);
    // It may begin within a record.
    let (workload, _) = one(&usual(&sent[first + 3..]));
    assert!(workload.records_out.count >= 3 && workload.shares[0].counts.out.bytes > 3 * 16_406);
}

#[test]
fn what_is_captured_too_short_is_known_as_far_as_it_goes() {
    let file = pcap(
        Form { most: 220, ..USUAL },
        &ethernet(&segments(40_001, AT, &tls13("a.test", 4, 1_200), 1_400)),
    );
    let (workload, _) = one(&file);
    assert_eq!(workload.shares.len(), 1);
    let share = &workload.shares[0];
    assert_eq!(share.counts.connections, 1);
    assert_eq!(share.kind.class.as_deref(), Some("test"));
    assert_eq!(share.kind.suite.as_deref(), Some("TLS_AES_128_GCM_SHA256"));
    assert!(workload.sources[0].bad[&Bad::Snapped] > 0);
    // Without the headers of TCP there is nothing.
    let (workload, _) = one(&pcap(Form { most: 40, ..USUAL }, &ethernet(&sent())));
    assert_eq!(workload.sources[0].bad, [(Bad::Snapped, sent().len() as u64)].into());
}

#[test]
fn handshakes_that_fail_are_no_connections() {
    let failed = ["test: 0 and 1 failed, 0 out, 0 in"];
    assert_eq!(shares(&one(&usual(&segments(40_001, AT, &refused("a.test"), 1_400))).0), failed);
    // Reset behind the hello of the client.
    let mut sent = segments(40_001, AT, &tls13("a.test", 1, 100), 1_400);
    sent.truncate(4);
    let mut reset = sent[3].clone();
    (reset.is_client, reset.flags, reset.payload) = (false, RESET, Vec::new());
    sent.push(reset);
    assert_eq!(shares(&one(&usual(&sent)).0), failed);
    // The client does not like the certificate: an alert of TLS 1.3, which is encrypted.
    let mut bursts = tls13("a.test", 0, 0);
    bursts.truncate(2);
    bursts.push(Burst { is_client: true, bytes: [record(20, &[1]), data(19)].concat() });
    let (workload, _) = one(&usual(&segments(40_001, AT, &bursts, 1_400)));
    assert_eq!(shares(&workload), [format!("{TLS13}: 0 and 1 failed, 0 out, 0 in")]);
    assert_eq!(workload.records_in.count, 0);
}

#[test]
fn a_handshake_that_the_capture_cuts_is_neither() {
    let mut sent = sent();
    sent.truncate(5);
    let (workload, facts) = one(&usual(&sent));
    assert_eq!((shares(&workload).len(), facts.unfinished), (0, 1));
    assert_eq!(passed_over(&workload, PassedOver::NoRequest), 5);
}

#[test]
fn the_same_ends_have_another_connection() {
    let mut sent = sent();
    let mut later = segments(40_001, AT + 60, &tls12("b.test", 1, 100), 1_400);
    later.iter_mut().for_each(|sent| {
        let ours = &mut if sent.is_client { 77_u32 } else { 99 };
        sent.at = sent.at.wrapping_add(*ours);
        sent.acknowledged = sent.acknowledged.wrapping_add(if sent.is_client { 99 } else { 77 });
    });
    sent.extend(later);
    let (workload, _) = one(&usual(&sent));
    assert_eq!(shares(&workload).len(), 2);
    assert_eq!(workload.series.buckets.len(), 2);
    assert!(workload.sources[0].passed_over.is_empty());
}

#[test]
fn what_is_no_tls_is_passed_over() {
    let mut sent = segments(40_001, AT, &plain(), 1_400);
    let count = sent.len() as u64;
    // And a connection without a byte.
    sent.extend(segments(40_002, AT, &[], 1_400));
    let (workload, _) = one(&usual(&sent));
    assert_eq!(shares(&workload).len(), 0);
    assert_eq!(passed_over(&workload, PassedOver::OtherProtocol), count);
    assert_eq!(passed_over(&workload, PassedOver::NoRequest), 6);
}

#[test]
fn a_file_that_is_cut_is_read_up_to_there() {
    let file = usual(&sent());
    let (workload, facts) = one(&file[..file.len() - 10]);
    assert_eq!(workload.sources[0].bad, [(Bad::Cut, 1)].into());
    // The last packet is a header, and 54 bytes.
    assert_eq!(facts.stopped, [file.len() as u64 - 70]);
    assert_eq!(workload.sources[0].bytes, file.len() as u64 - 10);
    assert_eq!(shares(&workload), whole());
    assert!(any(&[]).is_none() && any(b"no capture at all, but text of some length").is_none());
    let long = [&file[..24], &[0xff; 16]].concat();
    assert_eq!(any(&long).unwrap().sources[0].bad, [(Bad::Malformed, 1)].into());
}

#[test]
fn more_connections_than_memory_allows_evict_the_idlest() {
    let mut sent = sent();
    let (before, after) = sent.split_at(of_answer(&sent)[0]);
    let (before, after) = (before.to_vec(), after.to_vec());
    let mut frames = ethernet(&before);
    let hello = Sent { flags: SYN, payload: Vec::new(), ..before[0].clone() };
    for number in 0..110_000_u32 {
        let mut frame = Sent { port: 1_024 + (number % 30_000) as u16, ..hello.clone() }.ethernet();
        // Clients of several addresses.
        frame[29] = 100 + (number / 30_000) as u8;
        frames.push((AT, frame));
    }
    frames.extend(ethernet(&after));
    let (workload, facts) = one(&pcap(USUAL, &frames));
    assert!(facts.evicted > 0);
    // It was the idlest: what came late is of one that began before.
    let counts: Vec<u64> = workload.shares.iter().map(|share| share.counts.connections).collect();
    assert_eq!(counts.iter().sum::<u64>(), 1);
    assert_eq!(workload.shares.iter().map(|share| share.counts.out.bytes).sum::<u64>(), 4 * 16_406 + 24);
    sent.clear();
}

#[test]
fn nothing_of_anybody_gets_into_a_workload() {
    let bursts = [tls13("planted-name.example", 1, 100), tls12("planted.test", 1, 100)].concat();
    let sent: Vec<Sent> = [segments(40_001, AT, &bursts, 1_400), segments(40_002, AT, &plain(), 9)].concat();
    let (workload, facts) = all(&[usual(&sent), usual(&sent[..5])]);
    let text = format!("{} {facts:?}", serde_json::to_string(&workload).unwrap());
    for planted in ["planted", "203.0.113", "203, 0, 113", "40001", "198.51", "GET"] {
        assert!(!text.contains(planted), "{planted} is in {text}");
    }
}

#[test]
fn a_segment_without_acknowledgement_is_one_as_well() {
    let mut sent = sent();
    sent.iter_mut().skip(3).for_each(|sent| sent.flags &= !ACK);
    assert_eq!(shares(&one(&usual(&sent)).0), whole());
}
