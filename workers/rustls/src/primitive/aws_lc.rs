//! What is particular to aws-lc-rs.

mod cipher;
mod exchange;

use aws_lc_rs::aead::{self, Aad, LessSafeKey, Nonce, TlsProtocolId, TlsRecordSealingKey, UnboundKey};
use aws_lc_rs::agreement::{self, EphemeralPrivateKey, UnparsedPublicKey};
use aws_lc_rs::error::{KeyRejected, Unspecified};
use aws_lc_rs::signature::{EcdsaKeyPair, EcdsaSigningAlgorithm, ParsedPublicKey, VerificationAlgorithm};
use tlstax_spec::{Algorithm, Class, Op};
use tlstax_worker::{Inputs, Operation, Refusal};

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
        _ => return None,
    })
}

/// What only aws-lc-rs has.
pub(super) fn operation(
    algorithm: Algorithm,
    op: Op,
    inputs: &Inputs,
) -> Result<Box<dyn Operation>, Refusal> {
    match algorithm.class() {
        Class::Cipher => cipher::operation(algorithm, op, inputs),
        Class::Kem => exchange::kem(op, inputs),
        _ => exchange::derive(algorithm, inputs),
    }
}

/// rustls seals GCM with a key that watches the order of record numbers, and ChaCha20-Poly1305 with a plain one.
#[allow(clippy::large_enum_variant, reason = "there is one per operation, and it stays where it is")]
pub(super) enum Sealer {
    Ordered(TlsRecordSealingKey),
    Plain(LessSafeKey),
}

impl Sealer {
    pub(super) fn new(cipher: &'static aead::Algorithm, key: &[u8]) -> Result<Self, Unspecified> {
        if *cipher == aead::CHACHA20_POLY1305 {
            return Ok(Self::Plain(LessSafeKey::new(UnboundKey::new(cipher, key)?)));
        }
        TlsRecordSealingKey::new(cipher, TlsProtocolId::TLS13, key).map(Self::Ordered)
    }

    pub(super) fn seal(
        &mut self,
        nonce: Nonce,
        aad: [u8; 13],
        buffer: &mut Vec<u8>,
    ) -> Result<(), Unspecified> {
        match self {
            Self::Ordered(key) => key.seal_in_place_append_tag(nonce, Aad::from(aad), buffer),
            Self::Plain(key) => key.seal_in_place_append_tag(nonce, Aad::from(aad), buffer),
        }
    }
}

/// Opens into a second buffer, so that the record stays valid without being copied; rustls opens in place.
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
        let (ciphertext, tag) = sealed.split_at(sealed.len() - self.0.algorithm().tag_len());
        let opened = &mut opened[..ciphertext.len()];
        self.0.open_separate_gather(nonce, Aad::from(aad), ciphertext, tag, opened)
    }
}

/// The key is parsed once; rustls parses it for each verification.
pub(super) struct Verifier(ParsedPublicKey);

impl Verifier {
    pub(super) fn new(
        scheme: &'static dyn VerificationAlgorithm,
        public: &[u8],
    ) -> Result<Self, KeyRejected> {
        ParsedPublicKey::new(scheme, public).map(Self)
    }

    pub(super) fn verify(&self, message: &[u8], signature: &[u8]) -> Result<(), Unspecified> {
        self.0.verify_sig(message, signature)
    }
}

pub(super) fn ecdsa_key(
    scheme: &'static EcdsaSigningAlgorithm,
    pkcs8: &[u8],
) -> Result<EcdsaKeyPair, KeyRejected> {
    EcdsaKeyPair::from_pkcs8(scheme, pkcs8)
}

pub(super) fn agree(
    ours: EphemeralPrivateKey,
    curve: &'static agreement::Algorithm,
    theirs: &[u8],
) -> Result<Vec<u8>, Unspecified> {
    let peer = UnparsedPublicKey::new(curve, theirs);
    agreement::agree_ephemeral(ours, peer, Unspecified, |secret| Ok(secret.to_vec()))
}
