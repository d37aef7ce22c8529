//! The keys that sign.

use tlstax_spec::Algorithm;
use tlstax_worker::Refusal;

use super::differences::ecdsa_key;
use crate::primitive::step::{preparing, replace};
use crate::provider::library::error::Unspecified;
use crate::provider::library::rand::SystemRandom;
use crate::provider::library::signature::{self, EcdsaKeyPair, Ed25519KeyPair, KeyPair, RsaKeyPair};

pub(in crate::primitive) fn scheme(algorithm: Algorithm) -> &'static dyn signature::VerificationAlgorithm {
    match algorithm {
        Algorithm::EcdsaP256 => &signature::ECDSA_P256_SHA256_ASN1,
        Algorithm::EcdsaP384 => &signature::ECDSA_P384_SHA384_ASN1,
        Algorithm::Ed25519 => &signature::ED25519,
        #[cfg(feature = "aws-lc")]
        Algorithm::MlDsa44 => &signature::ML_DSA_44,
        #[cfg(feature = "aws-lc")]
        Algorithm::MlDsa65 => &signature::ML_DSA_65,
        #[cfg(feature = "aws-lc")]
        Algorithm::MlDsa87 => &signature::ML_DSA_87,
        _ => &signature::RSA_PSS_2048_8192_SHA256,
    }
}

/// A key, and where random numbers come from.
pub(in crate::primitive) struct SigningKey {
    pair: Pair,
    random: SystemRandom,
}

enum Pair {
    Rsa {
        pair: RsaKeyPair,
        length: usize,
    },
    Ecdsa(EcdsaKeyPair),
    Ed25519(Ed25519KeyPair),
    #[cfg(feature = "aws-lc")]
    MlDsa {
        pair: signature::PqdsaKeyPair,
        length: usize,
    },
}

impl SigningKey {
    /// From PKCS #8; ML-DSA from the bytes of FIPS 204.
    pub(in crate::primitive) fn new(algorithm: Algorithm, secret: &[u8]) -> Result<Self, Refusal> {
        Ok(Self { pair: Pair::new(algorithm, secret)?, random: SystemRandom::new() })
    }

    pub(in crate::primitive) fn public(&self) -> Vec<u8> {
        match &self.pair {
            Pair::Rsa { pair, .. } => pair.public_key().as_ref().to_vec(),
            Pair::Ecdsa(pair) => pair.public_key().as_ref().to_vec(),
            Pair::Ed25519(pair) => pair.public_key().as_ref().to_vec(),
            #[cfg(feature = "aws-lc")]
            Pair::MlDsa { pair, .. } => pair.public_key().as_ref().to_vec(),
        }
    }

    pub(in crate::primitive) fn sign(
        &self,
        message: &[u8],
        signature: &mut Vec<u8>,
    ) -> Result<(), Unspecified> {
        match &self.pair {
            Pair::Rsa { pair, length } => {
                signature.resize(*length, 0);
                pair.sign(&signature::RSA_PSS_SHA256, &self.random, message, signature)?;
            }
            Pair::Ecdsa(pair) => replace(signature, pair.sign(&self.random, message)?.as_ref()),
            Pair::Ed25519(pair) => replace(signature, pair.sign(message).as_ref()),
            #[cfg(feature = "aws-lc")]
            Pair::MlDsa { pair, length } => {
                signature.resize(*length, 0);
                pair.sign(message, signature)?;
            }
        }
        Ok(())
    }
}

impl Pair {
    fn new(algorithm: Algorithm, secret: &[u8]) -> Result<Self, Refusal> {
        let rsa = |length| {
            let pair = RsaKeyPair::from_pkcs8(secret).map_err(preparing("reading an RSA key"))?;
            Ok(Self::Rsa { pair, length })
        };
        let ecdsa =
            |scheme| ecdsa_key(scheme, secret).map(Self::Ecdsa).map_err(preparing("reading an ECDSA key"));
        match algorithm {
            Algorithm::Rsa2048 => rsa(256),
            Algorithm::Rsa3072 => rsa(384),
            Algorithm::Rsa4096 => rsa(512),
            Algorithm::EcdsaP256 => ecdsa(&signature::ECDSA_P256_SHA256_ASN1_SIGNING),
            Algorithm::EcdsaP384 => ecdsa(&signature::ECDSA_P384_SHA384_ASN1_SIGNING),
            // OpenSSL writes version 1 of PKCS #8, in which there is no public key to compare with.
            Algorithm::Ed25519 => Ed25519KeyPair::from_pkcs8_maybe_unchecked(secret)
                .map(Self::Ed25519)
                .map_err(preparing("reading an Ed25519 key")),
            #[cfg(feature = "aws-lc")]
            Algorithm::MlDsa44 => Self::ml_dsa(&signature::ML_DSA_44_SIGNING, secret),
            #[cfg(feature = "aws-lc")]
            Algorithm::MlDsa65 => Self::ml_dsa(&signature::ML_DSA_65_SIGNING, secret),
            #[cfg(feature = "aws-lc")]
            Algorithm::MlDsa87 => Self::ml_dsa(&signature::ML_DSA_87_SIGNING, secret),
            _ => Err(Refusal::Unsupported(format!("{algorithm} is no signature of this worker"))),
        }
    }

    #[cfg(feature = "aws-lc")]
    fn ml_dsa(scheme: &'static signature::PqdsaSigningAlgorithm, secret: &[u8]) -> Result<Self, Refusal> {
        let pair = signature::PqdsaKeyPair::from_raw_private_key(scheme, secret)
            .map_err(preparing("reading an ML-DSA key"))?;
        Ok(Self::MlDsa { pair, length: scheme.signature_len() })
    }
}
