//! Digests, HMAC and HKDF.

use tlstax_spec::Algorithm;
use tlstax_worker::{Inputs, Operation, Refusal};

use crate::primitive::step::{compute, in_place};
use crate::provider::library::{digest, hkdf, hmac};

pub(super) fn operation(algorithm: Algorithm, inputs: &Inputs) -> Result<Box<dyn Operation>, Refusal> {
    let hash = |hash: &'static digest::Algorithm| {
        let message = inputs.message.clone();
        compute(algorithm, move || Ok(digest::digest(hash, &message)))
    };
    // The key is set up once, as for the records of one connection.
    let mac = |hash: hmac::Algorithm| {
        let key = hmac::Key::new(hash, &inputs.mac_key[..hash.digest_algorithm().output_len()]);
        let message = inputs.message.clone();
        compute(algorithm, move || Ok(hmac::sign(&key, &message)))
    };
    // Extraction and expansion, without info.
    let kdf = |hash: hkdf::Algorithm| {
        let length = hash.hmac_algorithm().digest_algorithm().output_len();
        let (salt, secret) = (inputs.mac_key[..length].to_vec(), inputs.key[..32].to_vec());
        in_place(algorithm, vec![0; length], move |derived| {
            let key = hkdf::Salt::new(hash, &salt).extract(&secret);
            Ok(key.expand(&[], hash)?.fill(derived)?)
        })
    };
    match algorithm {
        Algorithm::Sha1 => hash(&digest::SHA1_FOR_LEGACY_USE_ONLY),
        Algorithm::Sha256 => hash(&digest::SHA256),
        Algorithm::Sha384 => hash(&digest::SHA384),
        Algorithm::Sha512 => hash(&digest::SHA512),
        Algorithm::HmacSha1 => mac(hmac::HMAC_SHA1_FOR_LEGACY_USE_ONLY),
        Algorithm::HmacSha256 => mac(hmac::HMAC_SHA256),
        Algorithm::HmacSha384 => mac(hmac::HMAC_SHA384),
        Algorithm::HkdfSha256 => kdf(hkdf::HKDF_SHA256),
        Algorithm::HkdfSha384 => kdf(hkdf::HKDF_SHA384),
        _ => Err(Refusal::Unsupported(format!("{algorithm} is no hash of this worker"))),
    }
}
