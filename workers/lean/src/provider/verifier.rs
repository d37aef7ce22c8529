//! The verifier: a glance at the certificate's bytes, and one connection in so many looked at in full.

use std::fmt::Display;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::server::ParsedCertificate;
use rustls::{DigitallySignedStruct, Error, RootCertStore, SignatureScheme};
use tlstax_spec::{Key, Side};
use tlstax_worker::{Pki, Refusal, der};

/// The longest chain of certificates under `pki/`.
const LONGEST_CHAIN: u8 = 3;

/// Accepts the certificate that is expected and believes every signature.
#[derive(Debug)]
pub(crate) struct Glance {
    expected: Expected,
    /// What the server may sign with.
    schemes: Vec<SignatureScheme>,
    /// Verifies one in so many; none where nothing here can.
    full: Option<Arc<WebPkiServerVerifier>>,
    one_in: u64,
    certificates: AtomicU64,
    signatures: AtomicU64,
}

#[derive(Debug)]
enum Expected {
    /// Those of the test server, which has one for each length of chain.
    Ours(Key, Vec<CertificateDer<'static>>),
    /// The first that a server shows that is not ours.
    First(Key, OnceLock<CertificateDer<'static>>),
    Any,
}

impl Glance {
    /// For tlstax's own server: one certificate in `one_in` is verified with its chain and name and one signature in
    /// `one_in`, where ring has the algorithm; 0 is none.
    pub(crate) fn of_ours(pki: &Pki, key: Key, one_in: u64) -> Result<Self, Refusal> {
        let certificates = (1..=LONGEST_CHAIN).map(|length| first(&pki.chain(Side::Server, key, length)?));
        let expected = Expected::Ours(key, certificates.collect::<Result<_, _>>()?);
        Ok(Self::new(expected, schemes(key), full(pki, key)?, one_in))
    }

    /// For a server of the user's: whose certificate is good is not known, so only signatures are verified, with the key
    /// in the certificate that the server shows. The root is not asked, but a verifier without one cannot be made.
    pub(crate) fn of_first(pki: &Pki, key: Key, one_in: u64) -> Result<Self, Refusal> {
        Ok(Self::new(Expected::First(key, OnceLock::new()), schemes(key), full(pki, key)?, one_in))
    }

    /// Takes any certificate and believes every signature: whoever only looks at a server trusts it with nothing. RSA,
    /// which costs a server the most, is not what it should choose if it has another key.
    pub(crate) fn of_any() -> Self {
        let others = Key::ALL.iter().filter(|key| !key.is_rsa());
        let schemes = others.chain([&Key::Rsa2048]).flat_map(|key| schemes(*key)).collect();
        Self::new(Expected::Any, schemes, None, 0)
    }

    fn new(
        expected: Expected,
        schemes: Vec<SignatureScheme>,
        full: Option<Arc<WebPkiServerVerifier>>,
        one_in: u64,
    ) -> Self {
        let full = full.filter(|_| one_in > 0);
        // The first connections are looked at: a mistake should show at once.
        let (certificates, signatures) = Default::default();
        Self { expected, schemes, full, one_in, certificates, signatures }
    }

    /// The verifier, if it is this connection's turn.
    fn sampled(&self, counter: &AtomicU64) -> Option<&WebPkiServerVerifier> {
        let full = self.full.as_deref()?;
        counter.fetch_add(1, Ordering::Relaxed).is_multiple_of(self.one_in).then_some(full)
    }

    fn compare(&self, shown: &CertificateDer<'_>) -> Result<(), Error> {
        Err(Error::General(match &self.expected {
            Expected::Any => return Ok(()),
            Expected::Ours(_, certificates) if certificates.contains(shown) => return Ok(()),
            Expected::Ours(key, _) => {
                format!(
                    "the server shows another certificate than server-1.pem to server-{LONGEST_CHAIN}.pem of {key}"
                )
            }
            Expected::First(key, seen) => {
                let may_be_first = || key_of(shown) == Some(*key);
                if (seen.get().is_some() || may_be_first())
                    && seen.get_or_init(|| shown.clone().into_owned()) == shown
                {
                    return Ok(());
                }
                format!("the server shows a certificate that is not of {key}, or another one than before")
            }
        }))
    }

    fn believe(
        &self,
        verify: impl FnOnce(&WebPkiServerVerifier) -> Result<HandshakeSignatureValid, Error>,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.sampled(&self.signatures).map_or_else(|| Ok(HandshakeSignatureValid::assertion()), verify)
    }
}

impl ServerCertVerifier for Glance {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        self.compare(end_entity)?;
        match (&self.expected, self.sampled(&self.certificates)) {
            (Expected::Ours(..), Some(full)) => {
                full.verify_server_cert(end_entity, intermediates, name, ocsp, now)
            }
            _ => Ok(ServerCertVerified::assertion()),
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.believe(|full| full.verify_tls12_signature(message, certificate, signed))
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.believe(|full| full.verify_tls13_signature(message, certificate, signed))
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.schemes.clone()
    }
}

/// What a server with such a key may sign with, the usual first.
fn schemes(key: Key) -> Vec<SignatureScheme> {
    match key {
        Key::EcdsaP256 => vec![SignatureScheme::ECDSA_NISTP256_SHA256],
        Key::EcdsaP384 => vec![SignatureScheme::ECDSA_NISTP384_SHA384],
        Key::Ed25519 => vec![SignatureScheme::ED25519],
        Key::MlDsa44 => vec![SignatureScheme::ML_DSA_44],
        Key::MlDsa65 => vec![SignatureScheme::ML_DSA_65],
        Key::MlDsa87 => vec![SignatureScheme::ML_DSA_87],
        // PKCS #1 is for TLS 1.2.
        Key::Rsa2048 | Key::Rsa3072 | Key::Rsa4096 => vec![
            SignatureScheme::RSA_PSS_SHA256,
            SignatureScheme::RSA_PSS_SHA384,
            SignatureScheme::RSA_PSS_SHA512,
            SignatureScheme::RSA_PKCS1_SHA256,
            SignatureScheme::RSA_PKCS1_SHA384,
            SignatureScheme::RSA_PKCS1_SHA512,
        ],
    }
}

/// The verifier of rustls with the algorithms of ring; none where ring has no such signatures.
fn full(pki: &Pki, key: Key) -> Result<Option<Arc<WebPkiServerVerifier>>, Refusal> {
    let provider = rustls::crypto::ring::default_provider();
    let known = provider.signature_verification_algorithms.all;
    if !known.iter().any(|known| known.public_key_alg_id().as_ref() == der::algorithm(key)) {
        return Ok(None);
    }
    let failed = |doing: &str, error: &dyn Display| Refusal::Failed(format!("{doing}: {error}"));
    let mut roots = RootCertStore::empty();
    roots.add(first(&pki.root(key)?)?).map_err(|error| failed("adding the root certificate", &error))?;
    let builder = WebPkiServerVerifier::builder_with_provider(Arc::new(roots), Arc::new(provider));
    builder.build().map(Some).map_err(|error| failed("setting up verification", &error))
}

fn first(pem: &[u8]) -> Result<CertificateDer<'static>, Refusal> {
    CertificateDer::from_pem_slice(pem)
        .map_err(|error| Refusal::Failed(format!("reading certificates: {error}")))
}

/// The kind of key in a certificate, if it is one of the vocabulary.
pub(crate) fn key_of(certificate: &CertificateDer<'_>) -> Option<Key> {
    der::key(&ParsedCertificate::try_from(certificate).ok()?.subject_public_key_info())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::tests::pki;

    #[test]
    fn every_key_of_the_vocabulary_is_known_by_its_certificate() {
        for &wanted in Key::ALL {
            assert_eq!(key_of(&first(&pki().chain(Side::Server, wanted, 1).unwrap()).unwrap()), Some(wanted));
        }
        assert_eq!(key_of(&CertificateDer::from(&b"\x30\x82\xff\xff"[..])), None);
    }
}
