//! Digests, HMAC and HKDF.

use std::hint::black_box;

use graviola::hashing::hmac::Hmac;
use graviola::hashing::{Hash, Sha256, Sha384, Sha512};
use tlstax_spec::{Algorithm, Suite};
use tlstax_worker::{Inputs, Operation, Refusal};

use crate::primitive::step::{Refused, compute, in_place};
use crate::provider;

pub(super) fn operation(algorithm: Algorithm, inputs: &Inputs) -> Result<Box<dyn Operation>, Refusal> {
    match algorithm {
        Algorithm::Sha256 => digest::<Sha256>(algorithm, inputs),
        Algorithm::Sha384 => digest::<Sha384>(algorithm, inputs),
        Algorithm::Sha512 => digest::<Sha512>(algorithm, inputs),
        Algorithm::HmacSha256 => mac::<Sha256>(algorithm, inputs, 32),
        Algorithm::HmacSha384 => mac::<Sha384>(algorithm, inputs, 48),
        Algorithm::HkdfSha256 => kdf(algorithm, Suite::Aes128Gcm, inputs, 32),
        Algorithm::HkdfSha384 => kdf(algorithm, Suite::Aes256Gcm, inputs, 48),
        _ => Err(Refusal::Unsupported(format!("{algorithm} is no hash of this worker"))),
    }
}

fn digest<H: Hash + 'static>(algorithm: Algorithm, inputs: &Inputs) -> Result<Box<dyn Operation>, Refusal> {
    let message = inputs.message.clone();
    compute(algorithm, move || Ok(H::hash(black_box(&message))))
}

/// The key is set up once, as for the records of one connection, and copied for each message, as rustls does.
fn mac<H: Hash<Context: Send> + Clone + Send + 'static>(
    algorithm: Algorithm,
    inputs: &Inputs,
    length: usize,
) -> Result<Box<dyn Operation>, Refusal> {
    let (key, message) = (Hmac::<H>::new(&inputs.mac_key[..length]), inputs.message.clone());
    compute(algorithm, move || {
        let mut mac = key.clone();
        mac.update(&message);
        Ok(mac.finish())
    })
}

/// Extraction and expansion, without info. graviola exports no HKDF: rustls makes it from graviola's HMAC, here as in a
/// connection.
fn kdf(
    algorithm: Algorithm,
    suite: Suite,
    inputs: &Inputs,
    length: usize,
) -> Result<Box<dyn Operation>, Refusal> {
    let suite = provider::suite(suite).and_then(|suite| suite.tls13());
    let hkdf = suite.ok_or_else(|| Refusal::Failed("the suite with this hash is gone".into()))?.hkdf_provider;
    let (salt, secret) = (inputs.mac_key[..length].to_vec(), inputs.key[..32].to_vec());
    in_place(algorithm, vec![0; length], move |derived| {
        let key = hkdf.extract_from_secret(Some(&salt), &secret);
        key.expand_slice(&[], derived).map_err(|_| Refused)
    })
}
