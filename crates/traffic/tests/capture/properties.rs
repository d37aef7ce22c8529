//! What holds of all captures.

use proptest::collection::vec;
use proptest::prelude::*;
use tlstax_doc::merge_workloads;

use crate::made::{Burst, refused, tls12, tls13};
use crate::packets::{Sent, segments, usual};
use crate::read::{one, tool};

const AT: u32 = 1_700_000_000;

fn bursts(which: u8, records: usize, size: usize) -> Vec<Burst> {
    match which % 3 {
        0 => tls13("a.test", records, size),
        1 => tls12("b.test", records, size),
        _ => refused("c.test"),
    }
}

/// Connections one after the other.
fn connections(all: &[(u8, usize, usize)]) -> Vec<Vec<Sent>> {
    let of = |(number, (which, records, size)): (usize, &(u8, usize, usize))| {
        let number = u16::try_from(number).unwrap();
        segments(40_000 + number, AT + u32::from(number / 2), &bursts(*which, *records, *size), 700)
    };
    all.iter().enumerate().map(of).collect()
}

/// Segments of one end that follow each other, in another order: each burst is shuffled in groups.
fn reordered(sent: &[Sent], seed: u64) -> Vec<Sent> {
    let mut order = sent.to_vec();
    let mut state = seed | 1;
    let mut from = 0;
    while from < order.len() {
        let is_same =
            |other: &Sent| other.is_client == order[from].is_client && other.port == order[from].port;
        let to = from + order[from..].iter().take(20).take_while(|other| is_same(other)).count();
        // What begins a connection stays where it is.
        if order[from].flags & 2 == 0 {
            for place in (from + 1..to).rev() {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let other = from + usize::try_from(state >> 33).unwrap() % (place - from + 1);
                order.swap(place, other);
            }
        }
        from = to;
    }
    order
}

fn some_connections() -> impl Strategy<Value = Vec<(u8, usize, usize)>> {
    vec((any::<u8>(), 0..4_usize, 1..6_000_usize), 1..6)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn no_bytes_are_a_panic(bytes in vec(any::<u8>(), 0..2_000), beginning in 0..3_usize) {
        let header = usual(&[]);
        let section = [&[0x0a, 0x0d, 0x0d, 0x0a, 28, 0, 0, 0, 0x4d, 0x3c, 0x2b, 0x1a, 1, 0, 0, 0][..], &[0xff; 8], &[28, 0, 0, 0]].concat();
        let beginning = [&[][..], &header, &section][beginning];
        let _ = crate::read::any(&[beginning, &bytes].concat());
    }

    #[test]
    fn packets_that_are_damaged_are_no_panic(
        all in some_connections(), damages in vec((any::<prop::sample::Index>(), any::<u8>()), 0..40), cut in any::<prop::sample::Index>(),
    ) {
        let mut file = usual(&connections(&all).concat());
        for (place, byte) in damages {
            let place = 24 + place.index(file.len() - 24);
            file[place] = byte;
        }
        prop_assert!(crate::read::any(&file).is_some());
        file.truncate(24 + cut.index(file.len() - 24));
        prop_assert!(crate::read::any(&file).is_some());
    }

    #[test]
    fn another_order_within_the_buffer_changes_nothing(all in some_connections(), seed in any::<u64>()) {
        let sent = connections(&all).concat();
        let (expected, facts) = one(&usual(&sent));
        prop_assert_eq!(facts.gaps, 0);
        let (found, facts) = one(&usual(&reordered(&sent, seed)));
        prop_assert_eq!(facts.gaps, 0);
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn captures_of_connections_are_merged_to_that_of_all(all in some_connections(), seed in any::<u64>()) {
        let connections = connections(&all);
        let parts: Vec<_> = connections.iter().map(|sent| one(&usual(sent)).0).collect();
        // The packets of all are mixed.
        let mut left: Vec<_> = connections.iter().map(|sent| sent.iter()).collect();
        let (mut mixed, mut state) = (Vec::new(), seed | 1);
        while !left.is_empty() {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let place = usize::try_from(state >> 33).unwrap() % left.len();
            match left[place].next() {
                Some(sent) => mixed.push(sent.clone()),
                None => drop(left.remove(place)),
            }
        }
        let mut whole = one(&usual(&mixed)).0;
        // Each file has a header.
        whole.sources[0].bytes += 24 * (parts.len() as u64 - 1);
        prop_assert_eq!(merge_workloads(&tool(), &parts), whole);
    }
}
