//! Digests, HMAC and HKDF.

use std::hint::black_box;

use tlstax_spec::Algorithm;
use tlstax_worker::{Inputs, Operation, Refusal};

use crate::primitive::step::{Refused, Step, repeat};
use crate::provider::library::{digest, hkdf, hmac};

pub(super) fn operation(algorithm: Algorithm, inputs: &Inputs) -> Result<Box<dyn Operation>, Refusal> {
    let hash = |algorithm| Digest { algorithm, message: inputs.message.clone() };
    let mac = |algorithm: hmac::Algorithm| {
        let key = hmac::Key::new(algorithm, &inputs.mac_key[..algorithm.digest_algorithm().output_len()]);
        Mac { key, message: inputs.message.clone() }
    };
    let kdf = |algorithm: hkdf::Algorithm| {
        let length = algorithm.hmac_algorithm().digest_algorithm().output_len();
        let (salt, secret) = (inputs.mac_key[..length].to_vec(), inputs.key[..32].to_vec());
        Kdf { algorithm, salt, secret, derived: vec![0; length] }
    };
    match algorithm {
        Algorithm::Sha1 => repeat(algorithm, hash(&digest::SHA1_FOR_LEGACY_USE_ONLY)),
        Algorithm::Sha256 => repeat(algorithm, hash(&digest::SHA256)),
        Algorithm::Sha384 => repeat(algorithm, hash(&digest::SHA384)),
        Algorithm::Sha512 => repeat(algorithm, hash(&digest::SHA512)),
        Algorithm::HmacSha1 => repeat(algorithm, mac(hmac::HMAC_SHA1_FOR_LEGACY_USE_ONLY)),
        Algorithm::HmacSha256 => repeat(algorithm, mac(hmac::HMAC_SHA256)),
        Algorithm::HmacSha384 => repeat(algorithm, mac(hmac::HMAC_SHA384)),
        Algorithm::HkdfSha256 => repeat(algorithm, kdf(hkdf::HKDF_SHA256)),
        Algorithm::HkdfSha384 => repeat(algorithm, kdf(hkdf::HKDF_SHA384)),
        _ => Err(Refusal::Unsupported(format!("{algorithm} is no hash of this worker"))),
    }
}

struct Digest {
    algorithm: &'static digest::Algorithm,
    message: Vec<u8>,
}

impl Step for Digest {
    fn once(&mut self) -> Result<(), Refused> {
        black_box(digest::digest(self.algorithm, &self.message));
        Ok(())
    }

    fn answer(&mut self) -> Result<Vec<u8>, Refused> {
        Ok(digest::digest(self.algorithm, &self.message).as_ref().to_vec())
    }
}

/// The key is set up once, as for the records of one connection.
struct Mac {
    key: hmac::Key,
    message: Vec<u8>,
}

impl Step for Mac {
    fn once(&mut self) -> Result<(), Refused> {
        black_box(hmac::sign(&self.key, &self.message));
        Ok(())
    }

    fn answer(&mut self) -> Result<Vec<u8>, Refused> {
        Ok(hmac::sign(&self.key, &self.message).as_ref().to_vec())
    }
}

/// Extraction and expansion, without info.
struct Kdf {
    algorithm: hkdf::Algorithm,
    salt: Vec<u8>,
    secret: Vec<u8>,
    derived: Vec<u8>,
}

impl Step for Kdf {
    fn once(&mut self) -> Result<(), Refused> {
        let key = hkdf::Salt::new(self.algorithm, &self.salt).extract(&self.secret);
        key.expand(&[], self.algorithm)?.fill(&mut self.derived)?;
        Ok(())
    }

    fn answer(&mut self) -> Result<Vec<u8>, Refused> {
        self.once()?;
        Ok(self.derived.clone())
    }
}
