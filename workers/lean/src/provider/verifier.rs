//! The verifier: a glance at the certificate's bytes, and one connection in so many looked at in full.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{DigitallySignedStruct, Error, RootCertStore, SignatureScheme};
use tlstax_spec::Key;
use tlstax_worker::{Pki, Refusal};

use super::certificate;

/// The certificate keys that can be negotiated: a signature that is not checked can be of any kind.
pub(crate) fn keys() -> impl Iterator<Item = Key> {
    Key::ALL.iter().copied()
}

/// The longest chain of certificates under `pki/`.
const LONGEST_CHAIN: u8 = 3;

/// Accepts the certificate that is expected and believes every signature.
#[derive(Debug)]
pub(crate) struct Glance {
    key: Key,
    expected: Expected,
    /// Verifies one in so many; none where nothing here can.
    full: Option<Arc<WebPkiServerVerifier>>,
    one_in: u64,
    certificates: AtomicU64,
    signatures: AtomicU64,
}

#[derive(Debug)]
enum Expected {
    /// Those of the test server, which has one for each length of chain.
    Ours(Vec<CertificateDer<'static>>),
    /// The first that a server shows that is not ours.
    First(OnceLock<CertificateDer<'static>>),
}

impl Glance {
    /// For tlstax's own server: one certificate in `one_in` is verified with its chain and name and one signature in
    /// `one_in`, where ring has the algorithm; 0 is none.
    pub(crate) fn of_ours(pki: &Pki, key: Key, one_in: u64) -> Result<Self, Refusal> {
        let expected = (1..=LONGEST_CHAIN)
            .map(|length| first(&pki.server_chain(key, length).map_err(unreadable)?))
            .collect::<Result<_, _>>()?;
        let mut roots = RootCertStore::empty();
        roots.add(first(&pki.root(key).map_err(unreadable)?)?).map_err(bad)?;
        Ok(Self::new(key, Expected::Ours(expected), full(key, roots)?, one_in))
    }

    /// For a server of the user's: whose certificate is good is not known, so only signatures are verified, with the key
    /// in the certificate that the server shows.
    pub(crate) fn of_any(pki: &Pki, key: Key, one_in: u64) -> Result<Self, Refusal> {
        let mut roots = RootCertStore::empty();
        // It is not asked, but a verifier without a root cannot be made.
        roots.add(first(&pki.root(key).map_err(unreadable)?)?).map_err(bad)?;
        Ok(Self::new(key, Expected::First(OnceLock::new()), full(key, roots)?, one_in))
    }

    fn new(key: Key, expected: Expected, full: Option<Arc<WebPkiServerVerifier>>, one_in: u64) -> Self {
        let full = full.filter(|_| one_in > 0);
        // The first connections are looked at: a mistake should show at once.
        Self { key, expected, full, one_in, certificates: AtomicU64::new(0), signatures: AtomicU64::new(0) }
    }

    /// The verifier, if it is this connection's turn.
    fn sampled(&self, counter: &AtomicU64) -> Option<&WebPkiServerVerifier> {
        let full = self.full.as_deref()?;
        counter.fetch_add(1, Ordering::Relaxed).is_multiple_of(self.one_in).then_some(full)
    }

    fn compare(&self, shown: &CertificateDer<'_>) -> Result<(), Error> {
        let is_expected = match &self.expected {
            Expected::Ours(certificates) => certificates.contains(shown),
            Expected::First(seen) => match seen.get() {
                Some(seen) => seen == shown,
                None if certificate::key(shown) == Some(self.key) => {
                    seen.get_or_init(|| shown.clone().into_owned()) == shown
                }
                None => false,
            },
        };
        match is_expected {
            true => Ok(()),
            false => Err(Error::General(match self.expected {
                Expected::Ours(_) => format!(
                    "the server shows another certificate than server-1.pem to server-{LONGEST_CHAIN}.pem of {}",
                    self.key
                ),
                Expected::First(_) => {
                    format!(
                        "the server shows a certificate that is not of {}, or another one than before",
                        self.key
                    )
                }
            })),
        }
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
            (Expected::Ours(_), Some(full)) => {
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
        match self.sampled(&self.signatures) {
            Some(full) => full.verify_tls12_signature(message, certificate, signed),
            None => Ok(HandshakeSignatureValid::assertion()),
        }
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        match self.sampled(&self.signatures) {
            Some(full) => full.verify_tls13_signature(message, certificate, signed),
            None => Ok(HandshakeSignatureValid::assertion()),
        }
    }

    /// What the server may sign with: what the key of the case allows.
    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        schemes(self.key)
    }
}

/// Takes any certificate and believes every signature: whoever only looks at a server trusts it with nothing.
#[derive(Debug)]
pub(crate) struct Anyone;

impl ServerCertVerifier for Anyone {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        _: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        Ok(HandshakeSignatureValid::assertion())
    }

    fn verify_tls13_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        _: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        Ok(HandshakeSignatureValid::assertion())
    }

    /// All there are; RSA, which costs a server the most, is not what it should choose if it has another key.
    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        let is_rsa = |key: &Key| matches!(key, Key::Rsa2048 | Key::Rsa3072 | Key::Rsa4096);
        let others = Key::ALL.iter().filter(|key| !is_rsa(key));
        others.chain([&Key::Rsa2048]).flat_map(|key| schemes(*key)).collect()
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
fn full(key: Key, roots: RootCertStore) -> Result<Option<Arc<WebPkiServerVerifier>>, Refusal> {
    let provider = rustls::crypto::ring::default_provider();
    let id = certificate::key_algorithm(key);
    let known = provider.signature_verification_algorithms.all;
    if !known.iter().any(|algorithm| algorithm.public_key_alg_id() == id) {
        return Ok(None);
    }
    let builder = WebPkiServerVerifier::builder_with_provider(Arc::new(roots), Arc::new(provider));
    builder.build().map(Some).map_err(|error| Refusal::Failed(format!("setting up verification: {error}")))
}

fn first(pem: &[u8]) -> Result<CertificateDer<'static>, Refusal> {
    CertificateDer::from_pem_slice(pem)
        .map_err(|error| Refusal::Failed(format!("reading certificates: {error}")))
}

fn bad(error: Error) -> Refusal {
    Refusal::Failed(format!("adding the root certificate: {error}"))
}

fn unreadable(error: io::Error) -> Refusal {
    Refusal::Failed(error.to_string())
}
