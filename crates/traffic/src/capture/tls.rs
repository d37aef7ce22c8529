//! [`Tls`]: what the clear part of a connection tells.

mod exchange;
mod fields;
mod flight;
mod hello;

use tlstax_doc::{HttpVersion, Kind, Protocol, Resumed};

use self::flight::{Flight, Part};
use self::hello::{ClientHello, ServerHello};
use super::output::Output;
use super::records::Listener;
use super::records::form::{ALERT, APPLICATION_DATA, CHANGE_CIPHER_SPEC, HANDSHAKE, HEADER};
use super::records::messages::{
    CERTIFICATE, CLIENT_HELLO, CLIENT_KEY_EXCHANGE, SERVER_HELLO, SERVER_HELLO_DONE, SERVER_KEY_EXCHANGE,
};
use super::segment::Side;
use crate::seen::KindId;
use crate::tally::Way;
use crate::vocabulary;

/// What the clear part of a connection tells.
#[derive(Debug, Default)]
pub struct Tls {
    /// Who is the client: who says hello as one, and before that who seems to be it.
    pub client: Option<Side>,
    /// Whether its records count: it is of the time that was asked for.
    counts: bool,
    class: Option<String>,
    hello: Offered,
    chosen: Option<Chosen>,
    /// The server has chosen TLS 1.3, or has asked for another hello, which only exists there.
    is_tls13: bool,
    group: Option<u16>,
    key: Option<&'static str>,
    /// The server has sent what it only sends in full handshakes.
    is_full: bool,
    /// The server has changed ciphers without that.
    is_abbreviated: bool,
    flight: Flight,
    sides: [Sent; 2],
    has_alert: bool,
}

/// What a client has offered.
#[derive(Debug, Default, Clone, Copy)]
struct Offered {
    is_known: bool,
    is_whole: bool,
    has_ticket: bool,
    has_early_data: bool,
}

/// What a server has chosen.
#[derive(Debug, Clone, Copy)]
struct Chosen {
    version: u16,
    suite: u16,
    has_psk: bool,
    is_whole: bool,
    http: Option<HttpVersion>,
}

/// What one end has sent.
#[derive(Debug, Default, Clone, Copy)]
struct Sent {
    /// It has changed ciphers, before TLS 1.3.
    is_encrypted: bool,
    /// And finished.
    is_finished: bool,
    /// Something is missing.
    has_gap: bool,
    /// Records of application data have come.
    has_data: bool,
    /// A record came last that is an alert if nothing follows.
    has_waiting: bool,
    /// Bytes of records with application data.
    bytes: u64,
}

/// How a connection went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// No record of TLS was in it.
    NoTls,
    /// Only its data was seen.
    DataOnly,
    /// Nothing tells whether its handshake succeeded.
    Unfinished,
    Failed,
    Finished,
}

/// Who listens to one end of a connection.
pub struct Hearer<'h, 'o> {
    pub tls: &'h mut Tls,
    pub side: Side,
    pub output: &'h mut Output<'o>,
}

impl Listener for Hearer<'_, '_> {
    fn record(&mut self, kind: u8, length: u16) -> bool {
        let tls = &mut *self.tls;
        let sent = &mut tls.sides[self.side as usize];
        match kind {
            HANDSHAKE if !sent.is_encrypted => return true,
            HANDSHAKE => sent.is_finished = true,
            CHANGE_CIPHER_SPEC => tls.change_cipher(self.side),
            ALERT => tls.has_alert = true,
            APPLICATION_DATA => self.data(length),
            _ => {}
        }
        false
    }

    fn message(&mut self, kind: u8, length: u32, body: &[u8]) {
        let (tls, side) = (&mut *self.tls, self.side);
        match kind {
            CLIENT_HELLO => tls.client_hello(side, &ClientHello::read(body), self.output),
            SERVER_HELLO => {
                if let Some(hello) = ServerHello::read(body) {
                    tls.server_hello(side, &hello, self.output);
                }
            }
            CERTIFICATE if tls.client == Some(side.other()) => {
                tls.is_full = true;
                if tls.counts {
                    self.output.tally.add_certificate(u64::from(length) + 4);
                }
            }
            SERVER_KEY_EXCHANGE => tls.server_key_exchange(body),
            SERVER_HELLO_DONE => tls.is_full = true,
            CLIENT_KEY_EXCHANGE => {
                let key = tls.chosen.and_then(|chosen| exchange::of_client(length, chosen.suite));
                tls.key = key.or(tls.key);
            }
            _ => {}
        }
    }

    fn gap(&mut self) {
        self.tls.sides[self.side as usize].has_gap = true;
    }

    fn unread(&mut self, bytes: u64) {
        self.tls.sides[self.side as usize].bytes += bytes;
    }
}

impl Hearer<'_, '_> {
    /// A record of the type of application data, which in TLS 1.3 handshake messages and alerts are as well.
    fn data(&mut self, length: u16) {
        let is_client = self.tls.client == Some(self.side);
        let part = match self.tls.chosen {
            Some(_) if self.tls.is_tls13 && is_client => self.tls.flight.of_client(length),
            Some(_) if self.tls.is_tls13 => self.tls.flight.of_server(length),
            _ => Part::Data,
        };
        self.part(part, length);
    }

    fn part(&mut self, part: Part, length: u16) {
        let alert = self.tls.flight.alert();
        match part {
            Part::Handshake => {}
            Part::MayBeAlert => {
                if std::mem::replace(&mut self.tls.sides[self.side as usize].has_waiting, true) {
                    self.tls.application_data(self.side, alert, self.output);
                }
            }
            Part::Data => {
                if std::mem::take(&mut self.tls.sides[self.side as usize].has_waiting) {
                    self.tls.application_data(self.side, alert, self.output);
                }
                self.tls.application_data(self.side, length, self.output);
            }
            Part::Settled(lengths, count) => {
                for length in &lengths[..count] {
                    self.tls.application_data(self.side, *length, self.output);
                }
            }
        }
    }
}

impl Tls {
    /// Of a connection with this client, as it seems, whose records count or not.
    pub fn new(client: Option<Side>, counts: bool) -> Self {
        Self { client, counts, ..Self::default() }
    }

    fn client_hello(&mut self, side: Side, hello: &ClientHello<'_>, output: &Output<'_>) {
        self.client = Some(side);
        let ClientHello { is_whole, has_ticket, has_early_data, .. } = *hello;
        self.hello = Offered { is_known: true, is_whole, has_ticket, has_early_data };
        if let Some(name) = hello.server_name {
            self.class = (output.class)(name);
        }
    }

    fn server_hello(&mut self, side: Side, hello: &ServerHello<'_>, output: &mut Output<'_>) {
        self.client = Some(side.other());
        self.is_tls13 = hello.is_tls13();
        if hello.is_retry {
            output.facts.retries += 1;
            return;
        }
        output.facts.compressed += u64::from(hello.is_compressed);
        self.chosen = Some(Chosen {
            version: hello.version,
            suite: hello.suite,
            has_psk: hello.has_psk,
            is_whole: hello.is_whole,
            http: hello.alpn.and_then(vocabulary::http),
        });
        self.group = hello.group;
        if self.is_tls13 {
            let early = self.hello.has_early_data && hello.has_psk;
            self.flight = Flight::begin(hello.suite, hello.has_psk, early);
            // A change of ciphers that came before has no meaning in TLS 1.3.
            self.sides.iter_mut().for_each(|sent| sent.is_encrypted = false);
        } else {
            self.key = exchange::of_suite(hello.suite);
        }
    }

    fn server_key_exchange(&mut self, body: &[u8]) {
        self.is_full = true;
        if let Some(chosen) = self.chosen.filter(|_| !self.is_tls13) {
            let exchange = exchange::of_server(body, chosen.suite, chosen.version);
            self.group = exchange.group.or(self.group);
            self.key = exchange.key.or(self.key);
        }
    }

    fn change_cipher(&mut self, side: Side) {
        if self.is_tls13 {
            return;
        }
        let is_server = self.client == Some(side.other());
        let sent = &mut self.sides[side as usize];
        sent.is_encrypted = true;
        if is_server && self.chosen.is_some() && !sent.has_gap {
            self.is_abbreviated = !self.is_full;
        }
    }

    fn application_data(&mut self, side: Side, length: u16, output: &mut Output<'_>) {
        let bytes = HEADER as u64 + u64::from(length);
        let sent = &mut self.sides[side as usize];
        sent.has_data = true;
        sent.bytes += bytes;
        let Some(client) = self.client.filter(|_| self.counts) else { return };
        output.tally.add_record(if side == client { Way::In } else { Way::Out }, bytes);
    }

    /// Nothing more comes.
    pub fn end(&mut self, output: &mut Output<'_>) {
        if let Some(client) = self.client.filter(|_| self.is_tls13) {
            let part = self.flight.end();
            Hearer { tls: self, side: client, output }.part(part, 0);
        }
    }

    /// How it went; the connection was closed, or only the capture has ended.
    pub fn outcome(&self, was_closed: bool) -> Outcome {
        let has_data = self.sides.iter().any(|sent| sent.has_data);
        if !self.hello.is_known && self.chosen.is_none() {
            return if has_data { Outcome::DataOnly } else { Outcome::NoTls };
        }
        let is_finished = if self.is_tls13 {
            self.flight.is_done()
        } else {
            self.sides.iter().all(|sent| sent.is_finished)
                || has_data && !(self.hello.has_early_data && self.chosen.is_none())
        };
        match is_finished {
            true => Outcome::Finished,
            false if self.has_alert || was_closed => Outcome::Failed,
            false => Outcome::Unfinished,
        }
    }

    /// Bytes that an end has sent in records with application data.
    pub fn bytes(&self, side: Side) -> u64 {
        self.sides[side as usize].bytes
    }

    /// What kind of connection it is.
    pub fn kind(&self, output: &mut Output<'_>) -> KindId {
        let resumed = self.resumed();
        let number = |number: Option<u16>| number.map_or([0; 2], u16::to_be_bytes);
        let chosen = self.chosen.as_ref();
        let words: [&[u8]; 7] = [
            self.class.as_deref().unwrap_or_default().as_bytes(),
            &number(chosen.map(|chosen| chosen.version)),
            &number(chosen.map(|chosen| chosen.suite)),
            &number(self.group),
            self.key.unwrap_or_default().as_bytes(),
            &[resumed.map_or(0, |resumed| 1 + resumed as u8)],
            &[chosen.and_then(|chosen| chosen.http).map_or(0, |http| 1 + http as u8)],
        ];
        output.tally.kind(&words, || Kind {
            class: self.class.clone(),
            protocol: chosen.and_then(|chosen| self.protocol(chosen.version)),
            suite: chosen.and_then(|chosen| vocabulary::suite_of_code(chosen.suite)),
            group: self.group.and_then(vocabulary::group_of_code),
            key: self.key.map(str::to_owned),
            resumed,
            http: chosen.and_then(|chosen| chosen.http),
        })
    }

    const fn protocol(&self, version: u16) -> Option<Protocol> {
        match version {
            // Drafts have other numbers.
            _ if self.is_tls13 => Some(Protocol::Tls13),
            0x0300 => Some(Protocol::Ssl3),
            0x0301 => Some(Protocol::Tls10),
            0x0302 => Some(Protocol::Tls11),
            0x0303 => Some(Protocol::Tls12),
            _ => None,
        }
    }

    /// Whether it took over an earlier session, as far as that can be told.
    fn resumed(&self) -> Option<Resumed> {
        let chosen = self.chosen?;
        if self.is_tls13 {
            return match (chosen.has_psk, self.flight.has_early_data()) {
                (false, _) => chosen.is_whole.then_some(Resumed::Full),
                (true, false) => Some(Resumed::Psk),
                (true, true) => Some(Resumed::EarlyData),
            };
        }
        if self.is_full {
            return Some(Resumed::Full);
        }
        let how = match self.hello {
            Offered { has_ticket: true, .. } => Resumed::Ticket,
            // Not seen, or the end of it was cut off.
            Offered { is_whole: false, .. } => Resumed::Resumed,
            Offered { .. } => Resumed::SessionId,
        };
        self.is_abbreviated.then_some(how)
    }
}
