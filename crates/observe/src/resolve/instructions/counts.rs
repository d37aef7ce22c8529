//! [`Counts`]: what was seen in a function, and what that makes of it.

use crate::frame::Instructions;

/// The modulus of ML-KEM (FIPS 203, 2.4).
const ML_KEM_Q: u64 = 3329;

/// Multipliers for reducing modulo 3329: q^-1 modulo 2^16, and those of Barrett's method for shifts of 24, 26 and 28 bits.
const ML_KEM_REDUCERS: [u64; 6] = [62209, 3327, 5039, 20159, 10079, 80635];

/// The modulus of ML-DSA (FIPS 204, 4), and q^-1 and -q^-1 modulo 2^32.
const ML_DSA: [u64; 3] = [8_380_417, 58_728_449, 4_236_238_847];

/// The offsets of rho (FIPS 202, 3.2.2).
const RHO: [usize; 24] =
    [1, 3, 6, 10, 15, 21, 28, 36, 45, 55, 2, 14, 27, 41, 56, 8, 25, 43, 62, 18, 39, 61, 20, 44];

/// So many of them no other algorithm has.
const MANY: usize = 12;

/// The rotations of SHA-256's and SHA-512's large sigmas to the right (FIPS 180-4, 4.1.2 and 4.1.3), and the same as one rotation after
/// another, as OpenSSL's assembly has them.
const SHA256: [[usize; 6]; 2] = [[2, 6, 11, 13, 22, 25], [2, 5, 6, 9, 11, 14]];
const SHA512: [[usize; 6]; 2] = [[14, 18, 28, 34, 39, 41], [4, 5, 6, 14, 23, 28]];

/// A chain of so many products and carries is arithmetic of large numbers.
const CHAIN: u32 = 4;

/// So many products of which the lower half is enough are arithmetic of large numbers in limbs of fewer bits.
const SHORT_CHAIN: u32 = 16;

/// SHA-1 rotates by 5 and 30 in each of 80 rounds; so many of them are there even where rounds are in a loop of twenty.
const SHA1_ROUNDS: u32 = 10;

/// What was seen in a function.
#[derive(Debug)]
pub struct Counts {
    pub found: Instructions,
    /// Products of 64 by 64 bits with both halves of the result.
    pub products: u32,
    /// Those of which only the lower half is wanted.
    pub short_products: u32,
    /// Additions with carry.
    pub carries: u32,
    /// Rotations of 32 bits to the right, by their amounts.
    pub rotations_of_32: [u32; 32],
    pub rotations_of_64: [u32; 64],
    ml_kem_moduli: u32,
    ml_kem_reducers: u32,
}

impl Default for Counts {
    fn default() -> Self {
        Self {
            found: Instructions::default(),
            products: 0,
            short_products: 0,
            carries: 0,
            rotations_of_32: [0; 32],
            rotations_of_64: [0; 64],
            ml_kem_moduli: 0,
            ml_kem_reducers: 0,
        }
    }
}

impl Counts {
    pub fn see(&mut self, group: Instructions) {
        self.found = self.found.and(group);
    }

    /// A rotation to the right of 32 or 64 bits.
    pub fn rotate(&mut self, bits: u32, right: u32) {
        let right = right as usize;
        let count = match bits {
            32 => self.rotations_of_32.get_mut(right % 32),
            _ => self.rotations_of_64.get_mut(right % 64),
        };
        if let Some(count) = count {
            *count += 1;
        }
    }

    /// A constant within an instruction; also the negative of one that is subtracted.
    pub fn constant(&mut self, value: u64) {
        let low = value & 0xffff_ffff;
        let negative = value.wrapping_neg() & 0xffff_ffff;
        if ML_DSA.contains(&low) || negative == ML_DSA[0] {
            self.see(Instructions::ML_DSA);
        }
        let is_modulus = |one: u64| one == ML_KEM_Q || one == ML_KEM_Q << 16 | ML_KEM_Q;
        self.ml_kem_moduli +=
            u32::from(is_modulus(low) || is_modulus(negative) || low == 0xffff - ML_KEM_Q + 1);
        self.ml_kem_reducers += u32::from(ML_KEM_REDUCERS.contains(&low));
    }

    pub fn groups(mut self) -> Instructions {
        if (self.products >= CHAIN && self.carries >= CHAIN) || self.short_products >= SHORT_CHAIN {
            self.see(Instructions::BIGNUM);
        }
        if self.ml_kem_moduli > 1 || (self.ml_kem_moduli > 0 && self.ml_kem_reducers > 0) {
            self.see(Instructions::ML_KEM);
        }
        for (group, is_there) in [
            (Instructions::KECCAK, self.is_keccak()),
            (Instructions::CHACHA, self.is_chacha()),
            (Instructions::SHA512, has_one_of(&self.rotations_of_64, &SHA512) && !self.is_keccak()),
            (Instructions::SHA256, has_one_of(&self.rotations_of_32, &SHA256)),
            (Instructions::SHA1, self.is_sha1()),
        ] {
            if is_there {
                self.see(group);
            }
        }
        self.found
    }

    fn is_keccak(&self) -> bool {
        RHO.iter().filter(|left| self.rotations_of_64[64 - **left] > 0).count() >= MANY
    }

    /// To the left by 12 and 7, which every ChaCha20 has; MD5 has them, too, and many more.
    fn is_chacha(&self) -> bool {
        let left = |amount: usize| self.rotations_of_32[32 - amount];
        left(12) > 0 && left(7) > 0 && left(17) == 0 && left(22) == 0 && left(10) == 0
    }

    fn is_sha1(&self) -> bool {
        let left = |amount: usize| self.rotations_of_32[32 - amount];
        let has_sha256 = has_one_of(&self.rotations_of_32, &SHA256);
        left(5) >= SHA1_ROUNDS && left(30) >= SHA1_ROUNDS && !has_sha256
    }
}

fn has_one_of(rotations: &[u32], sets: &[[usize; 6]]) -> bool {
    sets.iter().any(|set| set.iter().all(|right| rotations[*right] > 0))
}
