//! What is particular to ring.

use ring::error::{KeyRejected, Unspecified};
use ring::signature;
use tlstax_spec::{Algorithm, Op};

use super::ring_api::scheme;
pub(super) use super::ring_api::{Plain as Opener, Plain as Sealer, SigningKey, operation};

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
