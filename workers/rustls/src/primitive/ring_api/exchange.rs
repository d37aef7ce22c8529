//! Key pairs for a Diffie-Hellman: used once, so the library's ephemeral kind.

use tlstax_spec::Algorithm;
use tlstax_worker::{Operation, Refusal};

use super::differences::agree;
use crate::primitive::step::{agreed, answered};
use crate::provider::library::agreement::{self, EphemeralPrivateKey};
use crate::provider::library::rand::SystemRandom;

/// As rustls makes a key share: the private key, and the public one to be sent.
pub(super) fn keygen(algorithm: Algorithm) -> Result<Box<dyn Operation>, Refusal> {
    let (curve, random) = (curve(algorithm), SystemRandom::new());
    let pair = move |random: &SystemRandom| {
        let private = EphemeralPrivateKey::generate(curve, random)?;
        let public = private.compute_public_key()?;
        Ok((private, public))
    };
    answered(algorithm, random, pair, move |random| {
        let (ours, our_public) = pair(random)?;
        let (theirs, their_public) = pair(random)?;
        agreed(agree(ours, curve, their_public.as_ref())?, agree(theirs, curve, our_public.as_ref())?)
    })
}

pub(in crate::primitive) fn curve(algorithm: Algorithm) -> &'static agreement::Algorithm {
    match algorithm {
        Algorithm::EcdhP256 => &agreement::ECDH_P256,
        Algorithm::EcdhP384 => &agreement::ECDH_P384,
        _ => &agreement::X25519,
    }
}
