#![allow(clippy::unwrap_used)]

use std::io::{self, ErrorKind, Read, Write};
use std::sync::{Arc, LazyLock};

use tlstax_spec::{Compression, Group, Key, Params, Resumption, Side, Suite, Version};
use tlstax_worker::{
    Adapter, Config, Connection, Endpoint, Negotiated, PipeEnd, Pki, Refusal, USUAL as TLS13, Wire,
};

use crate::adapter::Rustls;
use crate::provider;

static PKI: LazyLock<Pki> = LazyLock::new(|| Pki::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../pki")));

const TLS12: Params = Params { version: Version::Tls12, suite: Suite::EcdheEcdsaAes128Gcm, ..TLS13 };

/// An end of a pipe that takes a little at a time, so that messages arrive in pieces.
struct End {
    pipe: PipeEnd,
    wire: Wire,
    side: Side,
}

impl Read for End {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.pipe.read(buffer)
    }
}

impl Write for End {
    fn write(&mut self, data: &[u8]) -> io::Result<usize> {
        let waiting = self.wire.in_flight(self.side).len();
        match 40_000_usize.saturating_sub(waiting).min(data.len()).min(1000) {
            0 => Err(ErrorKind::WouldBlock.into()),
            room => self.pipe.write(&data[..room]),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

struct Ends {
    client: Arc<dyn Config>,
    server: Arc<dyn Config>,
}

struct Pair {
    client: Box<dyn Connection>,
    server: Box<dyn Connection>,
    wire: Wire,
}

impl Ends {
    fn new(endpoint: &Endpoint<'_>) -> Result<Self, Refusal> {
        Ok(Self {
            client: Rustls.config(Side::Client, endpoint)?,
            server: Rustls.config(Side::Server, endpoint)?,
        })
    }

    fn start(&self) -> Pair {
        let wire = Wire::default();
        let end = |side| Box::new(End { pipe: wire.end(side), wire: wire.clone(), side });
        Pair {
            client: self.client.connect(end(Side::Client)).unwrap(),
            server: self.server.connect(end(Side::Server)).unwrap(),
            wire,
        }
    }

    fn established(&self) -> Pair {
        let mut pair = self.start();
        pair.handshake().unwrap();
        pair
    }
}

impl Pair {
    fn handshake(&mut self) -> io::Result<()> {
        loop {
            let client = settle(self.client.handshake())?;
            let server = settle(self.server.handshake())?;
            if client && server {
                // Tickets come after the handshake.
                assert_eq!(self.client.read(&mut [0; 16]).unwrap_err().kind(), ErrorKind::WouldBlock);
                return Ok(());
            }
        }
    }
}

/// Whether it is done; false if it would block.
fn settle(result: io::Result<()>) -> io::Result<bool> {
    match result {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == ErrorKind::WouldBlock => Ok(false),
        Err(error) => Err(error),
    }
}

fn endpoint(params: Params, resumption: Resumption) -> Endpoint<'static> {
    Endpoint {
        params,
        chain: 1,
        resumption,
        mutual: false,
        record: 16384,
        compression: Compression::None,
        pki: &PKI,
    }
}

#[test]
fn negotiates_what_was_asked() {
    for suite in provider::suites() {
        for group in provider::groups() {
            for key in provider::keys() {
                let params = Params { version: suite.version(), suite, group: Some(group), key };
                if !params.is_coherent() {
                    continue;
                }
                let ends = match Ends::new(&endpoint(params, Resumption::Full)) {
                    Err(Refusal::Unsupported(_)) => continue,
                    ends => ends.unwrap(),
                };
                let pair = ends.established();
                let Params { version, suite, group, key } = params;
                let (version, suite, key) = (Some(version), Some(suite), Some(key));
                let expected = Negotiated { version, suite, group, key, ..Negotiated::default() };
                for negotiated in [pair.client.negotiated(), pair.server.negotiated()] {
                    assert_eq!(negotiated, expected);
                }
            }
        }
    }
}

#[test]
fn resumes_every_time_after_the_first() {
    for resumption in [Resumption::SessionId, Resumption::Ticket, Resumption::Psk, Resumption::EarlyData] {
        let params = if resumption.fits(Version::Tls12) { TLS12 } else { TLS13 };
        let ends = Ends::new(&endpoint(params, resumption)).unwrap();
        for connection in 0..4 {
            let pair = ends.established();
            for negotiated in [pair.client.negotiated(), pair.server.negotiated()] {
                let resumed = connection > 0;
                assert_eq!(negotiated.resumed, resumed, "{resumption}, connection {connection}");
                assert_eq!(negotiated.early, resumed && resumption == Resumption::EarlyData, "{resumption}");
                assert_eq!(negotiated.key, (!resumed).then_some(params.key), "{resumption}");
            }
        }
    }
}

#[test]
fn does_not_resume_unasked() {
    for params in [TLS12, TLS13] {
        let ends = Ends::new(&endpoint(params, Resumption::Full)).unwrap();
        for _ in 0..3 {
            assert!(!ends.established().client.negotiated().resumed);
        }
    }
}

#[test]
fn connections_at_the_same_time_each_find_a_ticket() {
    let ends = Ends::new(&endpoint(TLS13, Resumption::EarlyData)).unwrap();
    let mut first: Vec<_> = (0..20).map(|_| ends.start()).collect();
    first.iter_mut().for_each(|pair| pair.handshake().unwrap());
    let mut second: Vec<_> = (0..20).map(|_| ends.start()).collect();
    second.iter_mut().for_each(|pair| pair.handshake().unwrap());
    assert!(second.iter().all(|pair| pair.server.negotiated().resumed));
}

#[test]
fn authenticates_both_sides_with_chains() {
    for key in provider::keys() {
        for chain in 1..=3 {
            let params = Params { key, ..TLS13 };
            let endpoint = Endpoint { mutual: true, chain, ..endpoint(params, Resumption::Full) };
            let pair = Ends::new(&endpoint).unwrap().established();
            assert_eq!(pair.server.negotiated().key, Some(key));
        }
    }
}

#[test]
fn a_server_that_wants_a_certificate_gets_one_or_fails() {
    let plain = endpoint(TLS12, Resumption::Full);
    let mutual = Endpoint { mutual: true, ..plain };
    let ends = Ends {
        client: Rustls.config(Side::Client, &plain).unwrap(),
        server: Rustls.config(Side::Server, &mutual).unwrap(),
    };
    assert!(ends.start().handshake().is_err());
}

#[test]
fn carries_data_both_ways_in_records_of_the_asked_size() {
    for (params, overhead) in [(TLS12, 5 + 8 + 16), (TLS13, 5 + 1 + 16)] {
        let endpoint = Endpoint { record: 512, ..endpoint(params, Resumption::Full) };
        let mut pair = Ends::new(&endpoint).unwrap().established();
        let sent: Vec<u8> = (0..100_003_u32).map(|at| at as u8).collect();
        assert_eq!(transfer(pair.server.as_mut(), pair.client.as_mut(), &sent), sent);
        assert_eq!(transfer(pair.client.as_mut(), pair.server.as_mut(), &sent), sent);

        assert_eq!(pair.server.write(&[0; 1024]).unwrap(), 1024);
        assert_eq!(pair.wire.in_flight(Side::Server).len(), 2 * (512 + overhead));
    }
}

/// Sends more than the pipe holds, piece by piece.
fn transfer(from: &mut dyn Connection, to: &mut dyn Connection, data: &[u8]) -> Vec<u8> {
    let (mut written, mut received, mut buffer) = (0, Vec::new(), vec![0; 7000]);
    while received.len() < data.len() {
        match from.write(&data[written..]) {
            Ok(accepted) => written += accepted,
            Err(error) => assert_eq!(error.kind(), ErrorKind::WouldBlock),
        }
        match to.read(&mut buffer) {
            Ok(read) => received.extend_from_slice(&buffer[..read]),
            Err(error) => assert_eq!(error.kind(), ErrorKind::WouldBlock),
        }
    }
    received
}

#[test]
fn a_close_is_an_end_and_a_cut_is_an_error() {
    for params in [TLS12, TLS13] {
        let ends = Ends::new(&endpoint(params, Resumption::Full)).unwrap();
        let mut closed = ends.established();
        closed.server.close().unwrap();
        closed.server.close().unwrap();
        assert_eq!(closed.client.read(&mut [0; 16]).unwrap(), 0);

        let mut cut = ends.established();
        cut.wire.end_of(Side::Server);
        assert_eq!(cut.client.read(&mut [0; 16]).unwrap_err().kind(), ErrorKind::UnexpectedEof);

        let mut cut_early = ends.start();
        cut_early.wire.end_of(Side::Server);
        assert_eq!(cut_early.handshake().unwrap_err().kind(), ErrorKind::UnexpectedEof);
    }
}

#[test]
fn a_changed_record_is_an_error() {
    let mut pair = Ends::new(&endpoint(TLS13, Resumption::Full)).unwrap().established();
    pair.server.write(b"hello").unwrap();
    *pair.wire.in_flight(Side::Server).last_mut().unwrap() ^= 1;
    assert_eq!(pair.client.read(&mut [0; 16]).unwrap_err().kind(), ErrorKind::InvalidData);
}

#[test]
fn a_server_of_another_root_is_not_accepted() {
    let other = Params { key: Key::EcdsaP384, ..TLS13 };
    let ends = Ends {
        client: Rustls.config(Side::Client, &endpoint(other, Resumption::Full)).unwrap(),
        server: Rustls.config(Side::Server, &endpoint(TLS13, Resumption::Full)).unwrap(),
    };
    assert_eq!(ends.start().handshake().unwrap_err().kind(), ErrorKind::InvalidData);
}

#[test]
fn what_rustls_does_not_have_is_unsupported() {
    let rsa = Params { suite: Suite::RsaAes128Gcm, group: None, key: Key::Rsa2048, ..TLS12 };
    let finite = Params { group: Some(Group::Ffdhe2048), ..TLS13 };
    for params in [rsa, finite] {
        let refusal = Ends::new(&endpoint(params, Resumption::Full)).err();
        assert!(matches!(refusal, Some(Refusal::Unsupported(reason)) if reason.starts_with("rustls with ")));
    }
}
