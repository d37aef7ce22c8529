//! One connection: rustls's state machine, and the bytes moved between it and the transport.

use std::io::{self, ErrorKind, Read, Write};

use rustls::pki_types::CertificateDer;
use rustls::server::ParsedCertificate;
use rustls::{ClientConnection, HandshakeKind, ProtocolVersion, ServerConnection};
use tlstax_spec::{Key, Suite, Version};
use tlstax_worker::{Connection, EARLY_DATA, Negotiated, Transport, der};

use crate::provider;

/// A connection over its transport.
///
/// The limit of rustls's output buffer stays at its default of 64 KiB: a larger write is encrypted and sent in portions
/// that are still in the cache when they are sent.
pub(super) struct Link {
    tls: rustls::Connection,
    transport: Box<dyn Transport>,
    /// The server's own key; a client reads it from the certificate.
    key: Option<Key>,
    /// Whether a server has read early data.
    early: bool,
}

impl Link {
    /// A client; its early data waits in the library, behind the first message.
    pub(super) fn client(mut tls: ClientConnection, transport: Box<dyn Transport>) -> io::Result<Self> {
        if let Some(mut early) = tls.early_data() {
            early.write_all(EARLY_DATA)?;
        }
        Ok(Self { tls: tls.into(), transport, key: None, early: false })
    }

    pub(super) fn server(tls: ServerConnection, key: Key, transport: Box<dyn Transport>) -> Self {
        Self { tls: tls.into(), transport, key: Some(key), early: false }
    }

    fn send(&mut self) -> io::Result<()> {
        while self.tls.wants_write() {
            if self.tls.write_tls(&mut self.transport)? == 0 {
                return Err(ErrorKind::WriteZero.into());
            }
        }
        Ok(())
    }

    /// Takes what the transport has, at most one read of it, and works on it; whether it is at its end.
    fn receive(&mut self) -> io::Result<bool> {
        let received = self.tls.read_tls(&mut self.transport)?;
        if let Err(error) = self.tls.process_new_packets() {
            // The peer should learn why, but the error that counts is the first.
            let _ = self.send();
            return Err(io::Error::new(ErrorKind::InvalidData, error));
        }
        Ok(received == 0)
    }

    fn drop_early_data(&mut self) -> io::Result<()> {
        let rustls::Connection::Server(server) = &mut self.tls else { return Ok(()) };
        let Some(mut early) = server.early_data() else { return Ok(()) };
        let mut dropped = [0; 256];
        while early.read(&mut dropped)? > 0 {
            self.early = true;
        }
        Ok(())
    }
}

impl Connection for Link {
    fn handshake(&mut self) -> io::Result<()> {
        loop {
            self.send()?;
            if !self.tls.is_handshaking() {
                return Ok(());
            }
            if self.receive()? {
                return Err(ErrorKind::UnexpectedEof.into());
            }
            self.drop_early_data()?;
        }
    }

    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.tls.reader().read(buffer) {
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                done => return done,
            }
            // After the end of the transport the reader no longer says WouldBlock.
            self.receive()?;
            // An answer to a key update; if it cannot go now, it goes with the next write.
            match self.send() {
                Err(error) if error.kind() != ErrorKind::WouldBlock => return Err(error),
                _ => {}
            }
        }
    }

    fn write(&mut self, data: &[u8]) -> io::Result<usize> {
        self.send()?;
        let mut accepted = 0;
        while accepted < data.len() {
            accepted += self.tls.writer().write(&data[accepted..])?;
            match self.send() {
                // What was accepted goes out with the next call.
                Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                sent => sent?,
            }
        }
        Ok(accepted)
    }

    fn close(&mut self) -> io::Result<()> {
        // It does so only once.
        self.tls.send_close_notify();
        self.send()
    }

    fn negotiated(&self) -> Negotiated {
        let resumed = self.tls.handshake_kind() == Some(HandshakeKind::Resumed);
        let shown = || self.key.or_else(|| key_of(self.tls.peer_certificates()?.first()?));
        Negotiated {
            version: self.tls.protocol_version().and_then(named_version),
            suite: self
                .tls
                .negotiated_cipher_suite()
                .and_then(|suite| Suite::from_code(suite.suite().into())),
            group: self.tls.negotiated_key_exchange_group().and_then(provider::named_group),
            // A resumed session remembers a certificate that was not shown this time.
            key: if resumed { None } else { shown() },
            resumed,
            early: match &self.tls {
                rustls::Connection::Client(client) => client.is_early_data_accepted(),
                rustls::Connection::Server(_) => self.early,
            },
            compression: None,
        }
    }
}

fn named_version(version: ProtocolVersion) -> Option<Version> {
    match version {
        ProtocolVersion::TLSv1_2 => Some(Version::Tls12),
        ProtocolVersion::TLSv1_3 => Some(Version::Tls13),
        _ => None,
    }
}

fn key_of(certificate: &CertificateDer<'_>) -> Option<Key> {
    der::key(&ParsedCertificate::try_from(certificate).ok()?.subject_public_key_info())
}
