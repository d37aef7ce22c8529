//! Derivation with a fixed private key, and key encapsulation.

use std::hint::black_box;

use aws_lc_rs::agreement::{self, PrivateKey, UnparsedPublicKey};
use aws_lc_rs::error::{KeyRejected, Unspecified};
use aws_lc_rs::kem::{DecapsulationKey, EncapsulationKey, ML_KEM_768};
use tlstax_spec::{Algorithm, Op};
use tlstax_worker::{Inputs, Operation, Refusal};

use crate::primitive::ring_api::curve;
use crate::primitive::step::{CHECKED, Refused, Step, preparing, repeat};

pub(super) fn derive(algorithm: Algorithm, inputs: &Inputs) -> Result<Box<dyn Operation>, Refusal> {
    let curve = curve(algorithm);
    let private = private_key(curve, &inputs.private_key).map_err(preparing("reading our private key"))?;
    repeat(algorithm, Derive { private, curve, peer: inputs.peer.clone(), secret: Vec::new() })
}

pub(super) fn kem(op: Op, inputs: &Inputs) -> Result<Box<dyn Operation>, Refusal> {
    let algorithm = Algorithm::MlKem768;
    if op == Op::Keygen {
        return repeat(algorithm, Keygen);
    }
    let private = DecapsulationKey::new(&ML_KEM_768, &inputs.private_key)
        .map_err(preparing("reading our private key"))?;
    if op == Op::Decapsulate {
        return repeat(algorithm, Decapsulate { private, ciphertext: inputs.peer.clone() });
    }
    let public = EncapsulationKey::new(&ML_KEM_768, &inputs.peer)
        .map_err(preparing("reading the peer's public key"))?;
    repeat(algorithm, Encapsulate { private, public })
}

/// aws-lc-rs takes X25519 keys only bare: the last 32 bytes of their PKCS #8 (RFC 8410 7).
fn private_key(curve: &'static agreement::Algorithm, pkcs8: &[u8]) -> Result<PrivateKey, KeyRejected> {
    match pkcs8.last_chunk::<32>() {
        Some(bare) if *curve == agreement::X25519 => PrivateKey::from_private_key(curve, bare),
        _ => PrivateKey::from_private_key_der(curve, pkcs8),
    }
}

/// The peer's public value is decoded and checked each time, as it comes off the wire.
struct Derive {
    private: PrivateKey,
    curve: &'static agreement::Algorithm,
    peer: Vec<u8>,
    secret: Vec<u8>,
}

impl Step for Derive {
    fn once(&mut self) -> Result<(), Refused> {
        let peer = UnparsedPublicKey::new(self.curve, &self.peer);
        let kept = &mut self.secret;
        agreement::agree(&self.private, peer, Unspecified, |secret| {
            kept.clear();
            kept.extend_from_slice(secret);
            Ok(())
        })?;
        Ok(())
    }

    fn answer(&mut self) -> Result<Vec<u8>, Refused> {
        self.once()?;
        Ok(self.secret.clone())
    }
}

/// The key pair, and the public key as bytes to be sent.
struct Keygen;

impl Step for Keygen {
    fn once(&mut self) -> Result<(), Refused> {
        let private = DecapsulationKey::generate(&ML_KEM_768)?;
        black_box(private.encapsulation_key()?.key_bytes()?);
        Ok(())
    }

    fn answer(&mut self) -> Result<Vec<u8>, Refused> {
        let private = DecapsulationKey::generate(&ML_KEM_768)?;
        check(&private, &private.encapsulation_key()?)
    }
}

struct Encapsulate {
    private: DecapsulationKey,
    public: EncapsulationKey,
}

impl Step for Encapsulate {
    fn once(&mut self) -> Result<(), Refused> {
        black_box(self.public.encapsulate()?);
        Ok(())
    }

    fn answer(&mut self) -> Result<Vec<u8>, Refused> {
        check(&self.private, &self.public)
    }
}

struct Decapsulate {
    private: DecapsulationKey,
    ciphertext: Vec<u8>,
}

impl Step for Decapsulate {
    fn once(&mut self) -> Result<(), Refused> {
        black_box(self.private.decapsulate(self.ciphertext.as_slice().into())?);
        Ok(())
    }

    fn answer(&mut self) -> Result<Vec<u8>, Refused> {
        Ok(self.private.decapsulate(self.ciphertext.as_slice().into())?.as_ref().to_vec())
    }
}

/// Both sides must come to one secret.
fn check(private: &DecapsulationKey, public: &EncapsulationKey) -> Result<Vec<u8>, Refused> {
    let (ciphertext, ours) = public.encapsulate()?;
    let theirs = private.decapsulate(ciphertext)?;
    if ours.as_ref() == theirs.as_ref() { Ok(CHECKED.to_vec()) } else { Err(Refused) }
}
