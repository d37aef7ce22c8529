//! A library without crypto: its rows show what the harness itself costs.
//!
//! It sends flights of typical sizes and records of the right length through the same traits as every other library, but
//! there is nothing behind them: data go to the transport from where the writer has them, and from it to where the reader wants
//! them. Nothing it does protects anything.

mod records;

use std::io::{self, ErrorKind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use tlstax_spec::wire::{Hello, PROTOCOL};
use tlstax_spec::{Group, Key, Params, Primitive, Resumption, Side, Suite, Version};

use crate::adapter::{
    Adapter, Config, Connection, EARLY_DATA, Endpoint, Negotiated, Operation, Transport, names,
};
use crate::inputs::Inputs;
use crate::job::Refusal;
use records::{ALERT, DATA, HANDSHAKE, PART, Records};

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

/// The first byte of a client's hello that offers a session, and of a server's answer that accepts it.
const OFFER: u8 = 1;

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
        let abbreviated = self.resumed && !self.config.params.version.is_tls13();
        Negotiated {
            version: Some(self.config.params.version),
            suite: Some(self.config.params.suite),
            group: self.config.params.group.filter(|_| !abbreviated),
            key: Some(self.config.params.key),
            resumed: self.resumed,
            early: self.resumed && self.config.resumption == Resumption::EarlyData,
            compression: None,
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
        if !self.config.params.version.is_tls13() {
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
