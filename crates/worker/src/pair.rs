//! A client and a server that talk over a [`Wire`] in one thread.

use std::io;
use std::sync::Arc;

use tlstax_spec::{Compression, Params, Proof, Resumption, Side, Stage, Version};

use crate::adapter::{Adapter, Config, Connection, Endpoint, Negotiated};
use crate::flights::Flights;
use crate::job::JobError;
use crate::laps::Laps;
use crate::pipe::Wire;
use crate::pki::Pki;

/// The largest plaintext in a record that TLS allows (RFC 8446 5.1).
pub(crate) const LARGEST_RECORD: u32 = 16 * 1024;

/// How often each side gets its turn before a handshake counts as stuck; a handshake needs three turns at most.
const TURNS: usize = 16;

#[derive(Clone)]
pub(crate) struct Ends {
    pub(crate) client: Arc<dyn Config>,
    pub(crate) server: Arc<dyn Config>,
    resumption: Resumption,
    version: Version,
}

impl Ends {
    pub(crate) fn new(adapter: &dyn Adapter, endpoint: &Endpoint<'_>) -> Result<Self, JobError> {
        Self::timed(adapter, endpoint, &mut Laps::start(1))
    }

    /// Makes both ends and charges each side with its own.
    pub(crate) fn timed(
        adapter: &dyn Adapter,
        endpoint: &Endpoint<'_>,
        laps: &mut Laps,
    ) -> Result<Self, JobError> {
        check(endpoint.params, endpoint.resumption)?;
        let client = adapter.config(Side::Client, endpoint).map_err(JobError::preparing)?;
        laps.of(Side::Client);
        let server = adapter.config(Side::Server, endpoint).map_err(JobError::preparing)?;
        laps.of(Side::Server);
        Ok(Self { client, server, resumption: endpoint.resumption, version: endpoint.params.version })
    }

    /// Makes so many full handshakes of which each begins before the first is complete, so that the client holds a session
    /// for as many later ones.
    pub(crate) fn prime(&self, sessions: u16) -> Result<(), JobError> {
        if self.resumption == Resumption::Full {
            return Ok(());
        }
        let mut laps = Laps::start(1);
        let wires: Vec<_> = (0..sessions).map(|_| Wire::default()).collect();
        let begun =
            wires.iter().map(|wire| Pair::begin(self, wire, &mut laps)).collect::<Result<Vec<_>, _>>()?;
        let mut begun = begun.into_iter().zip(&wires);
        begun.try_for_each(|(pair, wire)| pair.complete(self, wire, &mut laps).map(drop))
    }

    /// Whether tickets come after the handshake and the client has to read once to get them.
    fn tickets_follow(&self) -> bool {
        self.resumption != Resumption::Full && self.version == Version::Tls13
    }
}

/// An endpoint with the usual values where a workload does not say.
pub(crate) fn endpoint(params: Params, pki: &Pki) -> Endpoint<'_> {
    Endpoint {
        params,
        chain: 1,
        resumption: Resumption::Full,
        mutual: false,
        record: LARGEST_RECORD,
        compression: Compression::None,
        pki,
    }
}

/// What cannot be negotiated by anybody is not offered to a library.
pub(crate) fn check(params: Params, resumption: Resumption) -> Result<(), JobError> {
    let group = params.group.map_or("no group", |group| group.name());
    let (version, suite, key) = (params.version, params.suite, params.key);
    if !params.is_coherent() {
        return Err(JobError::Unsupported(format!(
            "TLS has no {version} with {suite}, {group} and a key of {key}"
        )));
    }
    if !resumption.fits(version) {
        return Err(JobError::Unsupported(format!("{version} has no resumption of the kind {resumption}")));
    }
    Ok(())
}

pub(crate) struct Pair {
    pub(crate) client: Box<dyn Connection>,
    pub(crate) server: Box<dyn Connection>,
    client_done: bool,
    server_done: bool,
    /// How often the client waited for the server before its handshake was complete.
    round_trips: u32,
    flights: Flights,
}

impl Pair {
    pub(crate) fn connect(ends: &Ends, wire: &Wire, laps: &mut Laps) -> Result<Self, JobError> {
        Self::begin(ends, wire, laps)?.complete(ends, wire, laps)
    }

    /// Makes both ends and lets each have its first turn.
    fn begin(ends: &Ends, wire: &Wire, laps: &mut Laps) -> Result<Self, JobError> {
        let connect = |config: &dyn Config, side: Side| {
            let transport = Box::new(wire.end(side));
            config
                .connect(transport)
                .map_err(|error| JobError::io(Stage::Run, &format!("making a {side}"), &error))
        };
        let mut client = connect(&*ends.client, Side::Client)?;
        let mut flights = Flights::new();
        let client_done = turn(&mut *client, Side::Client)?;
        flights.note(Side::Client, wire);
        laps.of(Side::Client);
        let mut server = connect(&*ends.server, Side::Server)?;
        let server_done = turn(&mut *server, Side::Server)?;
        flights.note(Side::Server, wire);
        laps.of(Side::Server);
        Ok(Self { client, server, client_done, server_done, round_trips: 0, flights })
    }

    /// Lets the ends take turns until both are done, and lets the client take its tickets.
    fn complete(mut self, ends: &Ends, wire: &Wire, laps: &mut Laps) -> Result<Self, JobError> {
        for _ in 0..TURNS {
            if !self.client_done {
                self.round_trips += 1;
                self.client_done = turn(&mut *self.client, Side::Client)?;
                self.flights.note(Side::Client, wire);
                laps.of(Side::Client);
            }
            if !self.server_done {
                self.server_done = turn(&mut *self.server, Side::Server)?;
                self.flights.note(Side::Server, wire);
                laps.of(Side::Server);
            }
            if self.client_done && self.server_done {
                if ends.tickets_follow() {
                    take_tickets(&mut *self.client)?;
                    laps.of(Side::Client);
                }
                return Ok(self);
            }
        }
        let waiting = if self.client_done { Side::Server } else { Side::Client };
        Err(JobError::failed(Stage::Run, format!("the handshake is stuck: the {waiting} waits for ever")))
    }

    /// The sender and the receiver of what a side sends.
    pub(crate) fn from(&mut self, side: Side) -> (&mut dyn Connection, &mut dyn Connection) {
        match side {
            Side::Client => (&mut *self.client, &mut *self.server),
            Side::Server => (&mut *self.server, &mut *self.client),
        }
    }

    /// What both sides say was negotiated, as a proof about one handshake.
    pub(crate) fn proof(&self, wire: &Wire) -> Result<Proof, JobError> {
        let (client, server) = (self.client.negotiated(), self.server.negotiated());
        agree(&client, &server)?;
        let mut flights = self.flights;
        // Whatever went out after the last turn.
        [Side::Client, Side::Server].into_iter().for_each(|side| flights.note(side, wire));
        Ok(Proof {
            version: client.version,
            suite: client.suite,
            group: client.group,
            key: client.key,
            compression: client.compression,
            resumed: u64::from(client.resumed),
            handshakes: 1,
            early: u64::from(client.early && server.early),
            client_bytes: wire.sent(Side::Client),
            server_bytes: wire.sent(Side::Server),
            // A request that went out as early data waited for nothing.
            round_trips: Some(if client.early { 0 } else { self.round_trips }),
            flights: flights.bytes(),
            answer: None,
        })
    }
}

/// One call; whether the handshake is complete on this side.
fn turn(connection: &mut dyn Connection, side: Side) -> Result<bool, JobError> {
    match connection.handshake() {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::WouldBlock => Ok(false),
        Err(error) => Err(JobError::io(Stage::Run, &format!("the {side}'s handshake"), &error)),
    }
}

fn take_tickets(client: &mut dyn Connection) -> Result<(), JobError> {
    match client.read(&mut [0; 64]) {
        Err(error) if error.kind() == io::ErrorKind::WouldBlock => Ok(()),
        Err(error) => Err(JobError::io(Stage::Run, "the client's reading of tickets", &error)),
        Ok(0) => Err(JobError::failed(Stage::Run, "the server closed the connection after the handshake")),
        Ok(_) => Err(JobError::failed(Stage::Run, "the client read application data that nobody wrote")),
    }
}

fn agree(client: &Negotiated, server: &Negotiated) -> Result<(), JobError> {
    fn same<T: PartialEq>(a: Option<T>, b: Option<T>) -> bool {
        a.is_none() || b.is_none() || a == b
    }
    let agreed = same(client.version, server.version)
        && same(client.suite, server.suite)
        && same(client.group, server.group)
        && same(client.compression, server.compression)
        && client.resumed == server.resumed;
    if agreed {
        return Ok(());
    }
    let message = format!("the two sides disagree: client {client:?}, server {server:?}");
    Err(JobError::failed(Stage::Proof, message))
}
