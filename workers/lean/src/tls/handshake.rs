//! A handshake: rustls's state machine, until its secrets can be taken out of it.

use rustls::client::{ClientConnectionData, UnbufferedClientConnection};
use rustls::kernel::KernelConnection;
use rustls::unbuffered::{ConnectionState, EncodeError, UnbufferedStatus};
use rustls::{Error, HandshakeKind, ProtocolVersion};
use tlstax_spec::{Http, Suite, Version};
use tlstax_worker::Negotiated;

use super::header::{Content, Header};
use super::record::{Direction, Opener, RecordError, Sealer};
use crate::provider;

/// A message of a client's is shorter, except for the largest key shares; then it grows.
const FLIGHT: usize = 2048;

/// EndOfEarlyData (RFC 8446 4.5) in its record: four bytes of handshake header and no content, the type, and the tag.
const END_OF_EARLY_DATA: usize = 4 + 1 + 16;

/// A connection whose handshake is not complete.
pub(crate) struct Handshake {
    tls: UnbufferedClientConnection,
    keeps_sessions: bool,
    early: Early,
    /// Whether the server has sent close_notify: it may have answered early data and be done before we are.
    is_parted: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Early {
    No,
    /// Sent, and the server has not said what it makes of it.
    Sent,
    Accepted,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    /// More has to come from the server.
    Wait,
    Done,
}

pub(crate) struct Shaken {
    pub(crate) opener: Opener,
    pub(crate) sealer: Sealer,
    /// Takes the tickets that come later, where sessions are kept.
    pub(crate) tickets: Option<Box<KernelConnection<ClientConnectionData>>>,
    pub(crate) negotiated: Negotiated,
    /// Whether ALPN chose it.
    pub(crate) http: Http,
    /// Whether the server has sent close_notify already.
    pub(crate) is_parted: bool,
}

#[derive(Debug, thiserror::Error)]
pub(crate) enum HandshakeError {
    #[error(transparent)]
    Tls(#[from] Error),
    #[error(transparent)]
    Record(#[from] RecordError),
    #[error("the server closed the connection in the handshake")]
    Closed,
    /// rustls did what it is not known to do.
    #[error("rustls: {0}")]
    Unexpected(String),
}

impl Handshake {
    pub(super) fn new(tls: UnbufferedClientConnection, keeps_sessions: bool) -> Self {
        Self { tls, keeps_sessions, early: Early::No, is_parted: false }
    }

    /// Works on what came and appends what is to be sent. Returns how many bytes of `incoming` are done with; the rest has
    /// to come again, with more behind it. A request that may go as early data goes so, and a response to it may come
    /// before the handshake is complete.
    ///
    /// # Errors
    /// The handshake failed.
    pub(crate) fn step(
        &mut self,
        incoming: &mut [u8],
        early: Option<&[u8]>,
        out: &mut Vec<u8>,
        response: &mut Vec<u8>,
    ) -> Result<(usize, Step), HandshakeError> {
        let mut used = 0;
        let flight = out.len();
        let step = loop {
            let UnbufferedStatus { discard, state } = self.tls.process_tls_records(&mut incoming[used..]);
            let step = match state? {
                ConnectionState::EncodeTlsData(mut data) => {
                    append(out, |room| data.encode(room)).map_err(unexpected)?;
                    None
                }
                ConnectionState::TransmitTlsData(mut ready) => {
                    if let (Early::No, Some(request)) = (self.early, early)
                        && let Some(mut data) = ready.may_encrypt_early_data()
                    {
                        self.early = Early::Sent;
                        let start = out.len();
                        out.resize(start + FLIGHT, 0);
                        let sealed = data.encrypt(request, &mut out[start..]);
                        let length = sealed.map_err(unexpected)?;
                        out.truncate(start + length);
                    }
                    ready.done();
                    None
                }
                ConnectionState::ReadTraffic(mut traffic) => {
                    while let Some(record) = traffic.next_record() {
                        response.extend_from_slice(record?.payload);
                    }
                    None
                }
                ConnectionState::BlockedHandshake if self.is_parted => return Err(HandshakeError::Closed),
                ConnectionState::BlockedHandshake => Some(Step::Wait),
                ConnectionState::WriteTraffic(_) => Some(Step::Done),
                ConnectionState::PeerClosed => {
                    self.is_parted = true;
                    None
                }
                ConnectionState::Closed => return Err(HandshakeError::Closed),
                other => return Err(HandshakeError::Unexpected(format!("{other:?}"))),
            };
            used += discard;
            if let Some(step) = step {
                break step;
            }
        };
        if step == Step::Done && self.early == Early::Sent && ends_early_data(&out[flight..]) {
            self.early = Early::Accepted;
        }
        Ok((used, step))
    }

    /// Whether a request went as early data, so that it must not go again.
    pub(crate) fn took_request(&self) -> bool {
        self.early == Early::Accepted
    }

    /// Takes the secrets out of a complete handshake.
    ///
    /// # Errors
    /// It is not complete.
    pub(crate) fn finish(self) -> Result<Shaken, HandshakeError> {
        let negotiated = self.negotiated();
        let version = negotiated.version.ok_or(Error::HandshakeNotComplete)?;
        let is_http2 = self.tls.alpn_protocol() == Some(Http::Http2.name().as_bytes());
        let is_parted = self.is_parted;
        let (secrets, tickets) = self.tls.dangerous_into_kernel_connection()?;
        Ok(Shaken {
            opener: Opener(Direction::new(version, &secrets.rx)?),
            sealer: Sealer(Direction::new(version, &secrets.tx)?),
            tickets: (self.keeps_sessions && version == Version::Tls13).then(|| Box::new(tickets)),
            negotiated,
            http: if is_http2 { Http::Http2 } else { Http::Http1 },
            is_parted,
        })
    }

    fn negotiated(&self) -> Negotiated {
        let tls = &self.tls;
        Negotiated {
            version: match tls.protocol_version() {
                Some(ProtocolVersion::TLSv1_2) => Some(Version::Tls12),
                Some(ProtocolVersion::TLSv1_3) => Some(Version::Tls13),
                _ => None,
            },
            suite: tls.negotiated_cipher_suite().and_then(|suite| Suite::from_code(suite.suite().into())),
            group: tls.negotiated_key_exchange_group().and_then(|group| provider::named(group.name())),
            // The verifier has accepted no other; whoever asks for it knows it.
            key: None,
            resumed: tls.handshake_kind() == Some(HandshakeKind::Resumed),
            early: self.early == Early::Accepted,
            compression: None,
        }
    }
}

/// Lets rustls append; it says how much room it needs.
fn append(
    out: &mut Vec<u8>,
    mut encode: impl FnMut(&mut [u8]) -> Result<usize, EncodeError>,
) -> Result<(), EncodeError> {
    let start = out.len();
    let mut room = FLIGHT;
    loop {
        out.resize(start + room, 0);
        match encode(&mut out[start..]) {
            Ok(length) => {
                out.truncate(start + length);
                return Ok(());
            }
            Err(EncodeError::InsufficientSize(size)) if size.required_size > room => {
                room = size.required_size
            }
            Err(error) => return Err(error),
        }
    }
}

fn unexpected(error: impl ToString) -> HandshakeError {
    HandshakeError::Unexpected(error.to_string())
}

/// Whether a client's last flight has an EndOfEarlyData, which only a server that accepted early data is sent: rustls
/// does not tell it of a connection whose buffers are not its own.
fn ends_early_data(flight: &[u8]) -> bool {
    let mut rest = flight;
    while let Ok(Some(header)) = Header::read(rest) {
        if (header.content, header.length) == (Content::ApplicationData, END_OF_EARLY_DATA) {
            return true;
        }
        rest = rest.get(header.whole()..).unwrap_or_default();
    }
    false
}

/// What a NewSessionTicket, or anything else of the handshake protocol, is to a connection that has its secrets taken out.
///
/// # Errors
/// It is something else than a ticket, or a bad one.
pub(crate) fn take_tickets(
    mut tickets: Option<&mut KernelConnection<ClientConnectionData>>,
    mut messages: &[u8],
) -> Result<(), HandshakeError> {
    const NEW_SESSION_TICKET: u8 = 4;
    while let Some((&[kind, a, b, c], rest)) = messages.split_first_chunk() {
        let length = u32::from_be_bytes([0, a, b, c]) as usize;
        let payload = rest.split_at_checked(length).filter(|_| kind == NEW_SESSION_TICKET);
        let Some((payload, rest)) = payload else {
            return Err(HandshakeError::Unexpected(format!(
                "a handshake message of type {kind} and {length} bytes after the handshake"
            )));
        };
        if let Some(tickets) = tickets.as_deref_mut() {
            tickets.handle_new_session_ticket(payload)?;
        }
        messages = rest;
    }
    Ok(())
}
