//! graviola, whose interface is its own.

mod exchange;
mod hash;
mod signature;

use graviola::Error;
use graviola::aead::{AesGcm, ChaCha20Poly1305};
use tlstax_spec::{Algorithm, Class, Op};
use tlstax_worker::{Inputs, Operation, Refusal};

pub(super) use Sealer as Opener;
pub(super) use signature::{SigningKey, Verifier};

/// Why graviola cannot do it, as the end of a sentence about it.
pub(super) fn lacks(algorithm: Algorithm, op: Op) -> Option<&'static str> {
    use Algorithm::*;
    Some(match algorithm {
        Aes128Ccm => "has no CCM",
        Aes128Cbc | Aes256Cbc | Aes128CbcHmacSha1 | Aes256CbcHmacSha1 | Aes128CbcHmacSha256
        | Aes256CbcHmacSha256 => "has no CBC",
        TripleDesCbc => "has no triple DES",
        Rc4 => "has no RC4",
        Md5 => "has no MD5",
        Sha1 | HmacSha1 => "has no SHA-1",
        MlDsa44 | MlDsa65 | MlDsa87 => "has no ML-DSA",
        SlhDsaSha2128f => "has no SLH-DSA",
        MlKem768 if op == Op::Decapsulate => {
            "uses each decapsulation key once and cannot import one, so decapsulation cannot be repeated"
        }
        _ => return None,
    })
}

/// All that is neither authenticated encryption nor a signature.
pub(super) fn operation(
    algorithm: Algorithm,
    op: Op,
    inputs: &Inputs,
) -> Result<Box<dyn Operation>, Refusal> {
    match algorithm.class() {
        Class::KeyAgreement => exchange::agreement(algorithm, op, inputs),
        Class::Kem => exchange::kem(op, inputs),
        _ => hash::operation(algorithm, inputs),
    }
}

/// A key for records; making one cannot fail.
#[allow(clippy::large_enum_variant, reason = "there is one per operation, and it stays where it is")]
pub(super) enum Sealer {
    Gcm(AesGcm),
    ChaCha(ChaCha20Poly1305),
}

impl Sealer {
    pub(super) fn new(algorithm: Algorithm, key: &[u8]) -> Result<Self, Error> {
        if algorithm == Algorithm::ChaCha20Poly1305 {
            let key = key.try_into().map_err(|_| Error::WrongLength)?;
            return Ok(Self::ChaCha(ChaCha20Poly1305::new(key)));
        }
        Ok(Self::Gcm(AesGcm::new(key)))
    }

    pub(super) fn seal(&mut self, nonce: [u8; 12], aad: [u8; 13], buffer: &mut Vec<u8>) -> Result<(), Error> {
        let mut tag = [0; 16];
        match self {
            Self::Gcm(key) => key.encrypt(&nonce, &aad, buffer, &mut tag),
            Self::ChaCha(key) => key.encrypt(&nonce, &aad, buffer, &mut tag),
        }
        buffer.extend_from_slice(&tag);
        Ok(())
    }

    /// graviola opens in place only, so each record is copied in first: the copy is part of the figure. `opened` is as long
    /// as `sealed`; its end is not used.
    pub(super) fn open(
        &self,
        nonce: [u8; 12],
        aad: [u8; 13],
        sealed: &[u8],
        opened: &mut [u8],
    ) -> Result<(), Error> {
        let (ciphertext, tag) = sealed.split_last_chunk::<16>().ok_or(Error::WrongLength)?;
        let opened = &mut opened[..ciphertext.len()];
        opened.copy_from_slice(ciphertext);
        match self {
            Self::Gcm(key) => key.decrypt(&nonce, &aad, opened, tag),
            Self::ChaCha(key) => key.decrypt(&nonce, &aad, opened, tag),
        }
    }
}
