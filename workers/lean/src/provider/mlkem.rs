//! ML-KEM (FIPS 203) with a secret and an error of zero: the public vector t is zero, so the ciphertext's second part is
//! the message and a little noise, and decapsulation is one hash.

use sha3::{Digest, Sha3_256, Sha3_512};

use std::sync::LazyLock;

/// Coefficients of a polynomial.
const N: usize = 256;

/// The seed of the public matrix. The server expands it, whatever it is.
const SEED: [u8; 32] = [0; 32];

/// A parameter set: FIPS 203, table 2.
#[derive(Debug)]
pub(super) struct MlKem {
    /// Polynomials in a vector.
    k: usize,
    /// Bits that a coefficient of the ciphertext's first part is compressed to.
    du: usize,
    /// Of its second part.
    dv: usize,
    /// The hash of our encapsulation key.
    hash: LazyLock<[u8; 32]>,
}

pub(super) static ML_KEM_768: MlKem =
    MlKem { k: 3, du: 10, dv: 4, hash: LazyLock::new(|| Sha3_256::digest(key(3)).into()) };

pub(super) static ML_KEM_1024: MlKem =
    MlKem { k: 4, du: 11, dv: 5, hash: LazyLock::new(|| Sha3_256::digest(key(4)).into()) };

impl MlKem {
    /// Our key, which is always the same.
    pub(super) fn encapsulation_key(&self) -> Vec<u8> {
        key(self.k)
    }

    /// The length of a ciphertext in bytes.
    pub(super) const fn ciphertext(&self) -> usize {
        (self.k * self.du + self.dv) * N / 8
    }

    /// The shared secret in a ciphertext of the right length: K of (K, r) = G(m || H(ek)), algorithm 17.
    pub(super) fn secret(&self, ciphertext: &[u8]) -> [u8; 32] {
        let message = self.message(&ciphertext[self.k * self.du * N / 8..]);
        let both = Sha3_512::new().chain_update(message).chain_update(*self.hash).finalize();
        std::array::from_fn(|at| both[at])
    }

    /// The message in v. A one was added as half the modulus, so it is the nearer to that; noise reaches nowhere near a
    /// quarter.
    fn message(&self, v: &[u8]) -> [u8; 32] {
        let mut message = [0; 32];
        let mut bits = 0_u32;
        let mut held = 0;
        let mut bytes = v.iter();
        for at in 0..N {
            while held < self.dv {
                let byte = bytes.next().expect("v has 256 coefficients of dv bits");
                bits |= u32::from(*byte) << held;
                held += 8;
            }
            let whole = 1 << self.dv;
            let coefficient = bits & (whole - 1);
            bits >>= self.dv;
            held -= self.dv;
            let is_one = (whole / 4..whole * 3 / 4).contains(&coefficient);
            message[at / 8] |= u8::from(is_one) << (at % 8);
        }
        message
    }
}

/// t = 0 and the seed: algorithm 13, line 19.
fn key(k: usize) -> Vec<u8> {
    let mut key = vec![0; k * N * 12 / 8];
    key.extend_from_slice(&SEED);
    key
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_those_of_the_standard() {
        for (kem, key, ciphertext) in [(&ML_KEM_768, 1184, 1088), (&ML_KEM_1024, 1568, 1568)] {
            assert_eq!((kem.encapsulation_key().len(), kem.ciphertext()), (key, ciphertext));
        }
    }

    #[test]
    fn a_message_is_read_through_the_noise() {
        // Coefficients of 4 bits: 8 is half the modulus; one off is more noise than there is.
        let mut v = [0; 128];
        v[0] = 0x87;
        v[1] = 0x1f;
        v[127] = 0x90;
        let message = ML_KEM_768.message(&v);
        assert_eq!((message[0], message[1], message[31]), (0b0000_0011, 0, 0b1000_0000));
    }
}
