//! The capability words of a library, read back to the names of the CPU's extensions.

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

/// Reads `OPENSSL_ia32cap=0x7ffaf3ffffebffff:0x18c05fdef3bfa7eb`; none if the text has no such words.
pub(super) fn ia32cap(text: &str) -> Option<Vec<&'static str>> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn capability_words_are_read_back() {
        let features = ia32cap("OPENSSL_ia32cap=0x7ffaf3bfffebffff:0x18c05fdef3bfa7eb env:~0x0").unwrap();
        assert!(features.contains(&"aes") && features.contains(&"avx2") && features.contains(&"sha_ni"));
        assert_eq!(ia32cap("OPENSSL_ia32cap=0x0:0x0").unwrap(), [""; 0]);
        assert_eq!(ia32cap("OPENSSL_armcap=0x7d"), None);
        for rubbish in ["OPENSSL_ia32cap=", "OPENSSL_ia32cap=0x10000000000000000", "0x1:0x2"] {
            assert_eq!(ia32cap(rubbish), None, "{rubbish}");
        }
    }
}
