//! What a tally makes of what it is given.

use tlstax_doc::{Kind, Protocol, Resumed, Tell, Tool, merge_workloads};

use super::*;

fn tool() -> Tool {
    Tool { name: "tlstax".to_owned(), version: "0".to_owned(), reference_kernels: 0 }
}

fn request(kind: KindId, ordinal: Option<u64>, at: u64) -> Seen {
    Seen { kind, what: What::Request { ordinal }, times: 1, at: Some(at), out: Some(1_000), into: None }
}

fn resumed(how: Resumed) -> Kind {
    Kind { protocol: Some(Protocol::Tls13), resumed: Some(how), ..Kind::default() }
}

#[test]
fn a_first_request_begins_a_connection_and_an_unplaced_one_may() {
    let mut tally = Tally::default();
    let full = tally.kind(&[b"TLSv1.3", b"."], || resumed(Resumed::Full));
    assert_eq!(tally.kind(&[b"TLSv1.3", b"."], || unreachable!("it is remembered")), full);
    [Some(1), Some(2), None].into_iter().for_each(|ordinal| tally.add(&request(full, ordinal, 50)));
    let workload = tally.into_workload(tool(), "nginx", [Tell::Time]);
    let counts = workload.shares[0].counts;
    assert_eq!((counts.connections, counts.requests, counts.requests_without_connection), (1, 3, 1));
    assert_eq!((counts.out.of, counts.out.bytes), (3, 3_000));
    assert_eq!((workload.series.buckets[0].full, workload.series.buckets[0].requests), (1, 3));
    assert_eq!(workload.request_ordinals.classes, [(1, 1), (2, 1)]);
}

#[test]
fn what_was_at_another_time_is_passed_over() {
    let mut tally = Tally::new(Window { since: Some(100), until: None });
    let kind = tally.known_kind(Kind::default());
    tally.add(&request(kind, Some(1), 99));
    let workload = tally.into_workload(tool(), "nginx", []);
    assert_eq!(workload.shares, []);
    assert_eq!(workload.sources[0].passed_over[&PassedOver::OtherTime], 1);
}

#[test]
fn parts_are_merged_to_what_one_tally_would_have_counted() {
    let of = |times: std::ops::Range<u64>| {
        let mut tally = Tally::default();
        for at in times {
            let how = if at % 3 == 0 { Resumed::Full } else { Resumed::Psk };
            let kind = tally.known_kind(resumed(how));
            tally.add_read(100, 1);
            tally.add(&request(kind, Some(at % 5 + 1), at / 2));
        }
        tally.into_workload(tool(), "nginx", [Tell::Time])
    };
    let whole = of(0..1_000);
    let parts = [of(700..1_000), of(0..1), of(1..700)];
    assert_eq!(merge_workloads(&tool(), &parts), whole);
}
