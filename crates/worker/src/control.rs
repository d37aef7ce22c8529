//! A library without crypto: its rows show what the harness itself costs.
//!
//! It sends flights of typical sizes and records of the right length through the same traits as every other library, but
//! there is nothing behind them: data go to the transport from where the writer has them, and from it to where the reader wants
//! them. Nothing it does protects anything.

use std::io::{self, ErrorKind, IoSlice, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use tlstax_spec::wire::{Hello, PROTOCOL};
use tlstax_spec::{Group, Key, Params, Primitive, Resumption, Side, Suite, Version};

use crate::adapter::{
    Adapter, Config, Connection, EARLY_DATA, Endpoint, Negotiated, Operation, Transport, names,
};
use crate::inputs::Inputs;
use crate::job::Refusal;

/// The family name of the library without crypto.
pub const CONTROL: &str = "control";

#[derive(Debug, Clone, Copy)]
pub struct Control;

impl Adapter for Control {
    fn hello(&self) -> Hello {
        Hello {
            protocol: PROTOCOL,
            family: CONTROL.to_owned(),
            version: format!("control {}", env!("CARGO_PKG_VERSION")),
            build: "no crypto and no copying: only the calls that every library makes here".to_owned(),
            versions: names(Version::ALL),
            suites: names(Suite::ALL),
            groups: names(Group::ALL),
            keys: names(Key::ALL),
            resumptions: names(Resumption::ALL),
            ..Hello::default()
        }
    }

    fn primitive(&self, _: &Primitive, _: &Inputs) -> Result<Box<dyn Operation>, Refusal> {
        Err(Refusal::Unsupported("without crypto there is no true answer".to_owned()))
    }

    fn config(&self, side: Side, endpoint: &Endpoint<'_>) -> Result<Arc<dyn Config>, Refusal> {
        Ok(Arc::new(ControlConfig {
            side,
            params: endpoint.params,
            resumption: endpoint.resumption,
            flights: Flights::new(endpoint),
            record: endpoint.record as usize,
            sessions: Arc::default(),
        }))
    }
}

/// Bytes of handshake messages, without record headers: typical sizes, so that as much is copied as elsewhere.
#[derive(Debug, Clone, Copy)]
struct Flights {
    hello: usize,
    answer: usize,
    certificates: usize,
    client_certificates: usize,
}

impl Flights {
    fn new(endpoint: &Endpoint<'_>) -> Self {
        let share = match endpoint.params.group {
            Some(Group::X25519MlKem768 | Group::Secp256r1MlKem768) => 1216,
            Some(Group::Secp384r1MlKem1024) => 1665,
            Some(Group::Ffdhe2048) => 256,
            Some(Group::Ffdhe3072) => 384,
            Some(_) => 65,
            None => 0,
        };
        let (certificate, signature) = match endpoint.params.key {
            Key::Rsa2048 => (820, 264),
            Key::Rsa3072 => (1080, 392),
            Key::Rsa4096 => (1340, 520),
            Key::EcdsaP256 | Key::Ed25519 => (520, 79),
            Key::EcdsaP384 => (600, 111),
            // Public key and signature of FIPS 204, the latter once more in the certificate.
            Key::MlDsa44 => (4000, 2428),
            Key::MlDsa65 => (5500, 3317),
            Key::MlDsa87 => (7450, 4635),
        };
        let certificates = usize::from(endpoint.chain) * certificate + signature;
        Self {
            hello: 200 + share,
            answer: 100 + share,
            certificates,
            client_certificates: if endpoint.mutual { certificate + signature } else { 0 },
        }
    }
}

#[derive(Clone)]
struct ControlConfig {
    side: Side,
    params: Params,
    resumption: Resumption,
    flights: Flights,
    record: usize,
    /// Sessions that the client holds; each is offered once, as a single-use ticket is.
    sessions: Arc<AtomicU32>,
}

impl Config for ControlConfig {
    fn connect(&self, transport: Box<dyn Transport>) -> io::Result<Box<dyn Connection>> {
        let take = |sessions: u32| sessions.checked_sub(1);
        let offers = self.side == Side::Client
            && self.sessions.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take).is_ok();
        Ok(Box::new(ControlConnection {
            records: Records::over(transport),
            config: self.clone(),
            resumed: offers,
            stage: Stage::Hello,
            plaintext: None,
        }))
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// The client sends its hello; the server waits for it.
    Hello,
    /// The client waits for the server's flight.
    Answer,
    /// The server waits for the client's finished message.
    Finish,
    Open,
    /// The peer has sent close_notify.
    Closed,
}

/// Content types of the record layer, RFC 8446 5.1.
const ALERT: u8 = 21;
const HANDSHAKE: u8 = 22;
const DATA: u8 = 23;

/// The first byte of a client's hello that offers a session, and of a server's answer that accepts it.
const OFFER: u8 = 1;

/// The first byte of a record that does not end its flight: a chain of ML-DSA certificates fills several.
const PART: u8 = 2;

/// Verify data, key confirmation and what goes with them.
const FINISHED: usize = 36;

const TICKET: usize = 200;

struct ControlConnection {
    records: Records,
    config: ControlConfig,
    resumed: bool,
    stage: Stage,
    /// The record whose plaintext is being read: from, to.
    plaintext: Option<(usize, usize)>,
}

impl Connection for ControlConnection {
    fn handshake(&mut self) -> io::Result<()> {
        self.records.flush()?;
        while !matches!(self.stage, Stage::Open | Stage::Closed) {
            match self.config.side {
                Side::Client => self.client_step()?,
                Side::Server => self.server_step()?,
            }
            self.records.flush()?;
        }
        Ok(())
    }

    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            if self.stage == Stage::Closed {
                return Ok(0);
            }
            if let Some((from, to)) = self.plaintext {
                let length = buffer.len().min(to - from);
                buffer[..length].copy_from_slice(&self.records.incoming[from..from + length]);
                self.plaintext = (from + length < to).then_some((from + length, to));
                return Ok(length);
            }
            if self.stage == Stage::Open {
                let read = self.records.read_past(buffer)?;
                if read > 0 {
                    return Ok(read);
                }
            }
            let (kind, from, to) = self.records.next()?;
            match kind {
                DATA if to > from => self.plaintext = Some((from, to)),
                DATA => {}
                HANDSHAKE => self.keep_session(),
                _ => self.stage = Stage::Closed,
            }
        }
    }

    fn write(&mut self, data: &[u8]) -> io::Result<usize> {
        match self.records.flush() {
            Err(error) if error.kind() == ErrorKind::WouldBlock && data.is_empty() => return Ok(0),
            flushed => flushed?,
        }
        let piece = &data[..data.len().min(self.config.record)];
        if !piece.is_empty() {
            self.records.send(DATA, piece)?;
        }
        Ok(piece.len())
    }

    fn close(&mut self) -> io::Result<()> {
        self.records.put(ALERT, &[1, 0], 0);
        self.records.flush()
    }

    fn negotiated(&self) -> Negotiated {
        let abbreviated = self.resumed && self.config.params.version == Version::Tls12;
        Negotiated {
            version: Some(self.config.params.version),
            suite: Some(self.config.params.suite),
            group: self.config.params.group.filter(|_| !abbreviated),
            key: Some(self.config.params.key),
            resumed: self.resumed,
            early: self.resumed && self.config.resumption == Resumption::EarlyData,
        }
    }
}

impl ControlConnection {
    fn client_step(&mut self) -> io::Result<()> {
        if self.stage == Stage::Hello {
            let ticket =
                if self.resumed && self.config.resumption != Resumption::SessionId { TICKET } else { 0 };
            self.records.put(HANDSHAKE, &[u8::from(self.resumed)], self.config.flights.hello + ticket);
            if self.resumed && self.config.resumption == Resumption::EarlyData {
                self.records.put(DATA, EARLY_DATA, 0);
            }
            self.stage = Stage::Answer;
            return Ok(());
        }
        let (kind, from, _) = self.records.next()?;
        expect(kind, HANDSHAKE)?;
        if self.records.incoming[from] == PART {
            return Ok(());
        }
        self.resumed = self.records.incoming[from] == OFFER;
        self.records.put_flight(0, FINISHED + self.config.flights.client_certificates);
        self.stage = Stage::Open;
        if self.config.params.version == Version::Tls12 {
            self.keep_session();
        }
        Ok(())
    }

    fn server_step(&mut self) -> io::Result<()> {
        let (kind, from, to) = self.records.next()?;
        if kind == DATA && self.stage == Stage::Finish && self.config.resumption == Resumption::EarlyData {
            return if self.records.incoming[from..to] == *EARLY_DATA { Ok(()) } else { Err(unexpected()) };
        }
        expect(kind, HANDSHAKE)?;
        if self.records.incoming[from] == PART {
            return Ok(());
        }
        if self.stage == Stage::Hello {
            self.resumed = self.records.incoming[from] == OFFER && self.config.resumption != Resumption::Full;
            let certificates = if self.resumed { 0 } else { self.config.flights.certificates };
            let flight = self.config.flights.answer + certificates + FINISHED;
            self.records.put_flight(u8::from(self.resumed), flight);
            self.stage = Stage::Finish;
            return Ok(());
        }
        if self.config.resumption != Resumption::Full && self.config.params.version == Version::Tls13 {
            self.records.put(HANDSHAKE, &[0], TICKET);
        }
        self.stage = Stage::Open;
        Ok(())
    }

    fn keep_session(&self) {
        if self.config.resumption != Resumption::Full {
            self.config.sessions.fetch_add(1, Ordering::Relaxed);
        }
    }
}

fn expect(kind: u8, expected: u8) -> io::Result<()> {
    if kind == expected { Ok(()) } else { Err(unexpected()) }
}

fn unexpected() -> io::Error {
    io::Error::new(ErrorKind::InvalidData, "unexpected record")
}

/// The record layer: headers and tags without meaning.
struct Records {
    transport: Box<dyn Transport>,
    /// One record at least; `incoming[start..end]` has arrived and is not used yet.
    incoming: Vec<u8>,
    start: usize,
    end: usize,
    /// Bytes of a record whose head is at the front of `incoming` and whose data are read past it.
    past: usize,
    outgoing: Vec<u8>,
    sent: usize,
}

/// Type, version and length.
const HEADER: usize = 5;

/// As long as the inner content type and the tag of TLS 1.3. It stands before the data, which can then go out from where they
/// are, and ends with their last byte, so that damage is seen.
const TAG: [u8; 17] = [0xa5; 17];

/// What stands before the data of a record.
const HEAD: usize = HEADER + TAG.len();

/// The longest record.
const CHUNK: usize = HEAD + 16 * 1024;

fn head(kind: u8, length: usize, last: Option<u8>) -> [u8; HEAD] {
    let mut head = [TAG[0]; HEAD];
    head[..3].copy_from_slice(&[kind, 3, 3]);
    head[3..HEADER].copy_from_slice(&((length + TAG.len()) as u16).to_be_bytes());
    head[HEAD - 1] = last.unwrap_or(TAG[0]);
    head
}

impl Records {
    fn over(transport: Box<dyn Transport>) -> Self {
        Self { transport, incoming: vec![0; CHUNK], start: 0, end: 0, past: 0, outgoing: Vec::new(), sent: 0 }
    }

    /// Appends a flight of handshake messages: in as many records as it takes, the last with its first byte.
    fn put_flight(&mut self, first: u8, mut zeros: usize) {
        const MOST: usize = 16 * 1024 - 1;
        while zeros > MOST {
            self.put(HANDSHAKE, &[PART], MOST);
            zeros -= MOST;
        }
        self.put(HANDSHAKE, &[first], zeros);
    }

    /// Appends a record: some bytes, and so many zeros after them.
    fn put(&mut self, kind: u8, data: &[u8], zeros: usize) {
        let last = if zeros > 0 { Some(0) } else { data.last().copied() };
        self.outgoing.extend_from_slice(&head(kind, data.len() + zeros, last));
        self.outgoing.extend_from_slice(data);
        self.outgoing.resize(self.outgoing.len() + zeros, 0);
    }

    fn flush(&mut self) -> io::Result<()> {
        while self.sent < self.outgoing.len() {
            self.sent += self.transport.write(&self.outgoing[self.sent..])?;
        }
        self.outgoing.clear();
        self.sent = 0;
        Ok(())
    }

    /// Sends a record from where its data are, when nothing else waits to be sent; what the transport does not take now goes
    /// with the next call.
    fn send(&mut self, kind: u8, data: &[u8]) -> io::Result<()> {
        let head = head(kind, data.len(), data.last().copied());
        let mut pieces: &mut [IoSlice<'_>] = &mut [IoSlice::new(&head), IoSlice::new(data)];
        while !pieces.is_empty() {
            match self.transport.write_vectored(pieces) {
                Ok(sent) => IoSlice::advance_slices(&mut pieces, sent),
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    pieces.iter().for_each(|piece| self.outgoing.extend_from_slice(piece));
                    break;
                }
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// The next record: its type, and from where to where its plaintext is in `incoming`.
    fn next(&mut self) -> io::Result<(u8, usize, usize)> {
        loop {
            let unread = &self.incoming[self.start..self.end];
            if let [kind, _, _, high, low, rest @ ..] = unread {
                let length = usize::from(u16::from_be_bytes([*high, *low]));
                if length < TAG.len() || length > CHUNK - HEADER {
                    return Err(io::Error::new(ErrorKind::InvalidData, "record of a length that cannot be"));
                }
                if rest.len() >= length {
                    let (from, to) = (self.start + HEAD, self.start + HEADER + length);
                    let last = if from == to { TAG[0] } else { self.incoming[to - 1] };
                    if self.incoming[from - 1] != last {
                        return Err(io::Error::new(ErrorKind::InvalidData, "damaged record"));
                    }
                    self.start = to;
                    return Ok((*kind, from, to));
                }
            }
            self.fill(CHUNK)?;
        }
    }

    /// Reads data of a record into the reader's own buffer, past `incoming`, if nothing else waits; 0 if something does.
    fn read_past(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.past == 0 {
            if self.start < self.end {
                return Ok(0);
            }
            self.fill(HEAD)?;
            let [DATA, _, _, high, low] = self.incoming[..HEADER] else { return Ok(0) };
            let length = usize::from(u16::from_be_bytes([high, low]));
            if self.end < HEAD || length <= TAG.len() || length > CHUNK - HEADER {
                return Ok(0);
            }
            self.past = length - TAG.len();
            self.end = 0;
        }
        let most = buffer.len().min(self.past);
        let read = self.transport.read(&mut buffer[..most])?;
        self.past -= read;
        let last = buffer[..read].last().filter(|_| self.past == 0);
        if last.is_some_and(|&last| last != self.incoming[HEAD - 1]) {
            return Err(io::Error::new(ErrorKind::InvalidData, "damaged record"));
        }
        Ok(read)
    }

    /// Reads more, until so many bytes are there at most.
    fn fill(&mut self, most: usize) -> io::Result<()> {
        self.incoming.copy_within(self.start..self.end, 0);
        self.end -= self.start;
        self.start = 0;
        match self.transport.read(&mut self.incoming[self.end..most])? {
            0 => Err(io::Error::new(ErrorKind::UnexpectedEof, "the transport ended without close_notify")),
            read => {
                self.end += read;
                Ok(())
            }
        }
    }
}
