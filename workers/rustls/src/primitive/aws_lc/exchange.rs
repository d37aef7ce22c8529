//! Derivation with a fixed private key, and key encapsulation.

use aws_lc_rs::agreement::{self, PrivateKey, UnparsedPublicKey};
use aws_lc_rs::error::{KeyRejected, Unspecified};
use aws_lc_rs::kem::{DecapsulationKey, EncapsulationKey, ML_KEM_768};
use tlstax_spec::{Algorithm, Op};
use tlstax_worker::{Inputs, Operation, Refusal};

use crate::primitive::ring_api::curve;
use crate::primitive::step::{Refused, agreed, answered, compute, in_place, preparing, replace};

/// The peer's public value is decoded and checked each time, as it comes off the wire.
pub(super) fn derive(algorithm: Algorithm, inputs: &Inputs) -> Result<Box<dyn Operation>, Refusal> {
    let curve = curve(algorithm);
    let private = private_key(curve, &inputs.private_key).map_err(preparing("reading our private key"))?;
    let peer = inputs.peer.clone();
    in_place(algorithm, Vec::new(), move |kept| {
        let peer = UnparsedPublicKey::new(curve, &peer);
        Ok(agreement::agree(&private, peer, Unspecified, |secret| {
            replace(kept, secret);
            Ok(())
        })?)
    })
}

/// aws-lc-rs takes X25519 keys only bare: the last 32 bytes of their PKCS #8 (RFC 8410 7).
fn private_key(curve: &'static agreement::Algorithm, pkcs8: &[u8]) -> Result<PrivateKey, KeyRejected> {
    match pkcs8.last_chunk::<32>() {
        Some(bare) if *curve == agreement::X25519 => PrivateKey::from_private_key(curve, bare),
        _ => PrivateKey::from_private_key_der(curve, pkcs8),
    }
}

pub(super) fn kem(op: Op, inputs: &Inputs) -> Result<Box<dyn Operation>, Refusal> {
    let algorithm = Algorithm::MlKem768;
    if op == Op::Keygen {
        let generate = || DecapsulationKey::generate(&ML_KEM_768);
        // The key pair, and the public key as bytes to be sent.
        let pair = move |(): &()| Ok(generate()?.encapsulation_key()?.key_bytes()?);
        return answered(algorithm, (), pair, move |()| {
            let private = generate()?;
            check(&private, &private.encapsulation_key()?)
        });
    }
    let private = DecapsulationKey::new(&ML_KEM_768, &inputs.private_key)
        .map_err(preparing("reading our private key"))?;
    let peer = inputs.peer.clone();
    if op == Op::Decapsulate {
        return compute(algorithm, move || Ok(private.decapsulate(peer.as_slice().into())?));
    }
    let public =
        EncapsulationKey::new(&ML_KEM_768, &peer).map_err(preparing("reading the peer's public key"))?;
    let keys = (private, public);
    answered(algorithm, keys, |(_, public)| Ok(public.encapsulate()?), |(ours, theirs)| check(ours, theirs))
}

fn check(private: &DecapsulationKey, public: &EncapsulationKey) -> Result<Vec<u8>, Refused> {
    let (ciphertext, ours) = public.encapsulate()?;
    agreed(ours, private.decapsulate(ciphertext)?)
}
