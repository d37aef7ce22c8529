//! One connection: what it is doing, and the little that is kept of it.

mod reading;
mod trouble;
mod writing;

pub(crate) use trouble::Trouble;

use rustls::client::ClientConnectionData;
use rustls::kernel::KernelConnection;
use tlstax_measure::clock::monotonic;
use tlstax_spec::{Http, Nanos};
use tlstax_worker::Negotiated;
use tlstax_worker::poll::Poll;

use crate::http1::{HeadReader, Response};
use crate::http2;
use crate::plan::Plan;
use crate::socket::{Interest, Socket};
use crate::tls::{Client, Handshake, Opener, Sealer};

/// What the connections of a thread have in common: one of them is busy at a time.
pub(crate) struct Tools {
    pub(crate) plan: Plan,
    pub(crate) poll: Poll,
    /// Makes handshakes; none in plain HTTP.
    pub(crate) client: Option<Client>,
    heads: HeadReader,
    buffer: Box<[u8]>,
    /// Zeros that are sent in uploads, and room for what is thrown away unread: never written, so it takes no memory.
    zeros: Box<[u8]>,
    /// Bytes to be sent at once.
    out: Vec<u8>,
    /// Plaintext to be sealed.
    plain: Vec<u8>,
    pub(crate) ends: Ends,
    /// What the handshake negotiated that has just been completed.
    pub(crate) shaken: Option<Negotiated>,
}

/// What a server does after its close_notify.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ends {
    /// None has been seen yet.
    Unknown,
    /// It closes the connection.
    AtOnce,
    /// It waits for the client to do so, as RFC 8446 6.1 allows, or takes its time.
    WithUs,
}

/// Holds several records; more would leave the cache before it is read.
const BUFFER: usize = 64 * 1024;

/// The most that is thrown away in one call.
const ZEROS: usize = 4 << 20;

impl Tools {
    pub(crate) fn new(plan: Plan, poll: Poll, client: Option<Client>) -> Self {
        Self {
            heads: HeadReader::new(plan.accepts()),
            plan,
            poll,
            client,
            buffer: vec![0; BUFFER].into_boxed_slice(),
            zeros: vec![0; ZEROS].into_boxed_slice(),
            out: Vec::with_capacity(BUFFER),
            plain: Vec::new(),
            ends: Ends::Unknown,
            shaken: None,
        }
    }
}

pub(crate) struct Connection {
    socket: Socket,
    token: u64,
    layer: Layer,
    exchange: Exchange,
    pub(crate) stage: Stage,
    /// Requests on it, the one on its way included.
    requests: u32,
    /// The most of them; 0 has no end.
    most: u32,
    /// When the request on its way was begun, or should have been; with the connection, if that was made for it.
    pub(crate) begun: Nanos,
    /// The beginning of a record that has not come as a whole.
    backlog: Vec<u8>,
    /// What the socket had no room for.
    unsent: Vec<u8>,
    /// Bytes of the request's body that are still to be sent.
    upload: u64,
    /// Bytes on the wire that nobody will look at.
    skip: u64,
    /// The plaintext in the latest record that was counted.
    record: usize,
    interest: Interest,
    is_watched: bool,
    /// The bytes that have to be there for it to be woken.
    wakes_at: usize,
    seen: Seen,
}

#[derive(Debug, Default, Clone, Copy)]
struct Seen {
    /// The response is complete but for bytes to be thrown away.
    answered: bool,
    ticket: bool,
    close_notify: bool,
    /// The end of the stream stands behind everything that is there.
    end: bool,
    /// Everything that was there has been read.
    drained: bool,
}

enum Layer {
    Plain,
    Shaking(Box<Handshake>),
    Records(Box<Records>),
}

/// What is left of TLS after the handshake.
struct Records {
    opener: Opener,
    sealer: Sealer,
    tickets: Option<Box<KernelConnection<ClientConnectionData>>>,
}

enum Exchange {
    Http1(Response),
    Http2(Box<http2::Session>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stage {
    Opening,
    /// Its request is on its way, or the response.
    Busy,
    /// It waits for a request.
    Idle,
    Closing,
}

impl Stage {
    /// For messages.
    pub(crate) const fn doing(self) -> &'static str {
        match self {
            Self::Opening => "connecting and shaking hands",
            Self::Busy => "waiting for a response",
            Self::Idle => "keeping a connection",
            Self::Closing => "waiting for the server to close",
        }
    }
}

/// How far a connection came before it would have blocked.
#[derive(Debug)]
pub(crate) enum Progress {
    Blocked,
    /// A response is complete; its body had so many bytes.
    Answered(u64),
    /// The server has closed, as it was asked to.
    Closed,
}

impl Connection {
    /// Connects for a request that is due at `begun`, the first of `most`; it follows by itself.
    pub(crate) fn open(tools: &mut Tools, token: u64, begun: Nanos, most: u32) -> Result<Self, Trouble> {
        let socket = Socket::connect(tools.plan.address)?;
        let layer = match &tools.client {
            Some(client) => Layer::Shaking(Box::new(client.connect()?)),
            None => Layer::Plain,
        };
        let exchange = match tools.plan.load.http {
            Http::Http1 => Exchange::Http1(Response::default()),
            Http::Http2 => Exchange::Http2(Box::default()),
        };
        let mut connection = Self {
            socket,
            token,
            layer,
            exchange,
            stage: Stage::Opening,
            requests: 0,
            most,
            begun,
            backlog: Vec::new(),
            unsent: Vec::new(),
            upload: 0,
            skip: 0,
            record: 0,
            interest: Interest::Data,
            is_watched: false,
            wakes_at: 1,
            seen: Seen::default(),
        };
        connection.greet(tools)?;
        tools.poll.watch(&connection.socket.0, token, connection.interest.events())?;
        connection.is_watched = true;
        Ok(connection)
    }

    /// Begins a request on an idle connection; it was due at this time, or is now.
    pub(crate) fn begin(&mut self, tools: &mut Tools, due: Option<Nanos>) -> Result<(), Trouble> {
        self.begun = due.unwrap_or_else(monotonic);
        tools.out.clear();
        // The next response may be a short one.
        self.set_wake()?;
        self.request(tools)
    }

    /// Whether the request on its way is the last.
    fn is_last(&self) -> bool {
        self.requests == self.most
    }
}
