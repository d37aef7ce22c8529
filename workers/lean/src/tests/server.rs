//! A server in threads, for tests.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;

use rustls::crypto::aws_lc_rs;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::{NoServerSessionStorage, ResolvesServerCert, ServerSessionMemoryCache};
use rustls::sign::CertifiedKey;
use rustls::{ServerConfig, ServerConnection, version};
use tlstax_spec::{Params, Resumption, Side, Version};
use tlstax_worker::Transport;

use super::pki;

pub(super) enum Peer {
    Plain(TcpStream),
    Tls(Box<rustls::StreamOwned<ServerConnection, TcpStream>>),
}

impl Peer {
    /// Sends close_notify, if there is TLS, and closes.
    pub(super) fn close(mut self) {
        if let Self::Tls(tls) = &mut self {
            tls.conn.send_close_notify();
            let _ = tls.flush();
        }
        let _ = self.socket().shutdown(std::net::Shutdown::Write);
        // Whatever comes meanwhile must not make a reset of it.
        let _ = io::copy(self.socket(), &mut io::sink());
    }

    fn stream(&mut self) -> &mut dyn Transport {
        match self {
            Self::Plain(socket) => socket,
            Self::Tls(tls) => &mut **tls,
        }
    }

    pub(super) fn socket(&mut self) -> &mut TcpStream {
        match self {
            Self::Plain(socket) => socket,
            Self::Tls(tls) => &mut tls.sock,
        }
    }

    /// Reads a request with its body; whether it is the last. None at the end of the stream.
    pub(super) fn request(&mut self) -> Option<bool> {
        let mut head = Vec::new();
        if let Self::Tls(tls) = self {
            while tls.conn.is_handshaking() {
                tls.conn.complete_io(&mut tls.sock).ok()?;
                if let Some(mut early) = tls.conn.early_data() {
                    early.read_to_end(&mut head).ok()?;
                }
            }
        }
        while !head.ends_with(b"\r\n\r\n") {
            let mut byte = [0];
            match self.read(&mut byte) {
                Ok(1) => head.push(byte[0]),
                _ => return None,
            }
        }
        let head = String::from_utf8(head).unwrap();
        let length = head.lines().find_map(|line| line.strip_prefix("Content-Length: "));
        let mut body = vec![1; length.map_or(0, |length| length.parse().unwrap())];
        self.read_exact(&mut body).ok()?;
        assert!(body.iter().all(|byte| *byte == 0));
        Some(head.contains("Connection: close"))
    }

    /// Sends a response with a body of zeros, in one write.
    pub(super) fn respond(&mut self, body: usize, last: bool) -> io::Result<()> {
        self.respond_with(body, body, last)
    }

    /// Sends a response that says how long its body is, and one of so many zeros.
    pub(super) fn respond_with(&mut self, said: usize, body: usize, last: bool) -> io::Result<()> {
        let mut response = head(said, last).into_bytes();
        response.resize(response.len() + body, 0);
        self.write_all(&response)?;
        self.flush()
    }
}

pub(super) fn head(body: usize, last: bool) -> String {
    let close = if last { "Connection: close\r\n" } else { "" };
    format!("HTTP/1.1 200 OK\r\nDate: now\r\nContent-Length: {body}\r\n{close}\r\n")
}

impl Read for Peer {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.stream().read(buffer)
    }
}

impl Write for Peer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.stream().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream().flush()
    }
}

/// Serves every connection in a thread of its own, and returns the port. The threads end with the test's process.
pub(super) fn serve(
    config: Option<Arc<ServerConfig>>,
    connection: impl Fn(Peer) + Send + Sync + Clone + 'static,
) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for socket in listener.incoming() {
            let socket = match socket {
                Err(error) if error.kind() == ErrorKind::ConnectionAborted => continue,
                socket => socket.unwrap(),
            };
            let peer = match &config {
                None => Peer::Plain(socket),
                Some(config) => {
                    let tls = ServerConnection::new(config.clone()).unwrap();
                    Peer::Tls(Box::new(rustls::StreamOwned::new(tls, socket)))
                }
            };
            let connection = connection.clone();
            std::thread::spawn(move || connection(peer));
        }
    });
    port
}

/// Serves as a good server does.
pub(super) fn serve_well(config: Option<Arc<ServerConfig>>, body: usize) -> u16 {
    serve(config, move |mut peer| {
        while let Some(last) = peer.request() {
            peer.respond(body, last).unwrap();
            if last {
                return peer.close();
            }
        }
    })
}

/// Everything that rustls can negotiate with this version and certificate.
pub(crate) fn config(params: Params, resumption: Resumption, fragment: Option<usize>) -> Arc<ServerConfig> {
    let chain = pki().chain(Side::Server, params.key, 2).unwrap();
    with_identity(params, resumption, fragment, &chain, &pki().private_key(Side::Server, params.key).unwrap())
}

/// As [`config`], with another chain and key, whether or not they fit.
pub(super) fn with_identity(
    params: Params,
    resumption: Resumption,
    fragment: Option<usize>,
    chain: &[u8],
    key: &[u8],
) -> Arc<ServerConfig> {
    let provider = Arc::new(rustls::crypto::CryptoProvider {
        kx_groups: aws_lc_rs::ALL_KX_GROUPS.to_vec(),
        ..aws_lc_rs::default_provider()
    });
    let chain: Vec<_> = CertificateDer::pem_slice_iter(chain).map(Result::unwrap).collect();
    let key = provider.key_provider.load_private_key(PrivateKeyDer::from_pem_slice(key).unwrap()).unwrap();
    let version = match params.version {
        Version::Tls13 => &version::TLS13,
        _ => &version::TLS12,
    };
    let mut config = ServerConfig::builder_with_provider(provider)
        .with_protocol_versions(&[version])
        .unwrap()
        .with_no_client_auth()
        .with_cert_resolver(Arc::new(Always(Arc::new(CertifiedKey::new(chain, key)))));
    config.max_fragment_size = fragment;
    config.session_storage = match resumption {
        Resumption::SessionId | Resumption::EarlyData => ServerSessionMemoryCache::new(1000),
        _ => Arc::new(NoServerSessionStorage {}),
    };
    if matches!(resumption, Resumption::Ticket | Resumption::Psk) {
        config.ticketer = aws_lc_rs::Ticketer::new().unwrap();
    }
    if resumption == Resumption::EarlyData {
        config.max_early_data_size = 10_000;
    }
    Arc::new(config)
}

/// One certificate for every name.
#[derive(Debug)]
struct Always(Arc<CertifiedKey>);

impl ResolvesServerCert for Always {
    fn resolve(&self, _: rustls::server::ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(self.0.clone())
    }
}
