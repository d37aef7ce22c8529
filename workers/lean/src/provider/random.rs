//! Numbers that look random and are not: a hello needs 70 bytes that differ from connection to connection, and nobody has
//! to be kept from guessing them.

use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};

use rustls::crypto::{GetRandomFailed, SecureRandom};
use tlstax_measure::clock::monotonic;

#[derive(Debug)]
pub(crate) struct NotRandom;

impl SecureRandom for NotRandom {
    fn fill(&self, buffer: &mut [u8]) -> Result<(), GetRandomFailed> {
        STATE.with(|state| {
            for chunk in buffer.chunks_mut(8) {
                let (next, word) = step(state.get());
                state.set(next);
                chunk.copy_from_slice(&word.to_le_bytes()[..chunk.len()]);
            }
        });
        Ok(())
    }
}

thread_local! {
    static STATE: Cell<u64> = Cell::new(seed());
}

/// Differs from thread to thread and from run to run, so that no server sees a session id again.
fn seed() -> u64 {
    static THREADS: AtomicU64 = AtomicU64::new(1);
    let thread = THREADS.fetch_add(1, Ordering::Relaxed);
    monotonic().0 ^ thread.rotate_left(48) ^ u64::from(std::process::id()).rotate_left(32)
}

/// SplitMix64: a counter, and a mixture of its bits.
const fn step(state: u64) -> (u64, u64) {
    let next = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mixed = (next ^ (next >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (next, mixed ^ (mixed >> 31))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn nothing_comes_twice_in_any_thread() {
        let take = || {
            let mut buffer = [0; 33];
            NotRandom.fill(&mut buffer).unwrap();
            buffer
        };
        let many = move || (0..1000).map(|_| take()).collect::<Vec<_>>();
        let other = std::thread::spawn(many).join().unwrap();
        let all: HashSet<_> = many().into_iter().chain(other).collect();
        assert_eq!(all.len(), 2000);
    }
}
