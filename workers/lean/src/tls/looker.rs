//! The client that looks at a server: ordinary connections of rustls, in which everything is offered that there is.

use std::sync::Arc;

use rustls::client::{Resumption, Tls12Resumption};
use rustls::{ClientConfig, ClientConnection};
use tlstax_spec::{Group, Http, Version};
use tlstax_worker::Refusal;

use super::config::{config, of, server_name};
use crate::provider::{self, Glance};

/// Sessions that are kept: a server gives out a few tickets on a connection.
const SESSIONS: usize = 8;

/// Makes connections of one version; a later one offers the session of an earlier one.
pub(crate) struct Looker(ClientConfig);

impl Looker {
    /// Offers every suite and group of the vocabulary, in its order, and takes any certificate.
    ///
    /// # Errors
    /// rustls does not take what it is given.
    pub(crate) fn new(version: Version, tls12: Tls12Resumption) -> Result<Self, Refusal> {
        let suites = provider::suites().filter(|suite| suite.version() == version);
        let provider = of(suites.filter_map(provider::suite).collect(), Group::ALL.iter().copied());
        let mut config = config(provider, version, Arc::new(Glance::of_any()))?;
        config.resumption = Resumption::in_memory_sessions(SESSIONS).tls12_resumption(tls12);
        config.enable_early_data = true;
        Ok(Self(config))
    }

    /// The same, which asks for a version of HTTP by ALPN.
    pub(crate) fn offering(mut self, http: Http) -> Self {
        self.0.alpn_protocols = vec![http.name().as_bytes().to_vec()];
        self
    }

    /// Begins a handshake.
    ///
    /// # Errors
    /// The name is none, or rustls's own.
    pub(crate) fn connect(&self, name: &str) -> Result<ClientConnection, Refusal> {
        ClientConnection::new(Arc::new(self.0.clone()), server_name(name)?)
            .map_err(|error| Refusal::Failed(error.to_string()))
    }
}
