//! The client that rustls is configured to be.

use std::sync::Arc;

use rustls::client::{Resumption as ClientResumption, Tls12Resumption, UnbufferedClientConnection};
use rustls::crypto::{CryptoProvider, ring};
use rustls::pki_types::ServerName;
use rustls::{ClientConfig, SupportedCipherSuite, version};
use tlstax_spec::{Group, Http, Load, Params, Resumption, Version};
use tlstax_worker::Refusal;

use super::handshake::{Handshake, HandshakeError};
use crate::provider::{self, Glance, NotRandom, Sessions};

/// Makes the handshakes of one thread.
pub(crate) struct Client {
    config: Arc<ClientConfig>,
    name: ServerName<'static>,
    /// Those of the thread.
    pub(crate) sessions: Arc<Sessions>,
    keeps_sessions: bool,
}

impl Client {
    /// Sets rustls up with the unit shares, for connections of a load that negotiate this and keep so many sessions at most.
    ///
    /// # Errors
    /// There is no such suite, or the name is none.
    pub(crate) fn new(
        params: Params,
        load: &Load,
        name: &str,
        sessions: usize,
        verifier: Arc<Glance>,
    ) -> Result<Self, Refusal> {
        let mut config = config(offered(&params)?, params.version, verifier)?;
        let sessions = Arc::new(Sessions::new(sessions));
        config.resumption = resumption(load.resumption, &sessions);
        config.enable_early_data = load.resumption == Resumption::EarlyData;
        config.enable_secret_extraction = true;
        if load.http == Http::Http2 {
            config.alpn_protocols = vec![Http::Http2.name().as_bytes().to_vec()];
        }
        let keeps_sessions = load.resumption != Resumption::Full;
        Ok(Self { config: Arc::new(config), name: server_name(name)?, sessions, keeps_sessions })
    }

    /// Begins a handshake.
    ///
    /// # Errors
    /// rustls's own.
    pub(crate) fn connect(&self) -> Result<Handshake, HandshakeError> {
        let tls = UnbufferedClientConnection::new(self.config.clone(), self.name.clone())?;
        Ok(Handshake::new(tls, self.keeps_sessions))
    }
}

/// A client of one version that shows no certificate.
pub(super) fn config(
    provider: CryptoProvider,
    version: Version,
    verifier: Arc<Glance>,
) -> Result<ClientConfig, Refusal> {
    let version = match version {
        Version::Tls12 => &version::TLS12,
        Version::Tls13 => &version::TLS13,
        older => {
            let what = format!("rustls, which the lean client is made of, has no {older}");
            return Err(Refusal::Unsupported(what));
        }
    };
    Ok(ClientConfig::builder_with_provider(Arc::new(provider))
        .with_protocol_versions(&[version])
        .map_err(|error| Refusal::Failed(format!("setting up the client: {error}")))?
        .dangerous()
        .with_custom_certificate_verifier(verifier)
        .with_no_client_auth())
}

/// A name for SNI.
pub(super) fn server_name(name: &str) -> Result<ServerName<'static>, Refusal> {
    ServerName::try_from(name.to_owned())
        .map_err(|error| Refusal::Failed(format!("{name} is no name of a server: {error}")))
}

/// One suite and one group, with the curve of the key; that the wanted group was negotiated is proved afterwards.
fn offered(params: &Params) -> Result<CryptoProvider, Refusal> {
    let suite = provider::suite(params.suite).ok_or_else(|| {
        Refusal::Unsupported(format!("rustls, which the lean client is made of, has no {}", params.suite))
    })?;
    let group = params.group.ok_or_else(|| {
        Refusal::Unsupported("rustls, which the lean client is made of, has no RSA key transport".into())
    })?;
    Ok(of(vec![suite], [Some(group), params.curve_of_key()].into_iter().flatten()))
}

/// What rustls is given: these suites and groups, and nothing that is random.
pub(super) fn of(
    cipher_suites: Vec<SupportedCipherSuite>,
    groups: impl Iterator<Item = Group>,
) -> CryptoProvider {
    let kx_groups = groups.map(provider::group).collect();
    CryptoProvider { cipher_suites, kx_groups, secure_random: &NotRandom, ..ring::default_provider() }
}

fn resumption(resumption: Resumption, sessions: &Arc<Sessions>) -> ClientResumption {
    let tls12 = match resumption {
        Resumption::Full => return ClientResumption::disabled(),
        Resumption::SessionId => Tls12Resumption::SessionIdOnly,
        _ => Tls12Resumption::SessionIdOrTickets,
    };
    ClientResumption::store(sessions.clone()).tls12_resumption(tls12)
}
