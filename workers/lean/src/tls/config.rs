//! The client that rustls is configured to be.

use std::sync::Arc;

use rustls::client::{Resumption as ClientResumption, Tls12Resumption, UnbufferedClientConnection};
use rustls::crypto::{CryptoProvider, KeyProvider, WebPkiSupportedAlgorithms};
use rustls::pki_types::{PrivateKeyDer, ServerName};
use rustls::sign::SigningKey;
use rustls::{ClientConfig, Error, SupportedCipherSuite, SupportedProtocolVersion, version};
use tlstax_spec::{Group, Http, Key, Params, Resumption, Version};
use tlstax_worker::Refusal;

use super::handshake::Handshake;
use crate::provider::{self, Glance, NotRandom, Sessions};

/// What a load needs of its connections.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Needs<'a> {
    /// What is negotiated, and nothing else offered.
    pub(crate) params: Params,
    /// Whether sessions are kept, and which.
    pub(crate) resumption: Resumption,
    /// What ALPN asks for.
    pub(crate) http: Http,
    /// The server's name for SNI.
    pub(crate) name: &'a str,
    /// The most sessions that are kept.
    pub(crate) sessions: usize,
}

/// Makes the handshakes of one thread.
pub(crate) struct Client {
    config: Arc<ClientConfig>,
    name: ServerName<'static>,
    sessions: Arc<Sessions>,
    keeps_sessions: bool,
}

impl Client {
    /// Sets rustls up with the unit shares.
    ///
    /// # Errors
    /// There is no such suite, or the name is none.
    pub(crate) fn new(needs: &Needs<'_>, verifier: Arc<Glance>) -> Result<Self, Refusal> {
        let version = protocol(needs.params.version);
        let mut config = ClientConfig::builder_with_provider(Arc::new(offered(&needs.params)?))
            .with_protocol_versions(&[version])
            .map_err(|error| Refusal::Failed(format!("setting up the client: {error}")))?
            .dangerous()
            .with_custom_certificate_verifier(verifier)
            .with_no_client_auth();
        let sessions = Arc::new(Sessions::new(needs.sessions));
        config.resumption = resumption(needs.resumption, &sessions);
        config.enable_early_data = needs.resumption == Resumption::EarlyData;
        config.enable_secret_extraction = true;
        if needs.http == Http::Http2 {
            config.alpn_protocols = vec![Http::Http2.name().as_bytes().to_vec()];
        }
        let name = server_name(needs.name)?;
        let keeps_sessions = needs.resumption != Resumption::Full;
        Ok(Self { config: Arc::new(config), name, sessions, keeps_sessions })
    }

    /// Sessions of the thread.
    pub(crate) fn sessions(&self) -> &Sessions {
        &self.sessions
    }

    /// Begins a handshake.
    ///
    /// # Errors
    /// rustls's own.
    pub(crate) fn connect(&self) -> Result<Handshake, Error> {
        let tls = UnbufferedClientConnection::new(self.config.clone(), self.name.clone())?;
        Ok(Handshake::new(tls, self.keeps_sessions))
    }
}

/// What rustls calls a version.
pub(super) fn protocol(version: Version) -> &'static SupportedProtocolVersion {
    match version {
        Version::Tls12 => &version::TLS12,
        Version::Tls13 => &version::TLS13,
    }
}

/// A name for SNI.
pub(super) fn server_name(name: &str) -> Result<ServerName<'static>, Refusal> {
    ServerName::try_from(name.to_owned())
        .map_err(|error| Refusal::Failed(format!("{name} is no name of a server: {error}")))
}

/// One suite and one group. In TLS 1.2 supported_groups also names the curves that certificates may have (RFC 8422,
/// section 5.1), and servers hold it against theirs; that the wanted group was negotiated is proved afterwards.
fn offered(params: &Params) -> Result<CryptoProvider, Refusal> {
    let suite = provider::suite(params.suite).ok_or_else(|| {
        Refusal::Unsupported(format!("rustls, which the lean client is made of, has no {}", params.suite))
    })?;
    let group = params.group.ok_or_else(|| {
        Refusal::Unsupported("rustls, which the lean client is made of, has no RSA key transport".into())
    })?;
    let curve = match params.key {
        Key::EcdsaP256 => Some(Group::Secp256r1),
        Key::EcdsaP384 => Some(Group::Secp384r1),
        _ => None,
    };
    let curve = curve.filter(|curve| params.version == Version::Tls12 && group != *curve);
    Ok(of(vec![suite], [Some(group), curve].into_iter().flatten()))
}

/// What rustls is given: these suites and groups, and nothing that is true.
pub(super) fn of(
    cipher_suites: Vec<SupportedCipherSuite>,
    groups: impl Iterator<Item = Group>,
) -> CryptoProvider {
    CryptoProvider {
        cipher_suites,
        kx_groups: groups.map(provider::group).collect(),
        // Ours does without them.
        signature_verification_algorithms: WebPkiSupportedAlgorithms { all: &[], mapping: &[] },
        secure_random: &NotRandom,
        key_provider: &NoKeys,
    }
}

fn resumption(resumption: Resumption, sessions: &Arc<Sessions>) -> ClientResumption {
    let tls12 = match resumption {
        Resumption::Full => return ClientResumption::disabled(),
        Resumption::SessionId => Tls12Resumption::SessionIdOnly,
        _ => Tls12Resumption::SessionIdOrTickets,
    };
    ClientResumption::store(sessions.clone()).tls12_resumption(tls12)
}

/// The client shows no certificate, so it loads no key.
#[derive(Debug)]
struct NoKeys;

impl KeyProvider for NoKeys {
    fn load_private_key(&self, _: PrivateKeyDer<'static>) -> Result<Arc<dyn SigningKey>, Error> {
        Err(Error::General("the lean client has no private keys".to_owned()))
    }
}
