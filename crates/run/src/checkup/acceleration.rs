//! Whether a library really uses what the CPU has: its own capability words, and a quick look at its speed.

use tlstax_doc::Library;
use tlstax_spec::{Algorithm, Case, Nanos, Op, Pattern, Primitive, Workload};

use crate::pool::{Amount, Pool};

/// What a library makes of the CPU.
#[derive(Debug, Clone, PartialEq)]
pub struct Acceleration {
    /// The library.
    pub library: String,
    /// The extensions that its own capability words name; none where it does not tell them.
    pub features: Option<Vec<&'static str>>,
    /// AES-128-GCM on 16 KiB in MB/s: a quick look, the best of a few batches, no figure to quote.
    pub aes_gcm: Option<f64>,
    /// ChaCha20-Poly1305 likewise.
    pub chacha20: Option<f64>,
}

/// Bits of the first two words of OPENSSL_ia32cap (OpenSSL's man page OPENSSL_ia32cap(3)), which BoringSSL and AWS-LC
/// share: CPUID leaf 1 EDX and ECX, then leaf 7 EBX and ECX.
const IA32CAP: [(usize, u32, &str); 13] = [
    (0, 33, "pclmulqdq"),
    (0, 57, "aes"),
    (0, 60, "avx"),
    (1, 5, "avx2"),
    (1, 8, "bmi2"),
    (1, 16, "avx512f"),
    (1, 19, "adx"),
    (1, 21, "avx512ifma"),
    (1, 29, "sha_ni"),
    (1, 30, "avx512bw"),
    (1, 31, "avx512vl"),
    (1, 41, "vaes"),
    (1, 42, "vpclmulqdq"),
];

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

/// Reads `OPENSSL_ia32cap=0x7ffaf3ffffebffff:0x18c05fdef3bfa7eb`; none if the text has no such words.
fn ia32cap(text: &str) -> Option<Vec<&'static str>> {
    let (_, words) = text.split_once("OPENSSL_ia32cap=")?;
    let words: Vec<u64> = words
        .split_ascii_whitespace()
        .next()?
        .split(':')
        .map_while(|word| u64::from_str_radix(word.trim_start_matches("0x"), 16).ok())
        .collect();
    let is_set =
        |(word, bit, _): &&(usize, u32, &str)| words.get(*word).is_some_and(|word| word >> bit & 1 == 1);
    (!words.is_empty()).then(|| IA32CAP.iter().filter(is_set).map(|(_, _, name)| *name).collect())
}

fn rate(library: &str, algorithm: Algorithm, pool: &mut Pool<'_>) -> Option<f64> {
    const SIZE: u32 = 16384;
    const BATCHES: u32 = 5;
    let primitive = Primitive { op: Op::Encrypt, algorithm, size: SIZE, pattern: Pattern::Tls };
    let case = Case { library: library.to_owned(), threads: 1, workload: Workload::Primitive(primitive) };
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
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn capability_words_are_read_back() {
        let features = ia32cap("OPENSSL_ia32cap=0x7ffaf3bfffebffff:0x18c05fdef3bfa7eb env:~0x0").unwrap();
        assert!(features.contains(&"aes") && features.contains(&"avx2") && features.contains(&"sha_ni"));
        assert_eq!(ia32cap("OPENSSL_ia32cap=0x0:0x0").unwrap(), [""; 0]);
        assert_eq!(ia32cap("OPENSSL_armcap=0x7d"), None);
    }

    #[test]
    fn a_slow_aes_is_a_finding_only_where_the_cpu_could_do_better() {
        let slow = Acceleration {
            library: "a".into(),
            features: None,
            aes_gcm: Some(250.0),
            chacha20: Some(1500.0),
        };
        assert!(slow.lacks_aes(true));
        assert!(!slow.lacks_aes(false));
        assert!(!Acceleration { aes_gcm: Some(4000.0), ..slow }.lacks_aes(true));
    }
}
