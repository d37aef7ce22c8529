//! What ring and aws-lc-rs have in common: the interface of ring.

mod differences;
mod exchange;
mod hash;
mod signature;

use tlstax_spec::{Algorithm, Class, Op};
use tlstax_worker::{Inputs, Operation, Refusal};

#[cfg(feature = "aws-lc")]
pub(super) use exchange::curve;
pub(super) use signature::{SigningKey, scheme};

use crate::provider::library::aead::{self, Aad, LessSafeKey, Nonce, UnboundKey};
use crate::provider::library::error::Unspecified;

/// Hashes, and key pairs for a Diffie-Hellman.
pub(super) fn operation(
    algorithm: Algorithm,
    op: Op,
    inputs: &Inputs,
) -> Result<Box<dyn Operation>, Refusal> {
    match algorithm.class() {
        Class::KeyAgreement if op == Op::Keygen => exchange::keygen(algorithm),
        _ => hash::operation(algorithm, inputs),
    }
}

pub(super) fn cipher(algorithm: Algorithm) -> &'static aead::Algorithm {
    match algorithm {
        Algorithm::Aes128Gcm => &aead::AES_128_GCM,
        Algorithm::Aes256Gcm => &aead::AES_256_GCM,
        _ => &aead::CHACHA20_POLY1305,
    }
}

/// Seals with a key that does not watch the order of record numbers, and opens into a second buffer, so that the record stays
/// valid.
pub(super) struct Plain(LessSafeKey);

impl Plain {
    pub(super) fn new(algorithm: Algorithm, key: &[u8]) -> Result<Self, Unspecified> {
        UnboundKey::new(cipher(algorithm), key).map(|key| Self(LessSafeKey::new(key)))
    }

    pub(super) fn seal(
        &mut self,
        nonce: [u8; 12],
        aad: [u8; 13],
        buffer: &mut Vec<u8>,
    ) -> Result<(), Unspecified> {
        self.0.seal_in_place_append_tag(Nonce::assume_unique_for_key(nonce), Aad::from(aad), buffer)
    }

    /// `opened` is as long as `sealed`; its end is not used.
    pub(super) fn open(
        &self,
        nonce: [u8; 12],
        aad: [u8; 13],
        sealed: &[u8],
        opened: &mut [u8],
    ) -> Result<(), Unspecified> {
        differences::open(&self.0, Nonce::assume_unique_for_key(nonce), Aad::from(aad), sealed, opened)
    }
}
