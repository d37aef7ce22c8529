//! What is particular to aws-lc-rs.

mod cipher;
mod exchange;

use aws_lc_rs::aead::{Aad, Nonce, TlsProtocolId, TlsRecordSealingKey};
use aws_lc_rs::error::{KeyRejected, Unspecified};
use aws_lc_rs::signature::ParsedPublicKey;
use tlstax_spec::{Algorithm, Class, Op};
use tlstax_worker::{Inputs, Operation, Refusal};

use super::ring_api::{self, Plain, scheme};
pub(super) use super::ring_api::{Plain as Opener, SigningKey};

/// Why aws-lc-rs cannot do it, as the end of a sentence about it.
pub(super) fn lacks(algorithm: Algorithm, _op: Op) -> Option<&'static str> {
    use Algorithm::*;
    Some(match algorithm {
        Aes128Ccm => "exports no CCM",
        Aes128CbcHmacSha1 | Aes256CbcHmacSha1 | Aes128CbcHmacSha256 | Aes256CbcHmacSha256 => {
            "exports CBC and HMAC, and nothing that composes them as TLS 1.2 does"
        }
        Rc4 => "exports no RC4",
        Md5 => "exports no MD5",
        SlhDsaSha2128f => "exports no SLH-DSA",
        _ => return None,
    })
}

/// What ring does not have, and what it has.
pub(super) fn operation(
    algorithm: Algorithm,
    op: Op,
    inputs: &Inputs,
) -> Result<Box<dyn Operation>, Refusal> {
    match algorithm.class() {
        Class::Cipher => cipher::operation(algorithm, op, inputs),
        Class::Kem => exchange::kem(op, inputs),
        Class::KeyAgreement if op == Op::Derive => exchange::derive(algorithm, inputs),
        _ => ring_api::operation(algorithm, op, inputs),
    }
}

/// rustls seals GCM with a key that watches the order of record numbers, and ChaCha20-Poly1305 with a plain one.
#[allow(clippy::large_enum_variant, reason = "there is one per operation, and it stays where it is")]
pub(super) enum Sealer {
    Ordered(TlsRecordSealingKey),
    Plain(Plain),
}

impl Sealer {
    pub(super) fn new(algorithm: Algorithm, key: &[u8]) -> Result<Self, Unspecified> {
        if algorithm == Algorithm::ChaCha20Poly1305 {
            return Plain::new(algorithm, key).map(Self::Plain);
        }
        TlsRecordSealingKey::new(ring_api::cipher(algorithm), TlsProtocolId::TLS13, key).map(Self::Ordered)
    }

    pub(super) fn seal(
        &mut self,
        nonce: [u8; 12],
        aad: [u8; 13],
        buffer: &mut Vec<u8>,
    ) -> Result<(), Unspecified> {
        match self {
            Self::Ordered(key) => {
                key.seal_in_place_append_tag(Nonce::assume_unique_for_key(nonce), Aad::from(aad), buffer)
            }
            Self::Plain(sealer) => sealer.seal(nonce, aad, buffer),
        }
    }
}

/// The key is parsed once; rustls parses it for each verification.
pub(super) struct Verifier(ParsedPublicKey);

impl Verifier {
    pub(super) fn new(algorithm: Algorithm, public: &[u8]) -> Result<Self, KeyRejected> {
        ParsedPublicKey::new(scheme(algorithm), public).map(Self)
    }

    pub(super) fn verify(&self, message: &[u8], signature: &[u8]) -> Result<(), Unspecified> {
        self.0.verify_sig(message, signature)
    }
}
