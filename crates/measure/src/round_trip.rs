//! How far two cores are apart: what a cache line takes from one to the other and back.
//!
//! Two processes that talk with each other pay for it at every turn. On a virtual machine it changes while nobody sees it: the hypervisor
//! puts two virtual CPUs beside one last-level cache and then beside two.

use std::hint::spin_loop;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread;

use tlstax_spec::Nanos;

use crate::clock::monotonic;
use crate::pin::pin_thread;

/// Round trips in a slice, and slices, of which the fastest counts: an interrupt hits one of them.
const TRIPS: u32 = 100;
const SLICES: u32 = 8;

/// Looks at the line after which a side asks whether the other one is still there.
const LOOKS: u32 = 10_000;

/// All round trips together take some 0.3 ms; a core that somebody else works on answers after his turn.
const PATIENCE: Nanos = Nanos::from_millis(20);

/// The line that goes to and fro, by itself in its line and in that which is fetched with it.
#[repr(align(128))]
struct Line(AtomicU32);

struct Court {
    line: Line,
    is_over: AtomicBool,
}

impl Court {
    /// Whether the line comes to have this number before the patience is at its end.
    fn sees(&self, wanted: u32) -> bool {
        let begun = monotonic();
        let mut looks = 0;
        while self.line.0.load(Ordering::Acquire) != wanted {
            spin_loop();
            looks += 1;
            if looks % LOOKS == 0
                && (self.is_over.load(Ordering::Relaxed) || monotonic().since(begun) > PATIENCE)
            {
                return false;
            }
        }
        true
    }
}

/// The time of a round trip between two cores; none if one of them cannot be had, or does not answer in time.
pub fn between(one: usize, other: usize) -> Option<Nanos> {
    let court = Arc::new(Court { line: Line(AtomicU32::new(0)), is_over: AtomicBool::new(false) });
    let answering = Arc::clone(&court);
    let answerer = thread::spawn(move || pin_thread(other).is_ok() && answer(&answering));
    let asking = Arc::clone(&court);
    let asker = thread::spawn(move || {
        let found = if pin_thread(one).is_ok() { ask(&asking) } else { None };
        asking.is_over.store(true, Ordering::Relaxed);
        found
    });
    // Neither panics; one that did would have measured nothing.
    let found = asker.join().ok().flatten();
    let has_answered = answerer.join().is_ok_and(|answered| answered);
    found.filter(|_| has_answered)
}

/// The fastest slice, for one trip.
fn ask(court: &Court) -> Option<Nanos> {
    let mut best: Option<Nanos> = None;
    for slice in 0..SLICES {
        let begun = monotonic();
        for trip in slice * TRIPS..(slice + 1) * TRIPS {
            court.line.0.store(2 * trip + 1, Ordering::Release);
            if !court.sees(2 * trip + 2) {
                return None;
            }
        }
        let each = Nanos(monotonic().since(begun).0 / u64::from(TRIPS));
        best = Some(best.map_or(each, |best| best.min(each)));
    }
    best
}

fn answer(court: &Court) -> bool {
    (0..SLICES * TRIPS).all(|trip| {
        let is_there = court.sees(2 * trip + 1);
        court.line.0.store(2 * trip + 2, Ordering::Release);
        is_there
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pin::available;

    #[test]
    fn a_line_goes_to_another_core_and_back() {
        let [one, other, ..] = available()[..] else { return };
        // None where the other core is busy with other tests.
        let found = between(one, other);
        assert!(found.is_none_or(|time| time > Nanos(0) && time < PATIENCE), "{found:?}");
    }

    #[test]
    fn a_core_that_is_not_there_has_no_way_to_it() {
        assert_eq!(between(0, 1_000_000), None);
        assert_eq!(between(1_000_000, 0), None);
    }
}
