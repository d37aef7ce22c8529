//! Signatures.
//!
//! Each call hashes its message. RSA signs as TLS 1.3 does: PSS, SHA-256, a salt as long as the digest.

use rustls::pki_types::PrivateKeyDer;
use rustls::pki_types::pem::PemObject;
use tlstax_spec::{Algorithm, Key, Op, Side};
use tlstax_worker::{Inputs, Operation, Refusal};

use super::own;
use super::step::{CHECKED, Refused, Step, preparing, repeat};

pub(super) fn operation(
    algorithm: Algorithm,
    op: Op,
    inputs: &Inputs,
) -> Result<Box<dyn Operation>, Refusal> {
    let message = inputs.message.clone();
    let verifier =
        |public: &[u8]| own::Verifier::new(algorithm, public).map_err(preparing("reading a public key"));
    if op == Op::Verify {
        // Of the post-quantum algorithms the inputs hold the public key, of the others pki/ holds the private one.
        let verifier = if is_given(algorithm) {
            verifier(&inputs.peer)?
        } else {
            verifier(&signing_key(algorithm, inputs)?.public())?
        };
        return repeat(algorithm, Verify { verifier, message, signature: inputs.signature.clone() });
    }
    let key = signing_key(algorithm, inputs)?;
    let verifier = verifier(&key.public())?;
    let fixed = algorithm == Algorithm::Ed25519;
    repeat(algorithm, Sign { key, verifier, message, signature: Vec::new(), fixed })
}

/// Whether the keys are in the inputs and not in pki/.
fn is_given(algorithm: Algorithm) -> bool {
    use Algorithm::*;
    matches!(algorithm, MlDsa44 | MlDsa65 | MlDsa87 | SlhDsaSha2128f)
}

fn signing_key(algorithm: Algorithm, inputs: &Inputs) -> Result<own::SigningKey, Refusal> {
    if is_given(algorithm) {
        return own::SigningKey::new(algorithm, &inputs.private_key);
    }
    let key: Key = algorithm.name().parse().map_err(preparing("choosing a key"))?;
    let pem = inputs.pki.private_key(Side::Server, key)?;
    let der = PrivateKeyDer::from_pem_slice(&pem).map_err(preparing("reading a private key"))?;
    own::SigningKey::new(algorithm, der.secret_der())
}

struct Sign {
    key: own::SigningKey,
    verifier: own::Verifier,
    message: Vec<u8>,
    signature: Vec<u8>,
    /// Whether the same message gives the same signature.
    fixed: bool,
}

impl Step for Sign {
    fn once(&mut self) -> Result<(), Refused> {
        self.key.sign(&self.message, &mut self.signature)?;
        Ok(())
    }

    fn answer(&mut self) -> Result<Vec<u8>, Refused> {
        self.once()?;
        self.verifier.verify(&self.message, &self.signature)?;
        Ok(if self.fixed { self.signature.clone() } else { CHECKED.to_vec() })
    }
}

struct Verify {
    verifier: own::Verifier,
    message: Vec<u8>,
    signature: Vec<u8>,
}

impl Step for Verify {
    fn once(&mut self) -> Result<(), Refused> {
        self.verifier.verify(&self.message, &self.signature)?;
        Ok(())
    }

    /// The signature must be good for the message, and not for another one.
    fn answer(&mut self) -> Result<Vec<u8>, Refused> {
        self.once()?;
        let mut other = self.message.clone();
        other.push(0);
        match self.verifier.verify(&other, &self.signature) {
            Ok(()) => Err(Refused),
            Err(_) => Ok(CHECKED.to_vec()),
        }
    }
}
