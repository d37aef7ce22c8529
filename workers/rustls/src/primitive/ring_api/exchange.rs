//! Key pairs for a Diffie-Hellman: used once, so the library's ephemeral kind.

use std::hint::black_box;

use tlstax_spec::Algorithm;
use tlstax_worker::{Operation, Refusal};

use super::differences::agree;
use crate::primitive::step::{CHECKED, Refused, Step, repeat};
use crate::provider::library::agreement::{self, EphemeralPrivateKey};
use crate::provider::library::rand::SystemRandom;

pub(super) fn keygen(algorithm: Algorithm) -> Result<Box<dyn Operation>, Refusal> {
    repeat(algorithm, Keygen { curve: curve(algorithm), random: SystemRandom::new() })
}

pub(in crate::primitive) fn curve(algorithm: Algorithm) -> &'static agreement::Algorithm {
    match algorithm {
        Algorithm::EcdhP256 => &agreement::ECDH_P256,
        Algorithm::EcdhP384 => &agreement::ECDH_P384,
        _ => &agreement::X25519,
    }
}

/// As rustls makes a key share: the private key, and the public one to be sent.
struct Keygen {
    curve: &'static agreement::Algorithm,
    random: SystemRandom,
}

impl Keygen {
    fn pair(&self) -> Result<(EphemeralPrivateKey, agreement::PublicKey), Refused> {
        let private = EphemeralPrivateKey::generate(self.curve, &self.random)?;
        let public = private.compute_public_key()?;
        Ok((private, public))
    }
}

impl Step for Keygen {
    fn once(&mut self) -> Result<(), Refused> {
        black_box(self.pair()?);
        Ok(())
    }

    /// Two parties with fresh keys must come to one secret.
    fn answer(&mut self) -> Result<Vec<u8>, Refused> {
        let (ours, our_public) = self.pair()?;
        let (theirs, their_public) = self.pair()?;
        let one = agree(ours, self.curve, their_public.as_ref())?;
        let other = agree(theirs, self.curve, our_public.as_ref())?;
        if one == other { Ok(CHECKED.to_vec()) } else { Err(Refused) }
    }
}
