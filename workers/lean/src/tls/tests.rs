//! The record layer against rustls's, in memory.
#![allow(clippy::unwrap_used)]

use std::io::{Read, Write};
use std::sync::Arc;

use proptest::prelude::*;
use rustls::ServerConnection;
use tlstax_spec::{Group, Id, Key, Load, Params, Resumption, Suite, Version};

use super::*;
use crate::provider::Glance;
use crate::tests::{pki, server};

fn connect(suite: Suite) -> (Shaken, ServerConnection) {
    let params = Params { version: suite.version(), suite, group: Some(Group::X25519), key: Key::EcdsaP256 };
    let verifier = Arc::new(Glance::of_ours(&pki(), params.key, 1).unwrap());
    let load = Load::new(Id::literal("lean"), Some(params));
    let mut client = Client::new(params, &load, "server.test", 1, verifier).unwrap().connect().unwrap();
    let mut config = (*server::config(params, Resumption::Full, None)).clone();
    config.send_tls13_tickets = 0;
    let mut server = ServerConnection::new(Arc::new(config)).unwrap();
    let mut incoming = Vec::new();
    loop {
        let mut out = Vec::new();
        // What is done with may be any part of what came.
        let (used, step) = client.step(&mut incoming, None, &mut out, &mut Vec::new()).unwrap();
        incoming.drain(..used);
        give(&mut server, &out);
        if step == Step::Done {
            return (client.finish().unwrap(), server);
        }
        let mut answer = taken(&mut server);
        // In two halves, to see that a record may come in pieces.
        let rest = answer.split_off(answer.len() / 2);
        incoming.extend(answer);
        let (used, step) = client.step(&mut incoming, None, &mut Vec::new(), &mut Vec::new()).unwrap();
        assert_eq!(step, Step::Wait);
        incoming.drain(..used);
        incoming.extend(rest);
    }
}

const SUITES: [Suite; 6] = [
    Suite::Aes128Gcm,
    Suite::Aes256Gcm,
    Suite::ChaCha20Poly1305,
    Suite::EcdheEcdsaAes128Gcm,
    Suite::EcdheEcdsaAes256Gcm,
    Suite::EcdheEcdsaChaCha20Poly1305,
];

fn sent(server: &mut ServerConnection, plaintext: &[u8]) -> Vec<u8> {
    server.writer().write_all(plaintext).unwrap();
    taken(server)
}

fn give(server: &mut ServerConnection, mut bytes: &[u8]) {
    while !bytes.is_empty() {
        server.read_tls(&mut bytes).unwrap();
        server.process_new_packets().unwrap();
    }
}

fn taken(server: &mut ServerConnection) -> Vec<u8> {
    let mut wire = Vec::new();
    while server.wants_write() {
        server.write_tls(&mut wire).unwrap();
    }
    wire
}

#[test]
fn both_directions_agree_with_rustls() {
    for suite in SUITES {
        let (mut ours, mut server) = connect(suite);
        assert_eq!(ours.negotiated.suite, Some(suite));
        for length in [1, 1000, 16_384] {
            let plaintext = vec![7; length];
            let mut wire = Vec::new();
            ours.sealer.seal(Content::ApplicationData, &plaintext, &mut wire).unwrap();
            let header = Header::read(&wire).unwrap().unwrap();
            assert_eq!(header.length, length + ours.opener.form().overhead());
            give(&mut server, &wire);
            let mut read = vec![0; length];
            server.reader().read_exact(&mut read).unwrap();
            assert_eq!(read, plaintext);

            let mut record = sent(&mut server, &plaintext);
            let header = Header::read(&record).unwrap().unwrap();
            assert_eq!(header.whole(), record.len());
            assert_eq!(header.length - ours.opener.form().overhead(), length);
            let opened = ours.opener.open(header, &mut record).unwrap();
            assert_eq!(
                (opened.content, &record[opened.plaintext]),
                (Some(Content::ApplicationData), &plaintext[..])
            );
        }
    }
}

#[test]
fn records_that_were_passed_over_count() {
    for suite in SUITES {
        let (mut ours, mut server) = connect(suite);
        for _ in 0..3 {
            sent(&mut server, b"not read");
            ours.opener.pass();
        }
        let mut record = sent(&mut server, b"read");
        let header = Header::read(&record).unwrap().unwrap();
        let opened = ours.opener.open(header, &mut record).unwrap();
        assert_eq!(&record[opened.plaintext], b"read");
        // One too few in TLS 1.3 and in ChaCha20 is another nonce, and in AES-GCM other additional data.
        sent(&mut server, b"lost");
        let mut record = sent(&mut server, b"unreadable");
        let header = Header::read(&record).unwrap().unwrap();
        assert_eq!(ours.opener.open(header, &mut record), Err(RecordError::Decrypt));
    }
}

#[test]
fn close_notify_is_understood() {
    for suite in SUITES {
        let (mut ours, mut server) = connect(suite);
        server.send_close_notify();
        let mut record = Vec::new();
        server.write_tls(&mut record).unwrap();
        let header = Header::read(&record).unwrap().unwrap();
        let opened = ours.opener.open(header, &mut record).unwrap();
        assert_eq!((opened.content, &record[opened.plaintext]), (Some(Content::Alert), &[1, 0][..]));
        let mut wire = Vec::new();
        ours.sealer.seal(Content::Alert, &[1, 0], &mut wire).unwrap();
        server.read_tls(&mut wire.as_slice()).unwrap();
        assert!(server.process_new_packets().unwrap().peer_has_closed());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20))]
    #[test]
    fn no_damaged_record_is_read(at in 5_usize..60, bit in 0_u8..8, suite in 0_usize..SUITES.len()) {
        let (mut ours, mut server) = connect(SUITES[suite]);
        let mut record = sent(&mut server, b"something that is long enough for it");
        let at = at.min(record.len() - 1);
        let header = Header::read(&record).unwrap().unwrap();
        record[at] ^= 1 << bit;
        prop_assert_eq!(ours.opener.open(header, &mut record), Err(RecordError::Decrypt));
        prop_assert!(matches!(SUITES[suite].version(), Version::Tls12 | Version::Tls13));
    }
}
