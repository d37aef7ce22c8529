//! Digests, HMAC and HKDF.

use std::hint::black_box;
use std::marker::PhantomData;

use graviola::hashing::hmac::Hmac;
use graviola::hashing::{Hash, Sha256, Sha384, Sha512};
use rustls::crypto::tls13::Hkdf;
use tlstax_spec::{Algorithm, Suite};
use tlstax_worker::{Inputs, Operation, Refusal};

use crate::primitive::step::{Refused, Step, repeat};
use crate::provider;

pub(super) fn operation(algorithm: Algorithm, inputs: &Inputs) -> Result<Box<dyn Operation>, Refusal> {
    match algorithm {
        Algorithm::Sha256 => repeat(algorithm, Digest::<Sha256>::new(inputs)),
        Algorithm::Sha384 => repeat(algorithm, Digest::<Sha384>::new(inputs)),
        Algorithm::Sha512 => repeat(algorithm, Digest::<Sha512>::new(inputs)),
        Algorithm::HmacSha256 => repeat(algorithm, Mac::<Sha256>::new(inputs, 32)),
        Algorithm::HmacSha384 => repeat(algorithm, Mac::<Sha384>::new(inputs, 48)),
        Algorithm::HkdfSha256 => repeat(algorithm, Kdf::new(Suite::Aes128Gcm, inputs, 32)?),
        Algorithm::HkdfSha384 => repeat(algorithm, Kdf::new(Suite::Aes256Gcm, inputs, 48)?),
        _ => Err(Refusal::Unsupported(format!("{algorithm} is no hash of this worker"))),
    }
}

struct Digest<H> {
    message: Vec<u8>,
    hash: PhantomData<H>,
}

impl<H> Digest<H> {
    fn new(inputs: &Inputs) -> Self {
        Self { message: inputs.message.clone(), hash: PhantomData }
    }
}

impl<H: Hash + Send> Step for Digest<H> {
    fn once(&mut self) -> Result<(), Refused> {
        black_box(H::hash(black_box(&self.message)));
        Ok(())
    }

    fn answer(&mut self) -> Result<Vec<u8>, Refused> {
        Ok(H::hash(&self.message).as_ref().to_vec())
    }
}

/// The key is set up once, as for the records of one connection, and copied for each message, as rustls does.
struct Mac<H: Hash> {
    key: Hmac<H>,
    message: Vec<u8>,
}

impl<H: Hash> Mac<H> {
    fn new(inputs: &Inputs, length: usize) -> Self {
        Self { key: Hmac::new(&inputs.mac_key[..length]), message: inputs.message.clone() }
    }
}

impl<H: Hash + Clone + Send> Step for Mac<H>
where
    H::Context: Send,
{
    fn once(&mut self) -> Result<(), Refused> {
        let mut mac = self.key.clone();
        mac.update(&self.message);
        black_box(mac.finish());
        Ok(())
    }

    fn answer(&mut self) -> Result<Vec<u8>, Refused> {
        let mut mac = self.key.clone();
        mac.update(&self.message);
        Ok(mac.finish().as_ref().to_vec())
    }
}

/// Extraction and expansion, without info. graviola exports no HKDF: rustls makes it from graviola's HMAC, here as in a
/// connection.
struct Kdf {
    hkdf: &'static dyn Hkdf,
    salt: Vec<u8>,
    secret: Vec<u8>,
    derived: Vec<u8>,
}

impl Kdf {
    fn new(suite: Suite, inputs: &Inputs, length: usize) -> Result<Self, Refusal> {
        let suite = provider::suite(suite).and_then(|suite| suite.tls13());
        let hkdf =
            suite.ok_or_else(|| Refusal::Failed("the suite with this hash is gone".into()))?.hkdf_provider;
        let (salt, secret) = (inputs.mac_key[..length].to_vec(), inputs.key[..32].to_vec());
        Ok(Self { hkdf, salt, secret, derived: vec![0; length] })
    }
}

impl Step for Kdf {
    fn once(&mut self) -> Result<(), Refused> {
        let key = self.hkdf.extract_from_secret(Some(&self.salt), &self.secret);
        key.expand_slice(&[], &mut self.derived).map_err(|_| Refused)
    }

    fn answer(&mut self) -> Result<Vec<u8>, Refused> {
        self.once()?;
        Ok(self.derived.clone())
    }
}
