//! Which features of the CPU the provider uses, and how it is told to do without some of them.
//!
//! AWS-LC reads the variable OPENSSL_ia32cap before `main`: two words of 64 bits, separated by a colon, in which a
//! leading `~` takes features away. Both words are always written, since other libraries with this variable read a
//! missing word as nothing at all. ring and graviola have no such switch, and do not say what they found.

use tlstax_spec::Switch;
use tlstax_worker::Refusal;

use crate::provider::NAME;

/// The environment in which the provider does without these features.
pub(crate) fn settings(switches: &[Switch]) -> Result<Vec<(String, String)>, Refusal> {
    let unsupported =
        |switch| Refusal::Unsupported(format!("{NAME} has no switch for '{switch}' at run time"));
    let mut cleared = [0; 2];
    for &switch in switches {
        let bits = bits(switch).filter(|_| words().is_some()).ok_or_else(|| unsupported(switch))?;
        cleared = [cleared[0] | bits[0], cleared[1] | bits[1]];
    }
    let value = format!("~{:#x}:~{:#x}", cleared[0], cleared[1]);
    Ok(vec![("OPENSSL_ia32cap".to_owned(), value)])
}

/// The features that the provider does without, read back from it.
pub(crate) fn without() -> Vec<Switch> {
    let Some(words) = words() else { return Vec::new() };
    let lacks = |bits: [u64; 2]| words[0] & bits[0] == 0 && words[1] & bits[1] == 0;
    Switch::ALL.iter().copied().filter(|switch| bits(*switch).is_some_and(lacks)).collect()
}

/// The words that the provider goes by, as OpenSSL prints them; empty if it does not tell.
pub(crate) fn description() -> String {
    words().map(|[first, second]| format!("OPENSSL_ia32cap={first:#x}:{second:#x}")).unwrap_or_default()
}

/// The bits of a feature in the two words, which are those of CPUID: leaf 1, EDX and ECX, and leaf 7, EBX and ECX.
/// What cannot exist without the feature goes with it.
const fn bits(switch: Switch) -> Option<[u64; 2]> {
    const PCLMULQDQ: u64 = 1 << 33;
    const AESNI: u64 = 1 << 57;
    const AVX2: u64 = 1 << 5;
    const VAES: u64 = 1 << 41;
    const VPCLMULQDQ: u64 = 1 << 42;
    Some(match switch {
        Switch::Aes => [AESNI, VAES],
        Switch::Clmul => [PCLMULQDQ, VPCLMULQDQ],
        Switch::Vaes => [0, VAES | VPCLMULQDQ],
        Switch::Avx2 => [0, AVX2 | AVX512],
        Switch::Avx512 => [0, AVX512],
        Switch::Sha => [0, 1 << 29],
        Switch::Asm => return None,
    })
}

/// F, DQ, IFMA, PF, ER, CD, BW and VL, and of the second half VBMI, VBMI2, VNNI, BITALG and VPOPCNTDQ.
const AVX512: u64 =
    1 << 16 | 1 << 17 | 1 << 21 | 1 << 26 | 1 << 27 | 1 << 28 | 1 << 30 | 1 << 31 | AVX512_LEAF_7_ECX;
const AVX512_LEAF_7_ECX: u64 = 1 << 33 | 1 << 38 | 1 << 43 | 1 << 44 | 1 << 46;

#[cfg(all(feature = "aws-lc", target_arch = "x86_64"))]
fn words() -> Option<[u64; 2]> {
    use std::ptr;

    #[expect(
        unsafe_code,
        reason = "AWS-LC exports no function that tells, and the words are linked in with it"
    )]
    unsafe extern "C" {
        #[link_name = env!("TLSTAX_AWS_LC_CPU_WORDS")]
        static CPU_WORDS: [u32; 4];
    }
    aws_lc_rs::init();
    // SAFETY: four words of 32 bits, which nobody writes after the library's start.
    #[expect(unsafe_code, reason = "as above")]
    let words = unsafe { ptr::read_volatile(ptr::addr_of!(CPU_WORDS)) }.map(u64::from);
    Some([words[0] | words[1] << 32, words[2] | words[3] << 32])
}

#[cfg(not(all(feature = "aws-lc", target_arch = "x86_64")))]
const fn words() -> Option<[u64; 2]> {
    None
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_feature_takes_away_what_cannot_be_without_it_and_nothing_else() {
        if words().is_none() {
            assert!(matches!(settings(&[Switch::Aes]), Err(Refusal::Unsupported(_))));
            return;
        }
        let value = |switches: &[Switch]| settings(switches).unwrap()[0].1.clone();
        assert_eq!(value(&[Switch::Aes]), "~0x200000000000000:~0x20000000000");
        assert_eq!(value(&[Switch::Aes, Switch::Clmul]), "~0x200000200000000:~0x60000000000");
        assert_eq!(value(&[Switch::Sha]), "~0x0:~0x20000000");
    }

    #[test]
    fn assembly_is_no_matter_of_run_time() {
        assert!(matches!(settings(&[Switch::Asm]), Err(Refusal::Unsupported(_))));
        assert!(!without().contains(&Switch::Asm));
    }
}
