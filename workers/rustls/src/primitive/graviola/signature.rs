//! The keys that sign and verify.

use graviola::Error;
use graviola::hashing::{Sha256, Sha384};
use graviola::signing::ecdsa::{self, P256, P384};
use graviola::signing::eddsa::{Ed25519SigningKey, Ed25519VerifyingKey};
use graviola::signing::rsa;
use tlstax_spec::Algorithm;
use tlstax_worker::Refusal;

use crate::primitive::step::{preparing, replace};

/// Room for any of the signatures but RSA's: a DER signature of P-384 takes at most 104 bytes.
const ROOM: usize = 128;

/// Room for RSAPublicKey of 4096 bits in DER.
const PUBLIC_ROOM: usize = 600;

#[allow(clippy::large_enum_variant, reason = "there is one per operation, and it stays where it is")]
pub(in crate::primitive) enum SigningKey {
    Rsa(rsa::SigningKey),
    P256(ecdsa::SigningKey<P256>),
    P384(ecdsa::SigningKey<P384>),
    Ed25519(Ed25519SigningKey),
}

impl SigningKey {
    /// From PKCS #8.
    pub(in crate::primitive) fn new(algorithm: Algorithm, pkcs8: &[u8]) -> Result<Self, Refusal> {
        Self::read(algorithm, pkcs8).map_err(preparing("reading a private key"))
    }

    fn read(algorithm: Algorithm, pkcs8: &[u8]) -> Result<Self, Error> {
        Ok(match algorithm {
            Algorithm::EcdsaP256 => Self::P256(ecdsa::SigningKey::from_pkcs8_der(pkcs8)?),
            Algorithm::EcdsaP384 => Self::P384(ecdsa::SigningKey::from_pkcs8_der(pkcs8)?),
            Algorithm::Ed25519 => Self::Ed25519(Ed25519SigningKey::from_pkcs8_der(pkcs8)?),
            _ => Self::Rsa(rsa::SigningKey::from_pkcs8_der(pkcs8)?),
        })
    }

    pub(in crate::primitive) fn public(&self) -> Vec<u8> {
        match self {
            Self::Rsa(key) => {
                let mut room = [0; PUBLIC_ROOM];
                // Without room there is no public key, which the verifier says.
                key.public_key().to_pkcs1_der(&mut room).map(<[u8]>::to_vec).unwrap_or_default()
            }
            Self::P256(key) => key.private_key.public_key_uncompressed().to_vec(),
            Self::P384(key) => key.private_key.public_key_uncompressed().to_vec(),
            Self::Ed25519(key) => key.public_key().as_bytes().to_vec(),
        }
    }

    pub(in crate::primitive) fn sign(&self, message: &[u8], signature: &mut Vec<u8>) -> Result<(), Error> {
        let mut room = [0; ROOM];
        match self {
            Self::Rsa(key) => {
                signature.resize(key.modulus_len_bytes(), 0);
                key.sign_pss_sha256(signature, message)?;
            }
            Self::P256(key) => replace(signature, key.sign_asn1::<Sha256>(&[message], &mut room)?),
            Self::P384(key) => replace(signature, key.sign_asn1::<Sha384>(&[message], &mut room)?),
            Self::Ed25519(key) => replace(signature, &key.sign(message)),
        }
        Ok(())
    }
}

/// The key is parsed once; rustls parses it for each verification.
#[allow(clippy::large_enum_variant, reason = "there is one per operation, and it stays where it is")]
pub(in crate::primitive) enum Verifier {
    Rsa(rsa::VerifyingKey),
    P256(ecdsa::VerifyingKey<P256>),
    P384(ecdsa::VerifyingKey<P384>),
    Ed25519(Ed25519VerifyingKey),
}

impl Verifier {
    pub(in crate::primitive) fn new(algorithm: Algorithm, public: &[u8]) -> Result<Self, Error> {
        Ok(match algorithm {
            Algorithm::EcdsaP256 => Self::P256(ecdsa::VerifyingKey::from_x962_uncompressed(public)?),
            Algorithm::EcdsaP384 => Self::P384(ecdsa::VerifyingKey::from_x962_uncompressed(public)?),
            Algorithm::Ed25519 => Self::Ed25519(Ed25519VerifyingKey::from_bytes(public)?),
            _ => Self::Rsa(rsa::VerifyingKey::from_pkcs1_der(public)?),
        })
    }

    pub(in crate::primitive) fn verify(&self, message: &[u8], signature: &[u8]) -> Result<(), Error> {
        match self {
            Self::Rsa(key) => key.verify_pss_sha256(signature, message),
            Self::P256(key) => key.verify_asn1::<Sha256>(&[message], signature),
            Self::P384(key) => key.verify_asn1::<Sha384>(&[message], signature),
            Self::Ed25519(key) => key.verify(signature, message),
        }
    }
}
