//! Calls that differ between the two.

use crate::provider::library::agreement::{self, EphemeralPrivateKey, UnparsedPublicKey};
use crate::provider::library::error::{KeyRejected, Unspecified};
#[cfg(feature = "ring")]
use crate::provider::library::rand::SystemRandom;
use crate::provider::library::signature::{EcdsaKeyPair, EcdsaSigningAlgorithm};

#[cfg(feature = "ring")]
pub(super) fn ecdsa_key(
    scheme: &'static EcdsaSigningAlgorithm,
    pkcs8: &[u8],
) -> Result<EcdsaKeyPair, KeyRejected> {
    EcdsaKeyPair::from_pkcs8(scheme, pkcs8, &SystemRandom::new())
}

#[cfg(feature = "aws-lc")]
pub(super) fn ecdsa_key(
    scheme: &'static EcdsaSigningAlgorithm,
    pkcs8: &[u8],
) -> Result<EcdsaKeyPair, KeyRejected> {
    EcdsaKeyPair::from_pkcs8(scheme, pkcs8)
}

#[cfg(feature = "ring")]
pub(super) fn agree(
    ours: EphemeralPrivateKey,
    curve: &'static agreement::Algorithm,
    theirs: &[u8],
) -> Result<Vec<u8>, Unspecified> {
    agreement::agree_ephemeral(ours, &UnparsedPublicKey::new(curve, theirs), <[u8]>::to_vec)
}

#[cfg(feature = "aws-lc")]
pub(super) fn agree(
    ours: EphemeralPrivateKey,
    curve: &'static agreement::Algorithm,
    theirs: &[u8],
) -> Result<Vec<u8>, Unspecified> {
    let peer = UnparsedPublicKey::new(curve, theirs);
    agreement::agree_ephemeral(ours, peer, Unspecified, |secret| Ok(secret.to_vec()))
}
