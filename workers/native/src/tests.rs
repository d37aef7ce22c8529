//! What the conformance suite cannot see: back pressure, and how sessions are kept.

#![allow(clippy::unwrap_used)]

use std::cell::RefCell;
use std::collections::VecDeque;
use std::io::{self, ErrorKind, Read, Write};
use std::ptr;
use std::rc::Rc;

use tlstax_spec::{
    Algorithm, Compression, Group, Key, Params, Pattern, Primitive, Resumption, Side, Suite, Version,
};
use tlstax_worker::{Adapter, Connection, Endpoint, Inputs, Pki, Refusal};

use crate::adapter::NativeAdapter;
use crate::connection::NativeConfig;
use crate::ffi;
use crate::values::check;
use tlstax_worker::Config;

/// One direction of a pipe in memory that takes only so many bytes.
struct Queue {
    bytes: VecDeque<u8>,
    room: usize,
    ended: bool,
}

struct End {
    from: Rc<RefCell<Queue>>,
    to: Rc<RefCell<Queue>>,
}

impl Read for End {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut queue = self.from.borrow_mut();
        if queue.bytes.is_empty() && !queue.ended {
            return Err(ErrorKind::WouldBlock.into());
        }
        queue.bytes.read(buffer)
    }
}

impl Write for End {
    fn write(&mut self, data: &[u8]) -> io::Result<usize> {
        let mut queue = self.to.borrow_mut();
        let taken = data.len().min(queue.room - queue.bytes.len());
        if taken == 0 {
            return Err(ErrorKind::WouldBlock.into());
        }
        queue.bytes.extend(&data[..taken]);
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

struct Pair {
    client: Box<dyn Connection>,
    server: Box<dyn Connection>,
    /// What the client has sent and the server not yet read.
    upward: Rc<RefCell<Queue>>,
}

fn params(version: Version) -> Params {
    let suite = match version {
        Version::Tls13 => Suite::Aes128Gcm,
        _ => Suite::EcdheEcdsaAes128Gcm,
    };
    Params { version, suite, group: Some(Group::X25519), key: Key::EcdsaP256 }
}

fn test_pki() -> Pki {
    Pki::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../pki"))
}

fn endpoint(params: Params, resumption: Resumption, pki: &Pki) -> Endpoint<'_> {
    Endpoint {
        params,
        chain: 1,
        resumption,
        mutual: false,
        record: 16384,
        compression: Compression::None,
        pki,
    }
}

fn configs(params: Params, resumption: Resumption) -> [NativeConfig; 2] {
    NativeAdapter::start().unwrap();
    let pki = test_pki();
    let endpoint = endpoint(params, resumption, &pki);
    [Side::Client, Side::Server].map(|side| NativeConfig::new(side, &endpoint).unwrap())
}

fn pair(configs: &[NativeConfig; 2], room: usize) -> Pair {
    let mut pair = unacquainted(configs, room);
    pair.shake_hands();
    pair
}

fn unacquainted([client, server]: &[NativeConfig; 2], room: usize) -> Pair {
    let queue = || Rc::new(RefCell::new(Queue { bytes: VecDeque::new(), room, ended: false }));
    let (upward, downward) = (queue(), queue());
    let near = End { from: Rc::clone(&downward), to: Rc::clone(&upward) };
    let far = End { from: Rc::clone(&upward), to: downward };
    Pair {
        client: client.connect(Box::new(near)).unwrap(),
        server: server.connect(Box::new(far)).unwrap(),
        upward,
    }
}

impl Pair {
    fn shake_hands(&mut self) {
        while !(done(self.client.handshake()) & done(self.server.handshake())) {}
        // Takes the tickets.
        assert_eq!(self.client.read(&mut [0; 16]).unwrap_err().kind(), ErrorKind::WouldBlock);
    }
}

fn done(result: io::Result<()>) -> bool {
    match result {
        Ok(()) => true,
        Err(error) if error.kind() == ErrorKind::WouldBlock => false,
        Err(error) => panic!("{error}"),
    }
}

/// Everything that is written arrives once and in order through a pipe that holds less than a record, although the
/// library wants a blocked write repeated with the same bytes.
#[test]
fn data_survives_a_transport_that_takes_little() {
    for version in [Version::Tls12, Version::Tls13] {
        let mut pair = pair(&configs(params(version), Resumption::Full), 1000);
        let data: Vec<u8> = (0..100_000_u32).map(|number| (number % 251) as u8).collect();
        let (mut sent, mut got) = (0, Vec::new());
        let mut buffer = [0; 4096];
        while got.len() < data.len() {
            match pair.client.write(&data[sent..]) {
                Ok(taken) => sent += taken,
                Err(error) => assert_eq!(error.kind(), ErrorKind::WouldBlock),
            }
            match pair.server.read(&mut buffer) {
                Ok(read) => got.extend_from_slice(&buffer[..read]),
                Err(error) => assert_eq!(error.kind(), ErrorKind::WouldBlock),
            }
        }
        assert!(got == data, "{version}: the data changed on its way");
        assert_eq!(pair.client.write(&[]).unwrap(), 0);
    }
}

#[test]
fn the_end_of_the_transport_is_an_error_and_close_notify_is_not() {
    let configs = configs(params(Version::Tls13), Resumption::Full);
    let mut cut = pair(&configs, 100_000);
    cut.upward.borrow_mut().ended = true;
    assert_eq!(cut.server.read(&mut [0; 16]).unwrap_err().kind(), ErrorKind::UnexpectedEof);
    let mut closed = pair(&configs, 100_000);
    closed.client.close().unwrap();
    assert_eq!(closed.server.read(&mut [0; 16]).unwrap(), 0);
}

/// Every kind but the full handshake that the library claims, with configurations for it.
fn resumptions() -> Vec<(Resumption, [NativeConfig; 2])> {
    let claimed = NativeAdapter::start().unwrap().hello().resumptions;
    let kinds = claimed.iter().map(|name| name.parse().unwrap());
    let kinds = kinds.filter(|&kind| kind != Resumption::Full);
    let version = |kind: Resumption| if kind.fits(Version::Tls12) { Version::Tls12 } else { Version::Tls13 };
    kinds.map(|kind| (kind, configs(params(version(kind)), kind))).collect()
}

/// Connections that are dropped without a close, as a driver does, leave their sessions usable.
#[test]
fn every_later_handshake_is_resumed() {
    for (resumption, configs) in resumptions() {
        for number in 0..5 {
            let pair = pair(&configs, 100_000);
            let early = resumption == Resumption::EarlyData && number > 0;
            for side in [&pair.client, &pair.server] {
                assert_eq!(side.negotiated().resumed, number > 0, "{resumption} {number}");
                assert_eq!(side.negotiated().early, early, "{resumption} {number}");
            }
        }
    }
}

/// As many sessions are kept as there are connections in a load, all of which may begin before the first is complete.
#[test]
fn connections_that_begin_together_all_find_a_session() {
    for (resumption, configs) in resumptions() {
        for resumed in [false, true, true] {
            let mut pairs: Vec<Pair> = (0..300).map(|_| unacquainted(&configs, 100_000)).collect();
            pairs.iter_mut().for_each(Pair::shake_hands);
            let alike = |pair: &Pair| {
                (pair.client.negotiated().resumed, pair.server.negotiated().resumed) == (resumed, resumed)
            };
            assert!(pairs.iter().all(alike), "{resumption}");
        }
    }
}

#[test]
fn a_full_handshake_keeps_no_session() {
    for version in [Version::Tls12, Version::Tls13] {
        let configs = configs(params(version), Resumption::Full);
        for _ in 0..2 {
            let pair = pair(&configs, 100_000);
            let (client, server) = (pair.client.negotiated(), pair.server.negotiated());
            assert_eq!(client, server);
            assert!(!client.resumed);
            assert_eq!((client.version, client.group), (Some(version), Some(Group::X25519)));
            assert_eq!(client.key, Some(Key::EcdsaP256));
        }
    }
}

/// Each operation that is claimed runs in both patterns, or says that `openssl speed` has no such thing.
#[test]
fn both_patterns_of_every_primitive_run() {
    let adapter = NativeAdapter::start().unwrap();
    let claimed = adapter.hello().primitives;
    for &algorithm in Algorithm::ALL {
        for &op in algorithm.ops() {
            for &pattern in Pattern::ALL {
                let primitive = Primitive { op, algorithm, size: 1024, pattern };
                let made = adapter.primitive(&primitive, &Inputs::new(&primitive, &test_pki()).unwrap());
                let mut operation = match made {
                    Ok(operation) => operation,
                    Err(Refusal::Unsupported(_)) if pattern == Pattern::Speed => continue,
                    Err(Refusal::Unsupported(reason)) => {
                        assert!(!claimed.contains(&format!("{algorithm}:{op}")), "{reason}");
                        continue;
                    }
                    Err(error) => panic!("{algorithm} {op} {pattern}: {error}"),
                };
                operation.run(3).unwrap_or_else(|error| panic!("{algorithm} {op} {pattern}: {error}"));
                let answer =
                    operation.answer().unwrap_or_else(|error| panic!("{algorithm} {op} {pattern}: {error}"));
                assert_eq!(operation.answer().unwrap(), answer, "{algorithm} {op} {pattern}");
            }
        }
    }
}

/// A primitive that the vocabulary has and a backend has not needs no line in that backend.
#[test]
fn an_algorithm_that_the_backend_does_not_know_is_unsupported() {
    NativeAdapter::start().unwrap();
    let none = ffi::tlx_bytes { data: ptr::null(), length: 0 };
    let inputs = ffi::tlx_inputs {
        key: none,
        mac_key: none,
        iv: none,
        additional_data: none,
        message: none,
        signature: none,
        private_key: none,
        peer: none,
        signing_key: none,
    };
    let (word, op, mut made) = (c"rot13", c"encrypt", ptr::null_mut());
    // SAFETY: texts that end in 0; the library has started.
    assert_eq!(unsafe { ffi::tlx_has_primitive(word.as_ptr(), op.as_ptr()) }, 0);
    // SAFETY: as above, and the inputs live until the call returns.
    let answered = unsafe { ffi::tlx_operation_new(word.as_ptr(), op.as_ptr(), 0, &inputs, &mut made) };
    let refusal = check(answered).unwrap_err();
    assert!(matches!(refusal, Refusal::Unsupported(_)), "{refusal}");
}

#[test]
fn a_suite_of_another_version_is_unsupported_and_a_strange_file_is_an_error() {
    NativeAdapter::start().unwrap();
    let pki = Pki::new("/nowhere");
    let endpoint = endpoint(params(Version::Tls13), Resumption::Full, &pki);
    let refusal = NativeConfig::new(Side::Server, &endpoint).map(drop).unwrap_err();
    assert!(matches!(&refusal, Refusal::Failed(message) if message.contains("server-1.pem")), "{refusal}");
}
