//! Diffie-Hellman and key encapsulation.

use graviola::Error;
use graviola::key_agreement::mlkem768::{DecapKey, EncapKey};
use graviola::key_agreement::{p256, p384, x25519};
use graviola::signing::ecdsa;
use tlstax_spec::{Algorithm, Op};
use tlstax_worker::{Inputs, Operation, Refusal};

use crate::primitive::step::{Refused, agreed, answered, in_place, preparing, replace};

pub(super) fn agreement(
    algorithm: Algorithm,
    op: Op,
    inputs: &Inputs,
) -> Result<Box<dyn Operation>, Refusal> {
    match algorithm {
        Algorithm::EcdhP256 => on::<P256>(algorithm, op, inputs),
        Algorithm::EcdhP384 => on::<P384>(algorithm, op, inputs),
        _ => on::<X25519>(algorithm, op, inputs),
    }
}

fn on<C: Curve>(algorithm: Algorithm, op: Op, inputs: &Inputs) -> Result<Box<dyn Operation>, Refusal> {
    if op == Op::Keygen {
        // As rustls makes a key share: the private key, and the public one to be sent.
        return answered(
            algorithm,
            (),
            |()| Ok(C::pair()?),
            |()| {
                let (ours, our_public) = C::pair()?;
                let (theirs, their_public) = C::pair()?;
                agreed(C::agree(ours, their_public.as_ref())?, C::agree(theirs, our_public.as_ref())?)
            },
        );
    }
    let private = C::import(&inputs.private_key).map_err(preparing("reading our private key"))?;
    let peer = inputs.peer.clone();
    // The peer's public value is decoded and checked each time, as it comes off the wire.
    in_place(algorithm, Vec::new(), move |kept| {
        replace(kept, C::derive(&private, &peer)?.as_ref());
        Ok(())
    })
}

/// A curve, with the keys that graviola has for it: ephemeral ones as rustls uses them, and those that last.
trait Curve: Send + 'static {
    type Ephemeral;
    type Lasting: Send;

    /// A key pair for one agreement; the public key as bytes to be sent.
    fn pair() -> Result<(Self::Ephemeral, impl AsRef<[u8]>), Error>;

    fn agree(ours: Self::Ephemeral, theirs: &[u8]) -> Result<impl AsRef<[u8]>, Error>;

    /// From PKCS #8.
    fn import(pkcs8: &[u8]) -> Result<Self::Lasting, Error>;

    fn derive(ours: &Self::Lasting, theirs: &[u8]) -> Result<impl AsRef<[u8]>, Error>;
}

struct X25519;

impl Curve for X25519 {
    type Ephemeral = x25519::PrivateKey;
    type Lasting = x25519::StaticPrivateKey;

    fn pair() -> Result<(Self::Ephemeral, impl AsRef<[u8]>), Error> {
        let private = x25519::PrivateKey::new_random()?;
        let public = private.public_key().as_bytes();
        Ok((private, public))
    }

    fn agree(ours: Self::Ephemeral, theirs: &[u8]) -> Result<impl AsRef<[u8]>, Error> {
        let theirs = x25519::PublicKey::try_from_slice(theirs)?;
        Ok(ours.diffie_hellman(&theirs)?.0)
    }

    /// graviola takes X25519 keys only bare: the last 32 bytes of their PKCS #8 (RFC 8410 7).
    fn import(pkcs8: &[u8]) -> Result<Self::Lasting, Error> {
        let bare = pkcs8.last_chunk::<32>().ok_or(Error::WrongLength)?;
        Ok(x25519::StaticPrivateKey::from_array(bare))
    }

    fn derive(ours: &Self::Lasting, theirs: &[u8]) -> Result<impl AsRef<[u8]>, Error> {
        let theirs = x25519::PublicKey::try_from_slice(theirs)?;
        Ok(ours.diffie_hellman(&theirs)?.0)
    }
}

macro_rules! nist_curve {
    ($name:ident, $module:ident) => {
        struct $name;

        impl Curve for $name {
            type Ephemeral = $module::PrivateKey;
            type Lasting = $module::StaticPrivateKey;

            fn pair() -> Result<(Self::Ephemeral, impl AsRef<[u8]>), Error> {
                let private = $module::PrivateKey::new_random()?;
                let public = private.public_key_uncompressed();
                Ok((private, public))
            }

            fn agree(ours: Self::Ephemeral, theirs: &[u8]) -> Result<impl AsRef<[u8]>, Error> {
                let theirs = $module::PublicKey::from_x962_uncompressed(theirs)?;
                Ok(ours.diffie_hellman(&theirs)?.0)
            }

            /// graviola reads PKCS #8 as a signing key, and gives the number in it out.
            fn import(pkcs8: &[u8]) -> Result<Self::Lasting, Error> {
                Ok(ecdsa::SigningKey::<ecdsa::$name>::from_pkcs8_der(pkcs8)?.private_key)
            }

            fn derive(ours: &Self::Lasting, theirs: &[u8]) -> Result<impl AsRef<[u8]>, Error> {
                let theirs = $module::PublicKey::from_x962_uncompressed(theirs)?;
                Ok(ours.diffie_hellman(&theirs)?.0)
            }
        }
    };
}

nist_curve!(P256, p256);
nist_curve!(P384, p384);

pub(super) fn kem(op: Op, inputs: &Inputs) -> Result<Box<dyn Operation>, Refusal> {
    let algorithm = Algorithm::MlKem768;
    if op == Op::Keygen {
        // The key pair, and the public key as bytes to be sent.
        return answered(
            algorithm,
            (),
            |()| Ok(DecapKey::generate()?.encapsulation_key().as_bytes()),
            |()| both_sides_agree(),
        );
    }
    let peer = inputs.peer.as_slice().try_into().map_err(preparing("reading the peer's public key"))?;
    // graviola uses an encapsulation key once, so it is read anew each time, as it comes off the wire. The private key of the
    // peer cannot be imported, so the inverse is that of a fresh pair.
    let encapsulate = |peer: &[u8; 1184]| Ok(EncapKey::from_bytes(peer)?.encaps()?);
    answered(algorithm, peer, encapsulate, move |peer| {
        encapsulate(peer)?;
        both_sides_agree()
    })
}

fn both_sides_agree() -> Result<Vec<u8>, Refused> {
    let private = DecapKey::generate()?;
    let (ours, ciphertext) = private.encapsulation_key().encaps()?;
    agreed(ours.as_ref(), private.decaps(&ciphertext).as_ref())
}
