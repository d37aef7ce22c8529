//! Whether a library really uses what the CPU has: its own capability words, and a quick look at its speed.

use tlstax_doc::Library;
use tlstax_spec::{Algorithm, Case, Id, Nanos, Op, Pattern, Primitive, Workload};

use super::capability_words::ia32cap;
use crate::pool::{Amount, Pool};

/// What a library makes of the CPU.
#[derive(Debug, Clone, PartialEq)]
pub struct Acceleration {
    /// The library.
    pub library: Id,
    /// The extensions that its own capability words name; none where it does not tell them.
    pub features: Option<Vec<&'static str>>,
    /// AES-128-GCM on 16 KiB in MB/s: a quick look, the best of a few batches, no figure to quote.
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
    const BATCHES: u32 = 5;
    let primitive = Primitive { op: Op::Encrypt, algorithm, size: SIZE, pattern: Pattern::Tls };
    let case = Case { library: library.clone(), threads: 1, workload: Workload::Primitive(primitive) };
    pool.prepare(0, &case).ok()?;
    let amount = Amount { iterations: 50, warmup: 5, least: 1, expected: Nanos::from_millis(5) };
    let rates: Vec<f64> = (0..BATCHES)
        .filter_map(|_| pool.run(0, &case, amount).ok())
        .map(|measured| measured.sample.bytes.as_megabytes() / measured.sample.cpu.total.as_secs())
        .collect();
    pool.release(0, &case);
    rates.into_iter().filter(|rate| rate.is_finite()).reduce(f64::max)
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
}
