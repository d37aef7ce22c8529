//! Counts instructions of AArch64, which are fixed words (Arm Architecture Reference Manual, C4.1).

use super::counts::Counts;
use crate::frame::Instructions;

/// A word with some of its bits fixed, and what it says.
type Fixed = (u32, u32, Instructions);

const FIXED: [Fixed; 8] = [
    // AESE, AESD, AESMC, AESIMC
    (0xffff_cc00, 0x4e28_4800, Instructions::AES),
    // PMULL, PMULL2 of 64 bits
    (0xbfe0_fc00, 0x0ee0_e000, Instructions::CLMUL),
    // SHA1C, SHA1P and, one line below, SHA1M
    (0xffe0_ec00, 0x5e00_0000, Instructions::SHA1),
    (0xffe0_fc00, 0x5e00_2000, Instructions::SHA1),
    // SHA256H, SHA256H2
    (0xffe0_ec00, 0x5e00_4000, Instructions::SHA256),
    // SHA512H, SHA512H2
    (0xffe0_f800, 0xce60_8000, Instructions::SHA512),
    // RAX1: only Keccak has it. EOR3 and BCAX, which came with it, are in AES-GCM, too.
    (0xffe0_fc00, 0xce60_8c00, Instructions::KECCAK),
    // XAR
    (0xffe0_0000, 0xce80_0000, Instructions::KECCAK),
];

pub fn count(code: &[u8]) -> Counts {
    let mut counts = Counts::default();
    let mut before = 0;
    for bytes in code.chunks_exact(4) {
        let word = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        take(word, before, &mut counts);
        before = word;
    }
    counts
}

fn take(word: u32, before: u32, counts: &mut Counts) {
    for (mask, bits, group) in FIXED {
        if word & mask == bits {
            counts.see(group);
        }
    }
    // UMULH; ADC, ADCS, SBC, SBCS of 64 bits
    counts.products += u32::from(word & 0xffe0_fc00 == 0x9bc0_7c00);
    counts.carries += u32::from(word & 0x9fe0_fc00 == 0x9a00_0000);
    rotate(word, counts);
    take_constants(word, before, counts);
}

fn rotate(word: u32, counts: &mut Counts) {
    let bits = if word >> 31 == 1 { 64 } else { 32 };
    let (rm, by, rn) = (word >> 16 & 31, word >> 10 & 63, word >> 5 & 31);
    let is_extr = word & 0x7fa0_0000 == 0x1380_0000 && rm == rn;
    // EOR, AND, ORR, BIC with a rotated operand
    let is_rotated = word & 0x1fc0_0000 == 0x0ac0_0000;
    if (is_extr || is_rotated) && (1..bits).contains(&by) {
        counts.rotate(bits, by);
    }
    // SRI of lanes of 32 bits: a rotation, with the SHL before it.
    let lanes = word >> 16 & 0x7f;
    if word & 0xbf80_fc00 == 0x2f00_4400 && (32..64).contains(&lanes) {
        counts.rotate(32, 64 - lanes);
    }
}

fn take_constants(word: u32, before: u32, counts: &mut Counts) {
    let value = word >> 5 & 0xffff;
    let is_movz = |word: u32| word & 0x7fe0_0000 == 0x5280_0000;
    // MOVZ; MOVK into the upper half after it
    if is_movz(word) {
        counts.constant(value.into());
    } else if word & 0x7fe0_0000 == 0x72a0_0000 && is_movz(before) {
        counts.constant((value << 16 | before >> 5 & 0xffff).into());
    }
    // MOVN: the complement.
    if word & 0x7fe0_0000 == 0x1280_0000 {
        counts.constant((!value).into());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn groups(words: &[u32]) -> Instructions {
        let code: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        count(&code).groups()
    }

    #[test]
    fn instructions_that_only_one_algorithm_has() {
        // aese v0.16b, v1.16b; aesmc v0.16b, v0.16b
        assert_eq!(groups(&[0x4e28_4820, 0x4e28_6800]), Instructions::AES);
        // pmull v0.1q, v1.1d, v2.1d; pmull2
        assert_eq!(groups(&[0x0ee2_e020]), Instructions::CLMUL);
        assert_eq!(groups(&[0x4ee2_e020]), Instructions::CLMUL);
        // sha1c q0, s1, v2.4s; sha1m
        assert_eq!(groups(&[0x5e02_0020]), Instructions::SHA1);
        assert_eq!(groups(&[0x5e02_2020]), Instructions::SHA1);
        // sha256h q0, q1, v2.4s; sha512h q0, q1, v2.2d
        assert_eq!(groups(&[0x5e02_4020]), Instructions::SHA256);
        assert_eq!(groups(&[0xce62_8020]), Instructions::SHA512);
        // rax1 v0.2d, v1.2d, v2.2d; and eor3, which says nothing
        assert_eq!(groups(&[0xce62_8c20]), Instructions::KECCAK);
        assert!(groups(&[0xce02_0c20]).is_empty());
    }

    #[test]
    fn chains_rotations_and_constants() {
        // umulh x0, x1, x2; adcs x0, x1, x2
        assert_eq!(groups(&[0x9bc2_7c20, 0xba02_0020].repeat(4)), Instructions::BIGNUM);
        // ror w0, w1, #20 and #25: to the left by 12 and 7
        assert_eq!(groups(&[0x1381_5020, 0x1381_6420]), Instructions::CHACHA);
        // eor x0, x1, x2, ror #N
        let eor = |by: u32| 0xcac2_0020 | by << 10;
        assert_eq!(groups(&[14, 18, 41, 28, 34, 39].map(eor)), Instructions::SHA512);
        // movz w0, #3329; movz w1, #5039
        assert_eq!(groups(&[0x5281_a020, 0x5282_75e1]), Instructions::ML_KEM);
        // movz w0, #0xe001; movk w0, #0x7f, lsl #16
        assert_eq!(groups(&[0x529c_0020, 0x72a0_0fe0]), Instructions::ML_DSA);
        // nop; ret
        assert!(groups(&[0xd503_201f, 0xd65f_03c0]).is_empty());
    }
}
