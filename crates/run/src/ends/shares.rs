//! The parts of a window of load that was read from outside: equal shares of what passed between the ends.

use tlstax_spec::{Cpu, Load, Nanos, Sample};

/// The work of the busier end in a part: there are several readings in each.
const PART: Nanos = Nanos::from_millis(16);

/// What a request takes on the wire beside its body at most, with a handshake and a head; more was somebody else's.
const BESIDE_BODY: u64 = 16 * 1024;

/// Of a body, so much more may be headers of records and packets.
const HEADERS: f64 = 0.25;

/// How far a window had come at a moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Point {
    /// Bytes that the loopback interface has carried.
    pub carried: u64,
    /// CPU time that an end has used.
    pub used: Nanos,
}

/// What an end took for each of so many parts of a window, all of which took `total`, by readings from its begin to its end. None where
/// something else was on the loopback interface as well, or nothing of the window was, as with a server on another machine.
pub fn of_window(read: &[Point], load: &Load, sample: &Sample, total: Nanos, number: u64) -> Vec<Nanos> {
    let (Some(first), Some(last)) = (read.first(), read.last()) else { return Vec::new() };
    let carried = last.carried.saturating_sub(first.carried);
    let bodies = sample.iterations.saturating_mul(load.body.into());
    let most = (bodies as f64 * (1.0 + HEADERS)) as u64 + sample.iterations.saturating_mul(BESIDE_BODY);
    if number < 2 || !(bodies.max(1)..=most).contains(&carried) {
        return Vec::new();
    }
    let since = |point: &Point| {
        (point.carried.saturating_sub(first.carried), point.used.since(first.used).min(total))
    };
    let known: Vec<(u64, Nanos)> = read.iter().map(since).chain([(carried, total)]).collect();
    cut(&known, number as usize)
}

/// How many parts of a transfer can be told apart, by what it cost the end that had more to do.
pub fn in_transfer(sample: &Sample) -> u64 {
    let used = |side: Option<Cpu>| side.map_or(0, |side| side.total.0);
    used(sample.client).max(used(sample.server)) / PART.0
}

/// What was used for each of so many equal shares of the progress, by readings of both in order: between two of them one grows with
/// the other. The last reading has all of both.
fn cut(known: &[(u64, Nanos)], shares: usize) -> Vec<Nanos> {
    let Some(&(whole, total)) = known.last() else { return Vec::new() };
    let used_at = |share: usize| {
        if share == shares {
            return total.0;
        }
        let wanted = (u128::from(whole) * share as u128 / shares as u128) as u64;
        let after = known.partition_point(|(progress, _)| *progress < wanted);
        let (end, used) = known[after.min(known.len() - 1)];
        let (begin, before) = known[after.saturating_sub(1)];
        let grown = u128::from(used.since(before).0) * u128::from(wanted.saturating_sub(begin));
        before.0 + grown.checked_div(u128::from(end - begin)).unwrap_or_default() as u64
    };
    let ends: Vec<u64> = (0..=shares).map(used_at).collect();
    // What was used before anything had passed belongs to the first.
    (1..=shares).map(|share| Nanos(ends[share] - if share == 1 { 0 } else { ends[share - 1] })).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use tlstax_spec::Id;

    use super::*;

    fn points(read: &[(u64, u64)]) -> Vec<Point> {
        read.iter().map(|&(carried, used)| Point { carried, used: Nanos(used) }).collect()
    }

    /// A transfer of so many bytes that has taken so many parts' time, as these readings show it.
    fn window(read: &[(u64, u64)], body: u32, parts: u64, total: u64) -> Vec<u64> {
        let load = Load { body, ..Load::new(Id::literal("a"), None) };
        let sample = Sample { iterations: 1, ..Sample::default() };
        of_window(&points(read), &load, &sample, Nanos(total), parts).into_iter().map(|part| part.0).collect()
    }

    #[test]
    fn a_steady_transfer_has_equal_parts_whenever_it_was_read() {
        let read =
            |at: &[u64]| at.iter().map(|&at| (7_000_000 + at * 1000, 500 + at * 3)).collect::<Vec<_>>();
        for at in [&[0, 1000][..], &[0, 1, 2, 997, 1000], &[0, 300, 301, 600, 1000]] {
            assert_eq!(window(&read(at), 1_000_000, 4, 3000), [750; 4], "{at:?}");
        }
    }

    #[test]
    fn a_disturbed_stretch_shows_in_its_parts_and_in_no_other() {
        // From 400,000 to 500,000 bytes each takes twice as much.
        let used = |at: u64| at + at.clamp(400_000, 500_000) - 400_000;
        let read: Vec<_> = (0..=40).map(|step| (step * 25_000, used(step * 25_000))).collect();
        let parts = window(&read, 1_000_000, 10, used(1_000_000));
        let mut expected = [100_000; 10];
        expected[4] = 200_000;
        assert_eq!(parts, expected);
    }

    #[test]
    fn what_is_used_before_the_first_byte_and_after_the_last_is_in_the_ends() {
        let read = [(0, 0), (0, 40), (500_000, 140), (1_000_000, 240), (1_000_000, 260)];
        assert_eq!(window(&read, 1_000_000, 2, 300), [140, 160]);
    }

    #[test]
    fn what_the_interface_cannot_have_carried_for_the_load_alone_tells_no_parts() {
        let of = |carried| window(&[(0, 0), (carried, 100)], 1_000_000, 4, 100).len();
        assert_eq!([of(999_999), of(1_000_000), of(1_260_000), of(1_300_000)], [0, 4, 4, 0]);
        assert_eq!(window(&[], 1_000_000, 4, 100), [0; 0]);
        assert_eq!(
            window(&[(0, 0), (1_000_000, 100)], 1_000_000, 1, 100),
            [0; 0],
            "a part alone is the whole"
        );
    }

    #[test]
    fn the_busier_end_decides_how_many_parts_a_transfer_has() {
        let side = |parts| Some(Cpu { total: Nanos(PART.0 * parts), ..Cpu::default() });
        let of = |client, server| in_transfer(&Sample { client, server, ..Sample::default() });
        assert_eq!([of(side(2), side(9)), of(side(7), None), of(None, None)], [9, 7, 0]);
    }

    proptest! {
        #[test]
        fn parts_add_up_to_the_whole_and_each_lies_within_it(
            steps in prop::collection::vec((0..1_000_000_u64, 0..1_000_000_000_u64), 1..60),
            parts in 2..100_u64,
            rest in 0..1_000_000_000_u64,
        ) {
            let mut at = (u64::from(u32::MAX), 12_345);
            let read: Vec<_> = std::iter::once((0, 0)).chain(steps).map(|(carried, used)| {
                at = (at.0 + carried, at.1 + used);
                at
            }).collect();
            let (carried, used) = (at.0 - read[0].0, at.1 - read[0].1);
            prop_assume!(carried > 0);
            let found = window(&read, carried as u32, parts, used + rest);
            prop_assert_eq!(found.len() as u64, parts);
            prop_assert_eq!(found.iter().sum::<u64>(), used + rest);
            // At each reading as much was used as the parts before it say, to the part that it lies in.
            for (now, then) in read.iter().map(|one| (one.0 - read[0].0, one.1 - read[0].1)) {
                let share = (u128::from(now) * u128::from(parts) / u128::from(carried)) as usize;
                let before: u64 = found[..share.min(found.len())].iter().sum();
                let until: u64 = found[..found.len().min(share + 1)].iter().sum();
                prop_assert!(now == carried || now == 0 || (before..=until).contains(&then), "{before} {then} {until}");
            }
        }
    }
}
