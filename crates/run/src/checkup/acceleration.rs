//! Whether a library really uses what the CPU has: its own capability words, and a quick look at its speed.

use tlstax_doc::Library;
use tlstax_spec::{Algorithm, Case, Id, Nanos, Op, Pattern, Primitive, Workload};

use super::capability_words::ia32cap;
use crate::batch::Amount;
use crate::pool::Pool;

/// The CPU time of a block of calls: two of them compare.
const BLOCK: Nanos = Nanos::from_millis(10);

/// Speed is believed when it has not risen by more than this over the last blocks, half against half.
const STEADY: f64 = 0.1;
const BLOCKS: usize = 8;

/// No speed is believed before so much work: a virtual machine interprets what it has not run often, at a speed that is as
/// steady as it is wrong.
const LEAST_WORK: Nanos = Nanos::from_millis(400);

/// A library whose speed still rises after so much work is not shown.
const MOST_WORK: Nanos = Nanos::from_millis(4000);

/// What a library makes of the CPU.
#[derive(Debug, Clone, PartialEq)]
pub struct Acceleration {
    pub library: Id,
    /// The extensions that its own capability words name; none where it does not tell them.
    pub features: Option<Vec<&'static str>>,
    /// AES-128-GCM on 16 KiB in MB/s: a quick look at a process that is warm, no figure to quote; none where the library
    /// has no such thing, or its speed did not come to rest.
    pub aes_gcm: Option<f64>,
    /// ChaCha20-Poly1305 likewise.
    pub chacha20: Option<f64>,
}

impl Acceleration {
    /// Looks at a library that is there.
    pub(super) fn of(library: &Library, pool: &mut Pool<'_>) -> Self {
        let words = library.hello.as_ref().map(|hello| hello.cpu.as_str()).unwrap_or_default();
        Self {
            library: library.id.clone(),
            features: ia32cap(words),
            aes_gcm: rate(&library.id, Algorithm::Aes128Gcm, pool),
            chacha20: rate(&library.id, Algorithm::ChaCha20Poly1305, pool),
        }
    }

    /// Whether AES is not accelerated although the CPU could: with AES instructions it is faster than ChaCha20 on
    /// every CPU that has them, without them several times slower.
    pub fn lacks_aes(&self, cpu_has_aes: bool) -> bool {
        cpu_has_aes && self.aes_gcm.zip(self.chacha20).is_some_and(|(aes, chacha20)| aes < chacha20 / 2.0)
    }
}

fn rate(library: &Id, algorithm: Algorithm, pool: &mut Pool<'_>) -> Option<f64> {
    const SIZE: u32 = 16384;
    let primitive = Primitive { op: Op::Encrypt, algorithm, size: SIZE, pattern: Pattern::Tls };
    let case = Case { library: library.clone(), threads: 1, workload: Workload::Primitive(primitive) };
    pool.prepare(0, &case).ok()?;
    let rate = steady_rate(&case, pool);
    pool.release(0, &case);
    rate
}

/// The speed of a case in MB/s when it has come to rest.
fn steady_rate(case: &Case, pool: &mut Pool<'_>) -> Option<f64> {
    let mut amount = Amount { iterations: 50, expected: BLOCK, ..Amount::trial() };
    let mut worked = Nanos(0);
    let mut rates = Vec::new();
    while worked < MOST_WORK {
        let sample = pool.run(0, case, amount).ok()?.sample;
        let cpu = sample.cpu.total.max(Nanos(1));
        worked += cpu;
        if cpu.0 < BLOCK.0 / 2 {
            // Too short a block, as all are when the code has become fast.
            amount.iterations = amount.iterations.saturating_mul((BLOCK.0 / cpu.0).min(8));
            continue;
        }
        rates.push(sample.bytes.as_megabytes() / cpu.as_secs());
        if worked >= LEAST_WORK && is_steady(&rates) {
            return rates.iter().rev().take(BLOCKS / 2).copied().reduce(f64::max);
        }
    }
    None
}

/// Whether the best of the last blocks is hardly faster than the best of those before them: other people's work slows single
/// blocks down, and makes none faster.
fn is_steady(rates: &[f64]) -> bool {
    let Some(last) = rates.len().checked_sub(BLOCKS).map(|start| &rates[start..]) else { return false };
    let best = |rates: &[f64]| rates.iter().copied().fold(0.0, f64::max);
    let (before, after) = last.split_at(BLOCKS / 2);
    best(after) <= best(before) * (1.0 + STEADY)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slow_aes_is_a_finding_only_where_the_cpu_could_do_better() {
        let slow = Acceleration {
            library: Id::literal("a"),
            features: None,
            aes_gcm: Some(250.0),
            chacha20: Some(1500.0),
        };
        assert!(slow.lacks_aes(true));
        assert!(!slow.lacks_aes(false));
        assert!(!Acceleration { aes_gcm: Some(4000.0), ..slow }.lacks_aes(true));
    }

    #[test]
    fn a_speed_that_still_rises_is_not_steady() {
        assert!(!is_steady(&[100.0; 7]), "too few blocks");
        assert!(is_steady(&[100.0; 8]));
        assert!(!is_steady(&[50.0, 50.0, 50.0, 50.0, 50.0, 50.0, 50.0, 4000.0]));
        assert!(is_steady(&[100.0, 40.0, 40.0, 40.0, 105.0, 30.0, 30.0, 30.0]), "single blocks may be slow");
    }
}
