//! What is particular to ring.

use ring::aead::{self, Aad, LessSafeKey, Nonce, UnboundKey};
use ring::agreement::{self, EphemeralPrivateKey, UnparsedPublicKey};
use ring::error::{KeyRejected, Unspecified};
use ring::rand::SystemRandom;
use ring::signature::{self, EcdsaKeyPair, EcdsaSigningAlgorithm, VerificationAlgorithm};
use tlstax_spec::{Algorithm, Op};
use tlstax_worker::{Inputs, Operation, Refusal};

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
        MlDsa65 => "exports no ML-DSA",
        MlKem768 => "exports no ML-KEM",
        EcdhP256 | EcdhP384 | X25519 if op == Op::Derive => {
            "uses each private key for one agreement only and cannot import one, so derivation cannot be repeated"
        }
        _ => return None,
    })
}

/// Everything that ring has and aws-lc-rs has too is in the other modules.
pub(super) fn operation(
    algorithm: Algorithm,
    op: Op,
    _inputs: &Inputs,
) -> Result<Box<dyn Operation>, Refusal> {
    Err(Refusal::Unsupported(format!("ring has no {op} of {algorithm}")))
}

pub(super) struct Sealer(LessSafeKey);

impl Sealer {
    pub(super) fn new(cipher: &'static aead::Algorithm, key: &[u8]) -> Result<Self, Unspecified> {
        Ok(Self(LessSafeKey::new(UnboundKey::new(cipher, key)?)))
    }

    pub(super) fn seal(
        &mut self,
        nonce: Nonce,
        aad: [u8; 13],
        buffer: &mut Vec<u8>,
    ) -> Result<(), Unspecified> {
        self.0.seal_in_place_append_tag(nonce, Aad::from(aad), buffer)
    }
}

/// ring opens in place only, so each record is copied in first: the copy is part of the figure.
pub(super) struct Opener(LessSafeKey);

impl Opener {
    pub(super) fn new(cipher: &'static aead::Algorithm, key: &[u8]) -> Result<Self, Unspecified> {
        Ok(Self(LessSafeKey::new(UnboundKey::new(cipher, key)?)))
    }

    /// `opened` is as long as `sealed`; its end is not used.
    pub(super) fn open(
        &self,
        nonce: Nonce,
        aad: [u8; 13],
        sealed: &[u8],
        opened: &mut [u8],
    ) -> Result<(), Unspecified> {
        opened.copy_from_slice(sealed);
        self.0.open_in_place(nonce, Aad::from(aad), opened).map(drop)
    }
}

/// ring keeps no parsed public key: each verification reads it anew, and that is part of the figure.
pub(super) struct Verifier(signature::UnparsedPublicKey<Vec<u8>>);

impl Verifier {
    pub(super) fn new(
        scheme: &'static dyn VerificationAlgorithm,
        public: &[u8],
    ) -> Result<Self, KeyRejected> {
        Ok(Self(signature::UnparsedPublicKey::new(scheme, public.to_vec())))
    }

    pub(super) fn verify(&self, message: &[u8], signature: &[u8]) -> Result<(), Unspecified> {
        self.0.verify(message, signature)
    }
}

pub(super) fn ecdsa_key(
    scheme: &'static EcdsaSigningAlgorithm,
    pkcs8: &[u8],
) -> Result<EcdsaKeyPair, KeyRejected> {
    EcdsaKeyPair::from_pkcs8(scheme, pkcs8, &SystemRandom::new())
}

pub(super) fn agree(
    ours: EphemeralPrivateKey,
    curve: &'static agreement::Algorithm,
    theirs: &[u8],
) -> Result<Vec<u8>, Unspecified> {
    agreement::agree_ephemeral(ours, &UnparsedPublicKey::new(curve, theirs), <[u8]>::to_vec)
}
