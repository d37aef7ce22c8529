//! Looking at a server before it is loaded: a few ordinary connections, with everything offered that there is.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use rustls::client::Tls12Resumption;
use rustls::{ClientConnection, HandshakeKind, StreamOwned};
use tlstax_measure::clock::monotonic;
use tlstax_spec::wire::{Sight, Target};
use tlstax_spec::{Http, Nanos, Resumption, Suite, Version};
use tlstax_worker::Refusal;

use crate::consent;
use crate::http1::{Accepts, BadResponse, HeadReader, Requests, Response};
use crate::provider;
use crate::tls::Looker;

/// How long one connection may take: the server is on this machine, or near.
const PATIENCE: Duration = Duration::from_millis(2_500);

/// More of a body whose length the head does not tell is not read.
const LONGEST_BODY: u64 = 64 << 20;

/// What a server negotiates and answers.
///
/// # Errors
/// It may not be looked at, or no connection came about.
pub(crate) fn look(port: u16, target: &Target, version: Option<Version>) -> Result<Sight, Refusal> {
    let server = Server {
        address: consent::address(Some(target), port)?,
        target,
        request: Requests::new(&target.name, &target.path, None).usual,
    };
    match version {
        None => server.plain(),
        Some(version) => server.tls(version),
    }
}

struct Server<'a> {
    address: SocketAddr,
    target: &'a Target,
    request: Vec<u8>,
}

/// The bytes of a response's body, and whether the server closes behind it.
type Answer = (u64, bool);

impl Server<'_> {
    fn plain(&self) -> Result<Sight, Refusal> {
        let mut answers = Vec::new();
        for _ in 0..2 {
            let answer = exchange(&mut self.connect()?, &self.request);
            match &answer {
                // What does not speak HTTP at all is no server of it.
                Err(bad @ (BadResponse::Syntax(_) | BadResponse::Surplus)) => {
                    return Err(Refusal::Failed(bad.to_string()));
                }
                _ => answers.push(answer),
            }
        }
        let mut sight =
            Sight { http: vec![Http::Http1], resumptions: vec![Resumption::Full], ..Sight::default() };
        note(&mut sight, &answers);
        Ok(sight)
    }

    fn tls(&self, version: Version) -> Result<Sight, Refusal> {
        let mut sight = Sight { resumptions: vec![Resumption::Full], ..Sight::default() };
        let (kind, tickets) = match version {
            Version::Tls13 => (Resumption::Psk, Tls12Resumption::Disabled),
            _ => (Resumption::SessionId, Tls12Resumption::SessionIdOnly),
        };
        let looker = Looker::new(version, tickets)?;
        let mut first = self.shake(&looker)?;
        let mut answers = vec![exchange(&mut first, &self.request)];
        describe(&mut sight, version, &first.conn);
        drop(first);
        let mut second = self.shake(&looker)?;
        answers.push(exchange(&mut second, &self.request));
        if second.conn.handshake_kind() == Some(HandshakeKind::Resumed) {
            sight.resumptions.push(kind);
            sight.resumptions.extend(second.conn.is_early_data_accepted().then_some(Resumption::EarlyData));
        } else if version == Version::Tls12 && self.takes_tickets()? {
            sight.resumptions.push(Resumption::Ticket);
        }
        sight.http = self.versions_of_http(version, &answers)?;
        note(&mut sight, &answers);
        Ok(sight)
    }

    /// Whether TLS 1.2 is resumed by a ticket, of a server that does not resume by a session id.
    fn takes_tickets(&self) -> Result<bool, Refusal> {
        let looker = Looker::new(Version::Tls12, Tls12Resumption::SessionIdOrTickets)?;
        // The ticket is in the handshake.
        drop(self.shake(&looker)?);
        Ok(self.shake(&looker)?.conn.handshake_kind() == Some(HandshakeKind::Resumed))
    }

    fn versions_of_http(
        &self,
        version: Version,
        answers: &[Result<Answer, BadResponse>],
    ) -> Result<Vec<Http>, Refusal> {
        let is_http1 = answers.iter().any(|answer| !matches!(answer, Err(BadResponse::Syntax(_))));
        let looker = Looker::new(version, Tls12Resumption::Disabled)?.offering(Http::Http2);
        // A server that has it not may refuse the handshake: RFC 7301, 3.2.
        let chosen =
            self.shake(&looker).ok().and_then(|stream| stream.conn.alpn_protocol().map(<[u8]>::to_vec));
        let is_http2 = chosen.is_some_and(|chosen| chosen == Http::Http2.name().as_bytes());
        Ok([is_http1.then_some(Http::Http1), is_http2.then_some(Http::Http2)].into_iter().flatten().collect())
    }

    fn connect(&self) -> Result<Timed, Refusal> {
        let failed = |error: std::io::Error| Refusal::Failed(format!("{}: {error}", self.address));
        let socket = TcpStream::connect_timeout(&self.address, PATIENCE).map_err(failed)?;
        socket.set_read_timeout(Some(PATIENCE)).map_err(failed)?;
        socket.set_write_timeout(Some(PATIENCE)).map_err(failed)?;
        Ok(Timed { socket, until: monotonic() + Nanos(PATIENCE.as_nanos() as u64) })
    }

    /// A connection whose handshake is complete.
    fn shake(&self, looker: &Looker) -> Result<StreamOwned<ClientConnection, Timed>, Refusal> {
        let mut stream = StreamOwned::new(looker.connect(&self.target.name)?, self.connect()?);
        while stream.conn.is_handshaking() {
            let (_, sent) = stream
                .conn
                .complete_io(&mut stream.sock)
                .map_err(|error| Refusal::Failed(error.to_string()))?;
            if sent == 0 && stream.conn.is_handshaking() {
                return Err(Refusal::Failed("the server closed the connection in the handshake".to_owned()));
            }
        }
        Ok(stream)
    }
}

/// A socket that is given up some time after it was connected, however slowly bytes come.
struct Timed {
    socket: TcpStream,
    until: Nanos,
}

impl Read for Timed {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        match monotonic() < self.until {
            true => self.socket.read(buffer),
            false => Err(std::io::ErrorKind::TimedOut.into()),
        }
    }
}

impl Write for Timed {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.socket.write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.socket.flush()
    }
}

/// One request and its response, or as much of it as it takes to know how long it is.
fn exchange(stream: &mut (impl Read + Write), request: &[u8]) -> Result<Answer, BadResponse> {
    let broken = |error: std::io::Error| BadResponse::Syntax(error.to_string());
    stream.write_all(request).and_then(|()| stream.flush()).map_err(broken)?;
    let (mut response, mut heads) = (Response::default(), HeadReader::new(Accepts::downloads(None)));
    let mut buffer = vec![0; 16 * 1024];
    let mut read = 0;
    loop {
        let length = stream.read(&mut buffer).map_err(broken)?;
        if length == 0 {
            let message = "the server closed the connection before its response";
            return Err(BadResponse::Syntax(message.to_owned()));
        }
        let is_complete = response.feed(&buffer[..length], &mut heads)?;
        if let Some(answer) = response.foretold() {
            return Ok(answer);
        }
        if is_complete {
            return Ok(response.finish());
        }
        read += length as u64;
        if read > LONGEST_BODY {
            return Err(BadResponse::Syntax(format!("chunks of more than {LONGEST_BODY} bytes")));
        }
    }
}

fn describe(sight: &mut Sight, version: Version, tls: &ClientConnection) {
    sight.version = Some(version);
    sight.suite = tls.negotiated_cipher_suite().and_then(|suite| Suite::from_code(suite.suite().into()));
    sight.group = tls.negotiated_key_exchange_group().and_then(|group| provider::named(group.name()));
    sight.key = tls.peer_certificates().and_then(|chain| provider::key_of(chain.first()?));
}

fn note(sight: &mut Sight, answers: &[Result<Answer, BadResponse>]) {
    let Some(first) = answers.first() else { return };
    match first {
        Ok((body, closes)) => {
            (sight.status, sight.body, sight.keeps) = (Some(200), Some(*body), !closes);
            sight.varies = answers.iter().flatten().any(|(other, _)| other != body);
        }
        Err(bad) => {
            sight.status = match bad {
                BadResponse::Status(status) => Some(*status),
                // The status is read before the length.
                BadResponse::NoLength => Some(200),
                _ => None,
            };
            sight.problem = Some(bad.to_string());
        }
    }
}
