//! What a library has to do for a worker: the traits that each adapter implements, and the inputs it is given.
//!
//! An adapter is dumb: it holds one library, reads no clock, keeps no statistics and prints nothing.

use std::io::{self, Read, Write};
use std::sync::Arc;

use tlstax_spec::wire::{Hello, Sight, Target};
use tlstax_spec::{Compression, Group, Key, Load, Params, Primitive, Resumption, Side, Suite, Version};

use crate::inputs::Inputs;
use crate::job::{JobError, Prepared, Refusal};
use crate::pki::Pki;

pub trait Adapter: Send + Sync {
    /// Who the library is at run time, and what it can do, found by asking it.
    fn hello(&self) -> Hello;

    /// Sets up one operation, outside any measurement.
    ///
    /// # Errors
    /// The library has no such primitive, or refuses the inputs.
    fn primitive(&self, primitive: &Primitive, inputs: &Inputs) -> Result<Box<dyn Operation>, Refusal>;

    /// Sets up one end of connections: context, certificates, session store.
    ///
    /// # Errors
    /// The library cannot negotiate this, or refuses what it is given.
    fn config(&self, side: Side, endpoint: &Endpoint<'_>) -> Result<Arc<dyn Config>, Refusal>;

    /// The cipher suites that the library chooses by such words, by their IANA names, in the order in which it prefers them:
    /// `string` is for TLS 1.2, and empty for none of its suites; `ciphersuites` is for TLS 1.3 where that is a setting apart,
    /// and leaves the library's own where it is none.
    ///
    /// # Errors
    /// The library has no such words, or refuses these.
    fn expand(&self, _string: &str, _ciphersuites: Option<&str>) -> Result<Vec<String>, Refusal> {
        Err(Refusal::Unsupported("it has no cipher strings: suites are named one by one".to_owned()))
    }

    /// What a server that the user has named negotiates and answers, offered this version, or plain HTTP.
    ///
    /// # Errors
    /// The worker does not look at servers, or must not look at this one; or no connection came about.
    fn look(&self, _port: u16, _target: &Target, _version: Option<Version>) -> Result<Sight, Refusal> {
        Err(Refusal::Unsupported("it does not look at servers; the client lean does".to_owned()))
    }

    /// The client's end of a load, for a worker that has one of its own; none leaves it to that of the SDK, which is the same
    /// for every library and does downloads over HTTP/1.1 in a closed loop.
    ///
    /// # Errors
    /// The load cannot be made, or its trial run failed.
    fn client(&self, _order: &Order<'_>) -> Option<Result<Prepared<'static>, JobError>> {
        None
    }
}

/// The names of what a library can do.
pub fn names(members: impl IntoIterator<Item = impl ToString>) -> Vec<String> {
    members.into_iter().map(|member| member.to_string()).collect()
}

/// What the client's end of a load is asked for.
#[derive(Debug, Clone, Copy)]
pub struct Order<'a> {
    pub load: &'a Load,
    /// Threads that each do what the load says.
    pub threads: u16,
    pub port: u16,
    /// A server that is not ours; none is one of ours on 127.0.0.1.
    pub target: Option<&'a Target>,
    pub pki: &'a Pki,
}

/// A primitive that is set up and can be run any number of times.
pub trait Operation: Send {
    /// Does the operation `n` times; the loop is in here so that nothing but the library is called.
    ///
    /// # Errors
    /// The library fails.
    fn run(&mut self, n: u64) -> Result<(), Refusal>;

    /// Does the operation once, with the first nonce, and returns its whole output, for the known-answer test:
    /// ciphertext and tag, digest, derived secret, signature. Operations whose output is random check it
    /// themselves with the library's inverse operation, and return [`Operation::CHECKED`].
    ///
    /// # Errors
    /// The library fails, or its own inverse contradicts it.
    fn answer(&mut self) -> Result<Vec<u8>, Refusal>;
}

impl dyn Operation {
    /// The answer of an operation whose output is random and passed the library's own inverse.
    pub const CHECKED: &'static [u8] = tlstax_spec::known_answers::CHECKED;
}

/// What one end of a connection is to be.
#[derive(Debug, Clone, Copy)]
pub struct Endpoint<'a> {
    /// What must be negotiated; nothing else may be offered.
    pub params: Params,
    /// Certificates that the server sends, end entity included, root excluded.
    pub chain: u8,
    /// Full: no session is stored and no ticket issued. Otherwise the server issues one session or ticket in each full
    /// handshake, and one ticket in each resumption of TLS 1.3. In TLS 1.2 a session is used again; whether its
    /// ticket is renewed in a resumption is the library's choice (RFC 5077 3.3): rustls does, OpenSSL does not while
    /// the ticket is still good. The client keeps sessions in its configuration and offers one on each later
    /// connection; of single-use tickets it keeps at least as many as connections may begin before the first is
    /// complete: thousands, for a load.
    pub resumption: Resumption,
    /// Whether the client sends a certificate of the same key type and the server verifies it.
    pub mutual: bool,
    /// The largest plaintext in a record that this end sends.
    pub record: u32,
    /// TLS compression that must be negotiated; only asked of a library whose hello has it.
    pub compression: Compression,
    /// Test certificates and keys. The client verifies the chain and the name [`crate::pki::SERVER_NAME`].
    pub pki: &'a Pki,
}

/// What the client sends as early data with [`Resumption::EarlyData`].
pub const EARLY_DATA: &[u8] = b"GET / HTTP/1.1\r\nHost: server.test\r\n\r\n";

/// A configured end, from which connections are made; shared by threads.
pub trait Config: Send + Sync {
    /// Makes a new connection over a transport, before its handshake.
    ///
    /// # Errors
    /// The library fails.
    fn connect(&self, transport: Box<dyn Transport>) -> io::Result<Box<dyn Connection>>;
}

/// Bytes to and from the peer: a pipe in memory or a socket. It never blocks: [`io::ErrorKind::WouldBlock`].
pub trait Transport: Read + Write {}

impl<T: Read + Write> Transport for T {}

/// One TLS connection. No call blocks: [`io::ErrorKind::WouldBlock`] asks for more from the transport.
pub trait Connection {
    /// Goes on with the handshake; `Ok` when it is complete on this side. A client with
    /// [`Resumption::EarlyData`] and a session sends [`EARLY_DATA`] in it, a server reads and drops it.
    ///
    /// # Errors
    /// [`io::ErrorKind::WouldBlock`] where the transport has nothing, anything else where the handshake failed.
    fn handshake(&mut self) -> io::Result<()>;

    /// Reads plaintext; 0 after the peer's close_notify. The end of the transport without one is an error of kind
    /// [`io::ErrorKind::UnexpectedEof`]. Handles what comes after the handshake, such as tickets.
    ///
    /// # Errors
    /// As for [`Connection::handshake`].
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize>;

    /// Writes plaintext, as many bytes as the transport takes. What the library has accepted and could not send is
    /// sent with the next call; an empty slice only sends that.
    ///
    /// # Errors
    /// As for [`Connection::handshake`].
    fn write(&mut self, data: &[u8]) -> io::Result<usize>;

    /// Sends close_notify.
    ///
    /// # Errors
    /// As for [`Connection::handshake`].
    fn close(&mut self) -> io::Result<()>;

    /// What was negotiated, read back from the library after the handshake.
    fn negotiated(&self) -> Negotiated;
}

#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Negotiated {
    pub version: Option<Version>,
    pub suite: Option<Suite>,
    /// Key exchange group, where the library tells it.
    pub group: Option<Group>,
    /// The key in the server's certificate, as the client saw it (the server: as it sent it).
    pub key: Option<Key>,
    pub resumed: bool,
    pub early: bool,
    /// TLS compression; none where nothing is compressed.
    pub compression: Option<Compression>,
}
