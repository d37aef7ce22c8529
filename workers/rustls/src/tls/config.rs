//! The two ends: a rustls configuration made from an [`Endpoint`].

use std::io;
use std::sync::Arc;

use rustls::client::{Resumption as ClientResumption, Tls12Resumption};
use rustls::crypto::CryptoProvider;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use rustls::server::{NoServerSessionStorage, ServerSessionMemoryCache, WebPkiClientVerifier};
use rustls::{ClientConfig, ClientConnection, RootCertStore, ServerConfig, ServerConnection};
use rustls::{SignatureScheme, SupportedCipherSuite, SupportedProtocolVersion, version};
use tlstax_spec::{Key, Params, Resumption, Side, Version};
use tlstax_worker::pki::SERVER_NAME;
use tlstax_worker::{Config, Connection, Endpoint, Refusal, Transport};

use super::SESSIONS;
use super::connection::Link;
use super::sessions::Sessions;
use crate::provider;

pub(crate) struct Client {
    config: Arc<ClientConfig>,
    server: ServerName<'static>,
}

pub(crate) struct Server {
    config: Arc<ServerConfig>,
    key: Key,
}

/// What a server takes as early data, in bytes.
const EARLY_DATA_LIMIT: u32 = 16384;

impl Client {
    /// Verifies the server's chain and name against the root with rustls's own verifier.
    pub(crate) fn new(endpoint: &Endpoint<'_>) -> Result<Self, Refusal> {
        let builder = ClientConfig::builder_with_provider(offered(&endpoint.params)?)
            .with_protocol_versions(&[protocol_version(endpoint.params.version)?])
            .map_err(|error| failed("setting up the client", error))?
            .with_root_certificates(root(endpoint)?);
        let mut config = if endpoint.mutual {
            let (chain, key) = identity(endpoint, Side::Client)?;
            builder
                .with_client_auth_cert(chain, key)
                .map_err(|error| failed("loading the client's key", error))?
        } else {
            builder.with_no_client_auth()
        };
        config.resumption = client_resumption(endpoint.resumption);
        config.enable_early_data = endpoint.resumption == Resumption::EarlyData;
        config.max_fragment_size = fragment(endpoint);
        let server = ServerName::try_from(SERVER_NAME).expect("the name of the test server is a DNS name");
        Ok(Self { config: Arc::new(config), server })
    }
}

impl Server {
    /// Asks for a client certificate and verifies it only where authentication is mutual.
    pub(crate) fn new(endpoint: &Endpoint<'_>) -> Result<Self, Refusal> {
        let provider = negotiable(&endpoint.params)?;
        let builder = ServerConfig::builder_with_provider(provider.clone())
            .with_protocol_versions(&[protocol_version(endpoint.params.version)?])
            .map_err(|error| failed("setting up the server", error))?;
        let builder = if endpoint.mutual {
            let verifier = WebPkiClientVerifier::builder_with_provider(Arc::new(root(endpoint)?), provider)
                .build()
                .map_err(|error| failed("setting up the verification of clients", error))?;
            builder.with_client_cert_verifier(verifier)
        } else {
            builder.with_no_client_auth()
        };
        let (chain, private) = identity(endpoint, Side::Server)?;
        let mut config = builder
            .with_single_cert(chain, private)
            .map_err(|error| failed("loading the server's key", error))?;
        set_server_resumption(&mut config, endpoint.resumption)?;
        config.max_fragment_size = fragment(endpoint);
        Ok(Self { config: Arc::new(config), key: endpoint.params.key })
    }
}

impl Config for Client {
    fn connect(&self, transport: Box<dyn Transport>) -> io::Result<Box<dyn Connection>> {
        let tls =
            ClientConnection::new(self.config.clone(), self.server.clone()).map_err(io::Error::other)?;
        Ok(Box::new(Link::client(tls, transport)?))
    }
}

impl Config for Server {
    fn connect(&self, transport: Box<dyn Transport>) -> io::Result<Box<dyn Connection>> {
        let tls = ServerConnection::new(self.config.clone()).map_err(io::Error::other)?;
        Ok(Box::new(Link::server(tls, self.key, transport)))
    }
}

/// What a client offers, with the curve of the key; that the wanted group was negotiated is proved afterwards.
fn offered(params: &Params) -> Result<Arc<CryptoProvider>, Refusal> {
    let mut provider = negotiable(params)?;
    if let Some(curve) = params.curve_of_key().and_then(provider::group) {
        Arc::make_mut(&mut provider).kx_groups.push(curve);
    }
    Ok(provider)
}

fn negotiable(params: &Params) -> Result<Arc<CryptoProvider>, Refusal> {
    let unsupported = |what: &dyn std::fmt::Display| {
        Refusal::Unsupported(format!("rustls with {} does not have {what}", provider::NAME))
    };
    let suite = provider::suite(params.suite).ok_or_else(|| unsupported(&params.suite))?;
    let group = params.group.ok_or_else(|| unsupported(&"RSA key transport"))?;
    let group = provider::group(group).ok_or_else(|| unsupported(&group))?;
    if !provider::keys().any(|key| key == params.key) {
        return Err(unsupported(&format!("certificates of {}", params.key)));
    }
    // rustls-graviola leaves it out of its suites of TLS 1.2.
    if let (SupportedCipherSuite::Tls12(tls12), Key::Ed25519) = (suite, params.key)
        && !tls12.sign.contains(&SignatureScheme::ED25519)
    {
        return Err(unsupported(&"certificates of ed25519 in TLS 1.2"));
    }
    Ok(Arc::new(provider::only(suite, group)))
}

fn protocol_version(wanted: Version) -> Result<&'static SupportedProtocolVersion, Refusal> {
    match wanted {
        Version::Tls12 => Ok(&version::TLS12),
        Version::Tls13 => Ok(&version::TLS13),
        older => Err(Refusal::Unsupported(format!("rustls has no {older}"))),
    }
}

fn root(endpoint: &Endpoint<'_>) -> Result<RootCertStore, Refusal> {
    let pem = endpoint.pki.root(endpoint.params.key)?;
    let mut store = RootCertStore::empty();
    for certificate in certificates(&pem)? {
        store.add(certificate).map_err(|error| failed("adding the root certificate", error))?;
    }
    Ok(store)
}

/// A side's chain and its private key.
fn identity(
    endpoint: &Endpoint<'_>,
    side: Side,
) -> Result<(Vec<CertificateDer<'static>>, PrivateKeyDer<'static>), Refusal> {
    let (pki, key) = (endpoint.pki, endpoint.params.key);
    let (chain, private) = (pki.chain(side, key, endpoint.chain)?, pki.private_key(side, key)?);
    let private =
        PrivateKeyDer::from_pem_slice(&private).map_err(|error| failed("reading a private key", error))?;
    Ok((certificates(&chain)?, private))
}

fn certificates(pem: &[u8]) -> Result<Vec<CertificateDer<'static>>, Refusal> {
    CertificateDer::pem_slice_iter(pem)
        .collect::<Result<_, _>>()
        .map_err(|error| failed("reading certificates", error))
}

fn client_resumption(resumption: Resumption) -> ClientResumption {
    let tls12 = match resumption {
        Resumption::Full => return ClientResumption::disabled(),
        Resumption::SessionId => Tls12Resumption::SessionIdOnly,
        _ => Tls12Resumption::SessionIdOrTickets,
    };
    ClientResumption::store(Arc::new(Sessions::default())).tls12_resumption(tls12)
}

/// With a ticketer the client carries the state, without one the server does. Early data needs the latter: rustls
/// forbids replays by using each session once.
fn set_server_resumption(config: &mut ServerConfig, resumption: Resumption) -> Result<(), Refusal> {
    config.session_storage = match resumption {
        Resumption::SessionId | Resumption::EarlyData => ServerSessionMemoryCache::new(SESSIONS),
        Resumption::Full | Resumption::Ticket | Resumption::Psk => Arc::new(NoServerSessionStorage {}),
    };
    if matches!(resumption, Resumption::Ticket | Resumption::Psk) {
        config.ticketer =
            provider::bridge::Ticketer::new().map_err(|error| failed("making a key for tickets", error))?;
    }
    if resumption == Resumption::EarlyData {
        config.max_early_data_size = EARLY_DATA_LIMIT;
    }
    config.send_tls13_tickets = usize::from(resumption != Resumption::Full);
    Ok(())
}

/// rustls counts the five bytes of the record header, and nothing else of what encryption adds.
fn fragment(endpoint: &Endpoint<'_>) -> Option<usize> {
    const HEADER: usize = 5;
    Some(endpoint.record as usize + HEADER)
}

fn failed(what: &str, error: impl std::fmt::Display) -> Refusal {
    Refusal::Failed(format!("{what}: {error}"))
}
