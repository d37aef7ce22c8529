//! What taking a sample costs whoever is observed: measured on ourselves.

use std::hint::black_box;

use tlstax_measure::clock;
use tlstax_measure::perf_event::{Ring, Sampling, Scope};

/// Samples per second of CPU time while the price is measured: so many that they stand out of the noise, and few enough for the
/// ring.
const HERTZ: u32 = 20_000;

/// How often the work is done with samples and without, in turns; the quickest of each counts.
const TURNS: usize = 5;

/// What the work is made of: a few milliseconds.
const ROUNDS: u64 = 3_000_000;

/// The memory that the work goes through: what fits into the fastest cache, as tables of a big-number library do. A sample pushes it
/// out, and fetching it again is a part of the price.
const MEMORY: usize = 24 * 1024 / 8;

/// For the samples of one turn.
const RING: usize = 2 << 20;

/// CPU time that a sample takes of the thread that is observed, nanoseconds: the interrupt, the copies of registers and stack, the
/// calls of the kernel, and what they push out of the cache. What each change between threads takes besides is not in it. None where it cannot be measured.
pub fn of_sample(sampling: &Sampling) -> Option<f64> {
    let sampling = Sampling { hertz: HERTZ, with_descendants: false, ..*sampling };
    let mut without = u64::MAX;
    let mut with: Option<(u64, u64)> = None;
    for _ in 0..TURNS {
        without = without.min(work());
        let event = sampling.open(Scope::Ourselves, None).ok()?;
        let mut ring = Ring::map(&event, RING).ok()?;
        let took = deep(&[0; DEPTH]);
        drop(event);
        let turn = (took, count(&mut ring));
        with = Some(with.map_or(turn, |best| best.min(turn)));
    }
    let (took, samples) = with?;
    (samples > 0).then(|| took.saturating_sub(without) as f64 / samples as f64)
}

/// So much of the stack lies above the work that the kernel has as much to copy as in a server.
const DEPTH: usize = 32 * 1024;

#[inline(never)]
fn deep(above: &[u8; DEPTH]) -> u64 {
    black_box(above);
    work()
}

/// CPU time of the same work, nanoseconds.
#[inline(never)]
fn work() -> u64 {
    let memory = black_box([3_u64; MEMORY]);
    let begun = clock::thread_cpu();
    let mut number = black_box(1_u64);
    for (round, word) in (0..ROUNDS).zip(memory.iter().cycle()) {
        // A generator of Lehmer's: each step waits for the last.
        number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(round ^ word);
    }
    black_box(number);
    clock::thread_cpu().since(begun).0
}

/// PERF_RECORD_SAMPLE.
const SAMPLE: u32 = 9;

fn count(ring: &mut Ring) -> u64 {
    ring.look();
    let mut samples = 0;
    while let Some(record) = ring.peek() {
        samples += u64::from(record.kind == SAMPLE);
        ring.advance();
    }
    samples
}
