//! Signatures.
//!
//! Each call hashes its message. RSA signs as TLS 1.3 does: PSS, SHA-256, a salt as long as the digest.

use rustls::pki_types::PrivateKeyDer;
use rustls::pki_types::pem::PemObject;
use tlstax_spec::{Algorithm, Key, Op};
use tlstax_worker::{Inputs, Operation, Refusal};

use super::{CHECKED, Step, own, repeat, setup};
use crate::provider::library::error::Unspecified;
use crate::provider::library::rand::SystemRandom;
use crate::provider::library::signature::{self, EcdsaKeyPair, Ed25519KeyPair, KeyPair, RsaKeyPair};

pub(super) fn operation(
    algorithm: Algorithm,
    op: Op,
    inputs: &Inputs,
) -> Result<Box<dyn Operation>, Refusal> {
    let message = inputs.message.clone();
    // ML-DSA has no key in pki/, and no private one is given to verify with.
    let key = if (algorithm, op) == (Algorithm::MlDsa65, Op::Verify) {
        None
    } else {
        Some(SigningKey::new(algorithm, inputs)?)
    };
    let public = key.as_ref().map_or(inputs.peer.as_slice(), SigningKey::public);
    let verifier = own::Verifier::new(scheme(algorithm), public).map_err(setup("reading a public key"))?;
    match key {
        Some(key) if op == Op::Sign => repeat(
            algorithm,
            Sign { key, verifier, message, random: SystemRandom::new(), signature: Vec::new() },
        ),
        _ => repeat(algorithm, Verify { verifier, message, signature: inputs.signature.clone() }),
    }
}

fn scheme(algorithm: Algorithm) -> &'static dyn signature::VerificationAlgorithm {
    match algorithm {
        Algorithm::EcdsaP256 => &signature::ECDSA_P256_SHA256_ASN1,
        Algorithm::EcdsaP384 => &signature::ECDSA_P384_SHA384_ASN1,
        Algorithm::Ed25519 => &signature::ED25519,
        #[cfg(feature = "aws-lc")]
        Algorithm::MlDsa65 => &signature::ML_DSA_65,
        _ => &signature::RSA_PSS_2048_8192_SHA256,
    }
}

enum SigningKey {
    Rsa {
        key: RsaKeyPair,
        length: usize,
    },
    Ecdsa(EcdsaKeyPair),
    Ed25519(Ed25519KeyPair),
    #[cfg(feature = "aws-lc")]
    MlDsa {
        key: signature::PqdsaKeyPair,
        length: usize,
    },
}

impl SigningKey {
    /// The server's key in pki/; for ML-DSA, of which pki/ has none, the one in the inputs.
    fn new(algorithm: Algorithm, inputs: &Inputs) -> Result<Self, Refusal> {
        let der = |key| {
            let pem = inputs.pki.server_key(key).map_err(|error| Refusal::Failed(error.to_string()))?;
            PrivateKeyDer::from_pem_slice(&pem).map_err(setup("reading a private key"))
        };
        let rsa = |key, length| {
            let key = RsaKeyPair::from_pkcs8(der(key)?.secret_der()).map_err(setup("reading an RSA key"))?;
            Ok(Self::Rsa { key, length })
        };
        let ecdsa = |key, scheme| {
            let key =
                own::ecdsa_key(scheme, der(key)?.secret_der()).map_err(setup("reading an ECDSA key"))?;
            Ok(Self::Ecdsa(key))
        };
        match algorithm {
            Algorithm::Rsa2048 => rsa(Key::Rsa2048, 256),
            Algorithm::Rsa3072 => rsa(Key::Rsa3072, 384),
            Algorithm::Rsa4096 => rsa(Key::Rsa4096, 512),
            Algorithm::EcdsaP256 => ecdsa(Key::EcdsaP256, &signature::ECDSA_P256_SHA256_ASN1_SIGNING),
            Algorithm::EcdsaP384 => ecdsa(Key::EcdsaP384, &signature::ECDSA_P384_SHA384_ASN1_SIGNING),
            // OpenSSL writes version 1 of PKCS #8, in which there is no public key to compare with.
            Algorithm::Ed25519 => Ed25519KeyPair::from_pkcs8_maybe_unchecked(der(Key::Ed25519)?.secret_der())
                .map(Self::Ed25519)
                .map_err(setup("reading an Ed25519 key")),
            #[cfg(feature = "aws-lc")]
            Algorithm::MlDsa65 => {
                let scheme = &signature::ML_DSA_65_SIGNING;
                let key = signature::PqdsaKeyPair::from_raw_private_key(scheme, &inputs.private_key)
                    .map_err(setup("reading an ML-DSA key"))?;
                Ok(Self::MlDsa { key, length: scheme.signature_len() })
            }
            _ => Err(Refusal::Unsupported(format!("{algorithm} is no signature of this worker"))),
        }
    }

    fn public(&self) -> &[u8] {
        match self {
            Self::Rsa { key, .. } => key.public_key().as_ref(),
            Self::Ecdsa(key) => key.public_key().as_ref(),
            Self::Ed25519(key) => key.public_key().as_ref(),
            #[cfg(feature = "aws-lc")]
            Self::MlDsa { key, .. } => key.public_key().as_ref(),
        }
    }
}

struct Sign {
    key: SigningKey,
    verifier: own::Verifier,
    message: Vec<u8>,
    random: SystemRandom,
    signature: Vec<u8>,
}

impl Step for Sign {
    fn once(&mut self) -> Result<(), Unspecified> {
        let Self { key, message, random, signature, .. } = self;
        match key {
            SigningKey::Rsa { key, length } => {
                signature.resize(*length, 0);
                return key.sign(&signature::RSA_PSS_SHA256, random, message, signature);
            }
            SigningKey::Ecdsa(key) => replace(signature, key.sign(random, message)?.as_ref()),
            SigningKey::Ed25519(key) => replace(signature, key.sign(message).as_ref()),
            #[cfg(feature = "aws-lc")]
            SigningKey::MlDsa { key, length } => {
                signature.resize(*length, 0);
                key.sign(message, signature)?;
            }
        }
        Ok(())
    }

    fn answer(&mut self) -> Result<Vec<u8>, Unspecified> {
        self.once()?;
        self.verifier.verify(&self.message, &self.signature)?;
        let fixed = matches!(self.key, SigningKey::Ed25519(_));
        Ok(if fixed { self.signature.clone() } else { CHECKED.to_vec() })
    }
}

fn replace(signature: &mut Vec<u8>, made: &[u8]) {
    signature.clear();
    signature.extend_from_slice(made);
}

struct Verify {
    verifier: own::Verifier,
    message: Vec<u8>,
    signature: Vec<u8>,
}

impl Step for Verify {
    fn once(&mut self) -> Result<(), Unspecified> {
        self.verifier.verify(&self.message, &self.signature)
    }

    /// The signature must be good for the message, and not for another one.
    fn answer(&mut self) -> Result<Vec<u8>, Unspecified> {
        self.once()?;
        let mut other = self.message.clone();
        other.push(0);
        match self.verifier.verify(&other, &self.signature) {
            Ok(()) => Err(Unspecified),
            Err(_) => Ok(CHECKED.to_vec()),
        }
    }
}
