//! What a load is made from: checked once, and enough for every thread to make its own part.

use std::net::SocketAddr;
use std::sync::Arc;

use tlstax_spec::wire::Target;
use tlstax_spec::{Direction, Http, Load, Method, Nanos, Params, Resumption, Stage};
use tlstax_worker::pki::SERVER_NAME;
use tlstax_worker::poll::Poll;
use tlstax_worker::{JobError, Order};

use crate::connection::Tools;
use crate::consent;
use crate::engine::Engine;
use crate::pace::Ceiling;
use crate::plan::Plan;
use crate::provider::Glance;
use crate::tls::Client;

/// Without any change on any connection for so long, the load is stuck.
const STALL: Nanos = Nanos::from_millis(5_000);

/// Sessions beyond one for each connection: some are lost on the way.
const SPARE_SESSIONS: u32 = 16;

/// The most that one stream of HTTP/2 carries without its window being filled up.
const LARGEST_HTTP2_BODY: u32 = (1 << 31) - 1;

pub(crate) struct Recipe {
    load: Load,
    address: SocketAddr,
    asked: Target,
    is_ours: bool,
    verifier: Option<Arc<Glance>>,
    connection_rate: u64,
    patience: Nanos,
}

impl Recipe {
    /// Checks what is ordered.
    ///
    /// # Errors
    /// It cannot be done, or must not.
    pub(crate) fn new(order: &Order<'_>) -> Result<Self, JobError> {
        let Order { load, threads, target, pki, .. } = *order;
        let address = consent::address(target, order.port).map_err(JobError::preparing)?;
        if load.connections == 0 {
            return Err(JobError::failed(Stage::Prepare, "a load needs at least one connection"));
        }
        refuse(load)?;
        consent::check_limits(u64::from(load.connections) * u64::from(threads))?;
        let one_in = consent::verify_sample()?;
        let verifier = |params: Params| match target {
            Some(_) => Glance::of_first(pki, params.key, one_in),
            None => Glance::of_ours(pki, params.key, one_in),
        };
        let verifier = load.params.map(verifier).transpose().map_err(JobError::preparing)?.map(Arc::new);
        let rate = consent::connection_rate(&address)?;
        Ok(Self {
            load: load.clone(),
            address,
            asked: target.cloned().unwrap_or_else(|| ours(address, load.direction)),
            is_ours: target.is_none(),
            verifier,
            connection_rate: (rate / u64::from(threads.max(1))).max(1),
            patience: STALL,
        })
    }

    /// The same with less patience than a load has.
    #[cfg(test)]
    pub(crate) fn impatient(self, patience: Nanos) -> Self {
        Self { patience, ..self }
    }

    /// Full handshakes that one thread has to make before any can resume.
    pub(crate) fn primes(&self) -> u64 {
        match self.load.resumption {
            _ if self.load.params.is_none() => 0,
            Resumption::Full => 0,
            _ => u64::from(self.load.connections) + u64::from(SPARE_SESSIONS),
        }
    }

    /// Makes one thread's part.
    ///
    /// # Errors
    /// rustls does not take what it is given, or the system has no epoll for us.
    pub(crate) fn engine(&self) -> Result<Engine, JobError> {
        let plan = Plan::new(&self.load, self.address, &self.asked, self.is_ours);
        let client = self.load.params.zip(self.verifier.clone()).map(|(params, verifier)| {
            let sessions = (self.load.connections + SPARE_SESSIONS) as usize;
            Client::new(params, &self.load, &self.asked.name, sessions, verifier)
        });
        let client = client.transpose().map_err(JobError::preparing)?;
        let poll =
            Poll::new().map_err(|error| JobError::failed(Stage::Prepare, format!("epoll: {error}")))?;
        Ok(Engine::new(Tools::new(plan, poll, client), Ceiling::new(self.connection_rate), self.patience))
    }
}

/// What servers of ours are asked for: a page, or to keep a file.
fn ours(address: SocketAddr, direction: Direction) -> Target {
    let (path, method) = match direction {
        Direction::Download => ("/", Method::default()),
        Direction::Upload => ("/upload", Method::Put),
    };
    Target { address: address.ip().to_string(), name: SERVER_NAME.to_owned(), path: path.to_owned(), method }
}

/// Refuses what this client does not do.
fn refuse(load: &Load) -> Result<(), JobError> {
    let unsupported = |what: String| Err(JobError::Unsupported(what));
    if let Some(params) = load.params {
        if !params.is_coherent() {
            let Params { version, suite, key, .. } = params;
            return unsupported(format!("{version}, {suite}, this group and {key} do not go together"));
        }
        if !load.resumption.fits(params.version) {
            return unsupported(format!("{} has no resumption by {}", params.version, load.resumption));
        }
    }
    if load.form {
        return unsupported("the lean client makes no form of a file; curl does".to_owned());
    }
    let is_early = load.resumption == Resumption::EarlyData;
    if is_early && (load.http, load.direction) != (Http::Http1, Direction::Download) {
        let what = "the lean client sends GET requests over HTTP/1.1 as early data, and no others";
        return unsupported(what.to_owned());
    }
    if load.http == Http::Http2 && load.direction == Direction::Download && load.body > LARGEST_HTTP2_BODY {
        return unsupported(format!(
            "the lean client reads bodies of up to {LARGEST_HTTP2_BODY} bytes over HTTP/2, the largest window of a stream"
        ));
    }
    Ok(())
}
