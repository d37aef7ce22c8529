//! Diffie-Hellman and key encapsulation.

use std::hint::black_box;

use graviola::Error;
use graviola::key_agreement::mlkem768::{DecapKey, EncapKey};
use graviola::key_agreement::{p256, p384, x25519};
use graviola::signing::ecdsa;
use tlstax_spec::{Algorithm, Op};
use tlstax_worker::{Inputs, Operation, Refusal};

use crate::primitive::step::{CHECKED, Refused, Step, preparing, repeat};

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
        return repeat(algorithm, PairOf::<C>(std::marker::PhantomData));
    }
    let private = C::import(&inputs.private_key).map_err(preparing("reading our private key"))?;
    repeat(algorithm, Derive::<C> { private, peer: inputs.peer.clone(), secret: Vec::new() })
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

/// As rustls makes a key share: the private key, and the public one to be sent.
struct PairOf<C>(std::marker::PhantomData<C>);

impl<C: Curve> Step for PairOf<C> {
    fn once(&mut self) -> Result<(), Refused> {
        let (private, public) = C::pair()?;
        black_box(public.as_ref());
        drop(private);
        Ok(())
    }

    /// Two parties with fresh keys must come to one secret.
    fn answer(&mut self) -> Result<Vec<u8>, Refused> {
        let (ours, our_public) = C::pair()?;
        let (theirs, their_public) = C::pair()?;
        let one = C::agree(ours, their_public.as_ref())?;
        let other = C::agree(theirs, our_public.as_ref())?;
        if one.as_ref() == other.as_ref() { Ok(CHECKED.to_vec()) } else { Err(Refused) }
    }
}

/// The peer's public value is decoded and checked each time, as it comes off the wire.
struct Derive<C: Curve> {
    private: C::Lasting,
    peer: Vec<u8>,
    secret: Vec<u8>,
}

impl<C: Curve> Step for Derive<C> {
    fn once(&mut self) -> Result<(), Refused> {
        let secret = C::derive(&self.private, &self.peer)?;
        self.secret.clear();
        self.secret.extend_from_slice(secret.as_ref());
        Ok(())
    }

    fn answer(&mut self) -> Result<Vec<u8>, Refused> {
        self.once()?;
        Ok(self.secret.clone())
    }
}

pub(super) fn kem(op: Op, inputs: &Inputs) -> Result<Box<dyn Operation>, Refusal> {
    let algorithm = Algorithm::MlKem768;
    if op == Op::Keygen {
        return repeat(algorithm, KemPair);
    }
    let peer = inputs.peer.as_slice().try_into().map_err(preparing("reading the peer's public key"))?;
    repeat(algorithm, Encapsulate { peer })
}

/// The key pair, and the public key as bytes to be sent.
struct KemPair;

impl Step for KemPair {
    fn once(&mut self) -> Result<(), Refused> {
        let private = DecapKey::generate()?;
        black_box(private.encapsulation_key().as_bytes());
        Ok(())
    }

    fn answer(&mut self) -> Result<Vec<u8>, Refused> {
        both_sides_agree()
    }
}

/// graviola uses an encapsulation key once, so it is read anew each time, as it comes off the wire.
struct Encapsulate {
    peer: [u8; 1184],
}

impl Step for Encapsulate {
    fn once(&mut self) -> Result<(), Refused> {
        black_box(EncapKey::from_bytes(&self.peer)?.encaps()?);
        Ok(())
    }

    /// The private key of the peer cannot be imported, so the inverse is that of a fresh pair.
    fn answer(&mut self) -> Result<Vec<u8>, Refused> {
        self.once()?;
        both_sides_agree()
    }
}

fn both_sides_agree() -> Result<Vec<u8>, Refused> {
    let private = DecapKey::generate()?;
    let (ours, ciphertext) = private.encapsulation_key().encaps()?;
    let theirs = private.decaps(&ciphertext);
    if ours.as_ref() == theirs.as_ref() { Ok(CHECKED.to_vec()) } else { Err(Refused) }
}
