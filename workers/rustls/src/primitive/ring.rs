//! What is particular to ring.

use ring::aead::{Aad, LessSafeKey, Nonce};
use ring::error::{KeyRejected, Unspecified};
use ring::signature;
use tlstax_spec::{Algorithm, Op};

pub(super) use super::ring_api::{PlainSealer as Sealer, SigningKey, operation};
use super::ring_api::{plain_key, scheme};

/// Why ring cannot do it, as the end of a sentence about it.
pub(super) fn lacks(algorithm: Algorithm, op: Op) -> Option<&'static str> {
    use Algorithm::*;
    Some(match algorithm {
        Aes128Ccm => "exports no CCM",
        Aes128Cbc | Aes256Cbc | Aes128CbcHmacSha1 | Aes256CbcHmacSha1 | Aes128CbcHmacSha256
        | Aes256CbcHmacSha256 => "exports no CBC",
        TripleDesCbc => "exports no triple DES",
        Rc4 => "exports no RC4",
        Md5 => "exports no MD5",
        MlDsa44 | MlDsa65 | MlDsa87 => "exports no ML-DSA",
        SlhDsaSha2128f => "exports no SLH-DSA",
        MlKem768 => "exports no ML-KEM",
        EcdhP256 | EcdhP384 | X25519 if op == Op::Derive => {
            "uses each private key for one agreement only and cannot import one, so derivation cannot be repeated"
        }
        _ => return None,
    })
}

/// ring opens in place only, so each record is copied in first: the copy is part of the figure.
pub(super) struct Opener(LessSafeKey);

impl Opener {
    pub(super) fn new(algorithm: Algorithm, key: &[u8]) -> Result<Self, Unspecified> {
        plain_key(algorithm, key).map(Self)
    }

    /// `opened` is as long as `sealed`; its end is not used.
    pub(super) fn open(
        &self,
        nonce: [u8; 12],
        aad: [u8; 13],
        sealed: &[u8],
        opened: &mut [u8],
    ) -> Result<(), Unspecified> {
        opened.copy_from_slice(sealed);
        let nonce = Nonce::assume_unique_for_key(nonce);
        self.0.open_in_place(nonce, Aad::from(aad), opened).map(drop)
    }
}

/// ring keeps no parsed public key: each verification reads it anew, and that is part of the figure.
pub(super) struct Verifier(signature::UnparsedPublicKey<Vec<u8>>);

impl Verifier {
    pub(super) fn new(algorithm: Algorithm, public: &[u8]) -> Result<Self, KeyRejected> {
        Ok(Self(signature::UnparsedPublicKey::new(scheme(algorithm), public.to_vec())))
    }

    pub(super) fn verify(&self, message: &[u8], signature: &[u8]) -> Result<(), Unspecified> {
        self.0.verify(message, signature)
    }
}
