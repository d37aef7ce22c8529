//! Both ends against each other, over loopback, with the control adapter.
#![allow(clippy::unwrap_used)]

use std::io::{Read, Write};
use std::net::TcpStream;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hdrhistogram::Histogram;
use hdrhistogram::serialization::Deserializer;
use tlstax_spec::wire::Usage;
use tlstax_spec::{
    Direction, Http, Id, Key, Nanos, Page, Params, Parts, Proof, Resumption, Sample, Suite, Version, Workload,
};

use super::message::Message;
use super::*;
use crate::adapter::Order;
use crate::control::Control;
use crate::job::{Batch, Job, Prepared};
use crate::setup::USUAL;

fn load(resumption: Resumption) -> Load {
    Load {
        resumption,
        connections: 3,
        requests_per_connection: 1,
        body: 100,
        ..Load::new(Id::literal("control"), Some(USUAL))
    }
}

fn client(load: &Load, port: u16) -> Result<Prepared<'static>, JobError> {
    let pki = Pki::new("pki");
    ClientJob::prepare(&Control, &Order { load, threads: 1, port, target: None, pki: &pki })
}

fn plain() -> Load {
    Load { params: None, ..load(Resumption::Full) }
}

struct Both {
    server: Box<dyn Job>,
    client: Prepared<'static>,
    port: u16,
}

fn both(load: &Load) -> Both {
    let pki = Pki::new("pki");
    let server = ServerJob::prepare(&Control, load, &pki).unwrap();
    let port = server.port.unwrap();
    let client = client(load, port).unwrap();
    Both { server: server.job, client, port }
}

impl Both {
    /// Runs a batch and returns what the client proved and the server counted in it.
    fn run(&mut self, load: &Load, iterations: u64, warmup: u64) -> (Sample, Proof, Usage) {
        let before = self.server.usage(0).unwrap();
        let (sample, proof) = self.client.job.run(Batch::whole(iterations, warmup)).unwrap();
        let after = self.server.usage(0).unwrap();
        proof.check(&Workload::Load(load.clone())).unwrap();
        assert!(after.cpu_ns > before.cpu_ns);
        let counted = Usage {
            cpu_ns: after.cpu_ns.since(before.cpu_ns),
            connections: after.connections - before.connections,
            handshakes: after.handshakes - before.handshakes,
            resumed: after.resumed - before.resumed,
            requests: after.requests - before.requests,
            bytes: after.bytes - before.bytes,
            ..Usage::default()
        };
        (sample, proof, counted)
    }
}

#[test]
fn both_ends_count_the_same() {
    for body in [0, 1, 1000, 300_000] {
        for requests_per_connection in [0, 1, 4] {
            for load in [load(Resumption::Full), load(Resumption::Psk), plain()] {
                let load = Load { body, requests_per_connection, ..load };
                let mut both = both(&load);
                let (sample, proof, counted) = both.run(&load, 20, 4);
                assert_eq!((counted.requests, counted.bytes), (24, 24 * u64::from(body)), "{load:?}");
                assert_eq!((sample.iterations, sample.bytes.0), (20, 20 * u64::from(body)));
                assert!(sample.wall.0 > 0 && sample.client.is_some() && sample.server.is_none());
                match requests_per_connection {
                    0 => assert_eq!((counted.connections, proof.handshakes), (0, 0)),
                    1 => assert_eq!(counted.connections, 24),
                    // Which connection is asked next depends on the scheduler.
                    _ => assert!((3..=10).contains(&counted.connections), "{counted:?}"),
                }
                if load.params.is_some() && requests_per_connection == 1 {
                    assert_eq!((proof.handshakes, counted.handshakes), (20, 24));
                }
                assert_eq!(
                    counted.resumed,
                    if load.resumption == Resumption::Full { 0 } else { counted.handshakes }
                );
            }
        }
    }
}

#[test]
fn uploads_are_counted_by_both_ends() {
    for body in [0, 1, 300_000, 17 << 20] {
        for secure in [plain(), load(Resumption::Full)] {
            for requests_per_connection in [0, 1] {
                let load =
                    Load { body, requests_per_connection, direction: Direction::Upload, ..secure.clone() };
                let (sample, _, counted) = both(&load).run(&load, 6, 0);
                assert_eq!((counted.requests, counted.bytes), (6, 6 * u64::from(body)), "{load:?}");
                assert_eq!((sample.iterations, sample.bytes.0), (6, 6 * u64::from(body)), "{load:?}");
            }
        }
    }
    let form = Load { body: 1, direction: Direction::Upload, form: true, ..plain() };
    assert!(matches!(client(&form, 1).err(), Some(JobError::Unsupported(_))));
}

#[test]
fn a_large_body_is_not_held() {
    let load = Load { body: 64 << 20, connections: 1, ..plain() };
    let (sample, _, counted) = both(&load).run(&load, 1, 0);
    assert_eq!((sample.bytes.0, counted.bytes), (64 << 20, 64 << 20));
}

#[test]
fn who_waits_with_a_form_is_welcomed() {
    let load = Load { body: 1000, direction: Direction::Upload, form: true, ..plain() };
    let server = ServerJob::prepare(&Control, &load, &Pki::new("pki")).unwrap();
    let mut stream = TcpStream::connect(("127.0.0.1", server.port.unwrap())).unwrap();
    let head =
        "POST /upload HTTP/1.1\r\nContent-Length: 1200\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n";
    stream.write_all(head.as_bytes()).unwrap();
    let mut welcome = vec![0; http::CONTINUE.len()];
    stream.read_exact(&mut welcome).unwrap();
    assert_eq!(welcome, http::CONTINUE.as_bytes());
    stream.write_all(&[b'x'; 1200]).unwrap();
    let mut response = Vec::new();
    stream.read_to_end(&mut response).unwrap();
    assert_eq!(response, Message::response(0, true, 0).whole());
}

#[test]
fn both_ends_tell_parts_of_so_many_requests() {
    for load in [load(Resumption::Full), plain(), Load { requests_per_connection: 0, ..plain() }] {
        let Both { client: Prepared { mut job, .. }, mut server, .. } = both(&load);
        for part in [4, 20] {
            let before = server.usage(part).unwrap();
            let (sample, _) = job.run(Batch { part, ..Batch::whole(20, 0) }).unwrap();
            let after = server.usage(0).unwrap();
            let Parts { whole, client, server: none } = sample.parts;
            assert_eq!((whole.len(), client.len(), none.len()), (0, 20 / part as usize, 0), "{load:?}");
            assert_eq!((before.parts_ns.len(), after.parts_ns.len()), (0, 20 / part as usize), "{load:?}");
            let server = after.cpu_ns.since(before.cpu_ns);
            for (parts, total) in [(client, sample.client.unwrap().total), (after.parts_ns, server)] {
                let sum = parts.iter().copied().sum::<Nanos>();
                assert!(sum <= total && sum.0 > total.0 / 2, "{sum:?} of {total:?}");
            }
        }
        let (sample, _) = job.run(Batch::whole(20, 0)).unwrap();
        assert!(sample.parts.is_empty() && server.usage(0).unwrap().parts_ns.is_empty());
    }
}

#[test]
fn every_kind_of_resumption_is_proven() {
    for &resumption in Resumption::ALL {
        // The embedded server does not take requests as early data.
        if resumption == Resumption::EarlyData {
            continue;
        }
        let mut load = load(resumption);
        if !resumption.fits(Version::Tls13) {
            let suite = Suite::EcdheEcdsaAes128Gcm;
            load.params = load.params.map(|params| Params { version: Version::Tls12, suite, ..params });
        }
        let mut both = both(&load);
        both.client.proof.check(&Workload::Load(load.clone())).unwrap();
        let (_, proof, _) = both.run(&load, 10, 0);
        assert_eq!(proof.handshakes, 10);
        assert_eq!(proof.key, Some(Key::EcdsaP256));
    }
}

#[test]
fn latencies_are_those_of_the_timed_requests() {
    let load = load(Resumption::Full);
    let (sample, _, _) = both(&load).run(&load, 30, 5);
    let bytes = STANDARD.decode(sample.latency.unwrap()).unwrap();
    let histogram: Histogram<u64> = Deserializer::new().deserialize(&mut bytes.as_slice()).unwrap();
    assert_eq!(histogram.len(), 30);
    assert!(histogram.min() >= 1);
}

#[test]
fn a_dynamic_page_uses_the_cpu_time_that_it_says() {
    let load = Load { work_us: 2_000, requests_per_connection: 0, ..plain() };
    let (_, _, counted) = both(&load).run(&load, 10, 0);
    assert!(counted.cpu_ns >= Nanos::from_millis(20), "{counted:?}");
}

#[test]
fn a_load_at_rest_costs_nothing_and_ends_with_its_job() {
    let load = Load { requests_per_connection: 0, ..load(Resumption::Full) };
    let mut both = both(&load);
    both.run(&load, 6, 0);
    let before = both.server.usage(0).unwrap();
    let after = both.server.usage(0).unwrap();
    assert_eq!((after.requests, after.connections), (before.requests, before.connections));
    drop(both.server);
    assert!(TcpStream::connect(("127.0.0.1", both.port)).is_err(), "the port is closed");
    let error = both.client.job.run(Batch::whole(1, 0)).unwrap_err().to_string();
    assert!(error.contains("of 1 responses"), "{error}");
    let error = both.client.job.run(Batch::whole(1, 0)).unwrap_err().to_string();
    assert!(error.contains("connecting"), "{error}");
}

#[test]
fn the_padding_of_a_head_is_no_body_and_must_be_there() {
    for response_headers in [32, 4096, 8192] {
        for load in [plain(), load(Resumption::Full)] {
            let load = Load { response_headers, ..load };
            let (sample, _, counted) = both(&load).run(&load, 10, 0);
            assert_eq!((sample.bytes.0, counted.bytes), (1000, 1000), "{load:?}");
        }
        let bytes = Message::response(3, true, response_headers).whole();
        assert_eq!(bytes.len(), Message::response(3, true, 0).whole().len() + response_headers as usize);
    }
    let server = ServerJob::prepare(&Control, &plain(), &Pki::new("pki")).unwrap();
    let error =
        client(&Load { response_headers: 32, ..plain() }, server.port.unwrap()).err().unwrap().to_string();
    assert!(error.contains("0 bytes of padding instead of 32"), "{error}");
}

#[test]
fn anybody_may_ask_and_is_answered() {
    let load = plain();
    let server = ServerJob::prepare(&Control, &load, &Pki::new("pki")).unwrap();
    let ask = |request: &str| {
        let mut stream = TcpStream::connect(("127.0.0.1", server.port.unwrap())).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut response = Vec::new();
        stream.read_to_end(&mut response).unwrap();
        response
    };
    let one = ask("GET / HTTP/1.1\r\nConnection: close\r\n\r\n");
    assert_eq!(one, Message::response(100, true, 0).whole());
    // Two requests in one packet.
    let two = ask("GET / HTTP/1.1\r\n\r\nGET / HTTP/1.0\r\n\r\n");
    assert_eq!(
        two,
        [Message::response(100, false, 0).whole(), Message::response(100, true, 0).whole()].concat()
    );
    assert_eq!(ask("BREW / HTTP/1.1\r\n\r\n"), http::BAD_REQUEST.as_bytes());
}

/// A server of one answer, to see what the client makes of it.
fn told_by(answer: &'static [u8]) -> String {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let server = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut request = [0; 1024];
        let _ = stream.read(&mut request).unwrap();
        stream.write_all(answer).unwrap();
    });
    let load = Load { connections: 1, body: 3, ..plain() };
    let error = client(&load, port).err().unwrap().to_string();
    server.join().unwrap();
    error
}

#[test]
fn a_bad_response_is_told() {
    for (answer, message) in [
        (&b"HTTP/1.1 503 Busy\r\nContent-Length: 3\r\n\r\nabc"[..], "status 503"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nabcd", "a body of 4 bytes instead of 3"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nab", "closed the connection too early"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabcd", "more bytes than the response has"),
        (b"HTTP/1.1 200 OK\r\nConte", "closed the connection too early"),
        (b"ftp", "not HTTP/1"),
    ] {
        let error = told_by(answer);
        assert!(error.contains(message) && error.contains("0 of 1 responses"), "{error}");
    }
}

#[test]
fn cases_without_sense_are_refused() {
    let pki = Pki::new("pki");
    let mut odd = load(Resumption::Ticket);
    assert!(matches!(ServerJob::prepare(&Control, &odd, &pki), Err(JobError::Unsupported(_))));
    odd.resumption = Resumption::Full;
    let of = |change: fn(&mut Load)| {
        let mut load = plain();
        change(&mut load);
        ServerJob::prepare(&Control, &load, &pki).err()
    };
    for refused in [
        of(|load| load.http = Http::Http2),
        of(|load| load.page = Page::FastCgi),
        of(|load| load.tuning.sendfile = false),
        of(|load| load.resumption = Resumption::EarlyData),
    ] {
        assert!(matches!(refused, Some(JobError::Unsupported(_))), "{refused:?}");
    }
    odd.connections = 0;
    assert!(client(&odd, 1).is_err());
    let mut server = ServerJob::prepare(&Control, &odd, &pki).unwrap();
    assert!(server.job.run(Batch::whole(1, 0)).is_err());
}
