//! Calls that differ between the two.

use crate::provider::library::aead::{Aad, LessSafeKey, Nonce};
use crate::provider::library::agreement::{self, EphemeralPrivateKey, UnparsedPublicKey};
use crate::provider::library::error::{KeyRejected, Unspecified};
#[cfg(feature = "ring")]
use crate::provider::library::rand::SystemRandom;
use crate::provider::library::signature::{EcdsaKeyPair, EcdsaSigningAlgorithm};

pub(super) fn ecdsa_key(
    scheme: &'static EcdsaSigningAlgorithm,
    pkcs8: &[u8],
) -> Result<EcdsaKeyPair, KeyRejected> {
    #[cfg(feature = "ring")]
    let pair = EcdsaKeyPair::from_pkcs8(scheme, pkcs8, &SystemRandom::new());
    #[cfg(feature = "aws-lc")]
    let pair = EcdsaKeyPair::from_pkcs8(scheme, pkcs8);
    pair
}

pub(super) fn agree(
    ours: EphemeralPrivateKey,
    curve: &'static agreement::Algorithm,
    theirs: &[u8],
) -> Result<Vec<u8>, Unspecified> {
    let peer = UnparsedPublicKey::new(curve, theirs);
    #[cfg(feature = "ring")]
    let secret = agreement::agree_ephemeral(ours, &peer, <[u8]>::to_vec);
    #[cfg(feature = "aws-lc")]
    let secret = agreement::agree_ephemeral(ours, peer, Unspecified, |secret| Ok(secret.to_vec()));
    secret
}

pub(super) fn open(
    key: &LessSafeKey,
    nonce: Nonce,
    aad: Aad<[u8; 13]>,
    sealed: &[u8],
    opened: &mut [u8],
) -> Result<(), Unspecified> {
    // ring opens in place only, so each record is copied in first: the copy is part of the figure.
    #[cfg(feature = "ring")]
    let done = {
        opened.copy_from_slice(sealed);
        key.open_in_place(nonce, aad, opened).map(drop)
    };
    // aws-lc-rs opens from one buffer into another; rustls opens in place.
    #[cfg(feature = "aws-lc")]
    let done = {
        let (ciphertext, tag) = sealed.split_at(sealed.len() - key.algorithm().tag_len());
        key.open_separate_gather(nonce, aad, ciphertext, tag, &mut opened[..ciphertext.len()])
    };
    done
}
