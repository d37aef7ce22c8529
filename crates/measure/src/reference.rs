//! The two reference kernels: fixed work without crypto whose time tells the state of the core, see docs/method.md.
//!
//! One kernel waits for the latency of its own results and leaves most of the core idle; the other keeps the vector
//! units busy. A lower frequency or a hypervisor that takes time slows both alike; a neighbour on the sibling hardware
//! thread slows the second most.

use std::hint::black_box;

use tlstax_spec::Nanos;

use crate::clock::thread_cpu;

/// The version of the kernels. Readings of different versions cannot be compared; change a kernel, change this.
pub const VERSION: u32 = 1;

/// How often each kernel runs in one reading, of which the fastest counts: an interrupt hits one of them.
const SLICES: usize = 3;

/// Steps of the latency kernel in one slice: about 50 us at 2.5 GHz.
const LATENCY_STEPS: u32 = 25_000;

/// Passes of the throughput kernel over its table in one slice: about 50 us at 2.5 GHz.
const THROUGHPUT_PASSES: u32 = 190;

/// Independent 64-bit accumulators: eight vectors of 128 bits, enough to cover the latency of one step with others.
const LANES: usize = 16;

/// Rows of the table: it stays in the first-level cache.
const ROWS: usize = 64;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reading {
    /// The CPU time of one slice of the kernel bound by latency.
    pub latency: Nanos,
    /// The CPU time of one slice of the kernel bound by throughput.
    pub throughput: Nanos,
}

/// Runs both kernels on the calling thread's core.
pub fn read() -> Reading {
    Reading { latency: latency(), throughput: throughput() }
}

/// The time of the latency kernel: a chain of integer operations, each of which needs the one before.
pub fn latency() -> Nanos {
    fastest(|| black_box(chain(black_box(0x9e37_79b9_7f4a_7c15))))
}

/// The time of the throughput kernel: independent chains of multiply, add and xor that together fill the ports.
pub fn throughput() -> Nanos {
    let table = Table::new();
    fastest(|| {
        let lanes = lanes(black_box(&table));
        lanes.iter().fold(0, |all, lane| all ^ lane)
    })
}

fn fastest(kernel: impl Fn() -> u64) -> Nanos {
    let mut best = Nanos(u64::MAX);
    for _ in 0..SLICES {
        let start = thread_cpu();
        black_box(kernel());
        best = best.min(thread_cpu().since(start));
    }
    best
}

// Not inlined, so that the code and its alignment are the same wherever a reading is taken.
#[inline(never)]
fn chain(seed: u64) -> u64 {
    let mut x = seed;
    for _ in 0..LATENCY_STEPS {
        // Constants of the splitmix64 generator: odd, and without a pattern that a multiplier could shorten.
        x = (x.wrapping_mul(0xbf58_476d_1ce4_e5b9) ^ 0x94d0_49bb_1331_11eb).rotate_left(29);
    }
    x
}

// 32 by 32 bits to 64: the widest multiplication that the baseline vector instructions of x86-64 and arm64 both have.
#[inline(never)]
fn lanes(table: &Table) -> [u64; LANES] {
    let mut lanes = table.0[0];
    for _ in 0..THROUGHPUT_PASSES {
        for row in &table.0 {
            for (lane, entry) in lanes.iter_mut().zip(row) {
                let product = (*lane & 0xffff_ffff).wrapping_mul(*entry & 0xffff_ffff);
                *lane = (product ^ *lane).wrapping_add(*entry);
            }
        }
    }
    lanes
}

/// Aligned to cache lines, so that no load crosses two of them whatever the stack looks like.
#[repr(align(64))]
struct Table([[u64; LANES]; ROWS]);

impl Table {
    fn new() -> Self {
        let mut state: u64 = 0;
        let mut next = || {
            state =
                state.wrapping_add(0x9e37_79b9_7f4a_7c15).wrapping_mul(0xbf58_476d_1ce4_e5b9).rotate_left(31);
            state
        };
        Self(std::array::from_fn(|_| std::array::from_fn(|_| next())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The work must not change without a new version, or readings would no longer be comparable.
    #[test]
    fn the_work_of_this_version_is_fixed() {
        let digest = lanes(&Table::new()).iter().fold(0, |all: u64, lane| all.rotate_left(7) ^ lane);
        assert_eq!((VERSION, chain(1), digest), (1, 10_456_483_121_389_310_772, 227_753_033_071_138_396));
    }

    #[test]
    fn a_reading_has_both_kernels() {
        let reading = read();
        assert!(reading.latency > Nanos(0) && reading.throughput > Nanos(0));
    }
}
