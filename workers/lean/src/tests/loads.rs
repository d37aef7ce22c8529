//! What the client can do.

use std::io::Write;
use std::thread::sleep;
use std::time::Duration;

use tlstax_spec::wire::Target;
use tlstax_spec::{
    Direction, Group, Key, Load, Nanos, PADDING, Params, Resumption, Suite, Version, Workload, padding_value,
};

use tlstax_worker::Batch;

use super::server::{config, serve, serve_well};
use super::{PARAMS, PARAMS12, latencies, load, prepare, prepare_for, refused, target};

/// Makes a load of this kind, and holds what it proves against it.
fn negotiates(params: Params, resumption: Resumption, percent: u8) {
    let load = Load { resumption, resumed_percent: percent, connections: 4, ..load(Some(params)) };
    let port = serve_well(Some(config(params, resumption, None)), 100);
    let workload = Workload::Load(load.clone());
    let mut prepared = prepare(&load, 1, port).unwrap_or_else(|error| panic!("{params:?}: {error}"));
    prepared.proof.check(&workload).unwrap();
    let (sample, proof) =
        prepared.job.run(Batch::whole(20, 4)).unwrap_or_else(|error| panic!("{params:?}: {error}"));
    proof.check(&workload).unwrap_or_else(|error| panic!("{params:?} {resumption}: {error}"));
    assert_eq!((proof.handshakes, sample.iterations, sample.bytes.0), (20, 20, 2000));
    assert_eq!(latencies(&sample).len(), 20);
}

#[test]
fn every_group_is_negotiated() {
    for &group in Group::ALL {
        // The server has neither.
        if group.is_finite_field() || matches!(group, Group::Secp384r1MlKem1024 | Group::Secp521r1) {
            continue;
        }
        negotiates(Params { group: Some(group), ..PARAMS }, Resumption::Full, 100);
        if !group.is_post_quantum() {
            negotiates(Params { group: Some(group), ..PARAMS12 }, Resumption::Full, 100);
        }
    }
}

#[test]
fn every_suite_and_key_is_negotiated() {
    for suite in crate::provider::suites() {
        for key in [Key::EcdsaP256, Key::EcdsaP384, Key::Ed25519, Key::Rsa2048] {
            let params = Params { version: suite.version(), suite, key, ..PARAMS };
            if params.is_coherent() {
                negotiates(params, Resumption::Full, 100);
            }
        }
    }
}

#[test]
fn every_resumption_is_proven() {
    for &resumption in Resumption::ALL {
        for params in [PARAMS, PARAMS12] {
            if resumption.fits(params.version) {
                negotiates(params, resumption, 100);
                negotiates(params, resumption, 40);
            }
        }
    }
}

#[test]
fn bodies_of_any_length_are_counted_in_records_of_any_length() {
    for params in [Some(PARAMS), Some(PARAMS12), None] {
        for (body, fragment) in [
            (0, None),
            (1, None),
            (16_000, None),
            (300_000, None),
            (300_000, Some(5_005)),
            (50_000, Some(600)),
        ] {
            let config = params.map(|params| config(params, Resumption::Full, fragment));
            let port = serve_well(config, body);
            for requests_per_connection in [0, 1, 4] {
                let load = Load { body: body as u32, requests_per_connection, ..load(params) };
                let mut prepared = prepare(&load, 1, port).unwrap();
                let (sample, proof) = prepared.job.run(Batch::whole(20, 4)).unwrap();
                assert_eq!((sample.iterations, sample.bytes.0), (20, 20 * body as u64), "{load:?}");
                match (params, requests_per_connection) {
                    (None, _) | (_, 0) => assert_eq!(proof.handshakes, 0),
                    (_, 1) => assert_eq!(proof.handshakes, 20),
                    _ => assert!((4..10).contains(&proof.handshakes)),
                }
            }
        }
    }
}

#[test]
fn the_padding_of_a_head_is_no_body_and_must_be_there() {
    let port = serve(None, |mut peer| {
        while let Some(last) = peer.request() {
            let close = if last { "Connection: close\r\n" } else { "" };
            let padding = padding_value(8192).unwrap();
            let head =
                format!("HTTP/1.1 200 OK\r\n{PADDING}: {padding}\r\nContent-Length: 3\r\n{close}\r\nabc");
            peer.write_all(head.as_bytes()).unwrap();
            if last {
                return peer.close();
            }
        }
    });
    let padded = |response_headers| Load { body: 3, response_headers, ..load(None) };
    let (sample, _) = prepare(&padded(8192), 1, port).unwrap().job.run(Batch::whole(6, 0)).unwrap();
    assert_eq!(sample.bytes.0, 18);
    for wanted in [0, 4096] {
        let error = refused(&padded(wanted), port);
        assert!(error.contains(&format!("8192 bytes of padding instead of {wanted}")), "{error}");
    }
}

#[test]
fn uploads_are_sent_as_a_whole() {
    for params in [Some(PARAMS), Some(PARAMS12), None] {
        let port = serve_well(params.map(|params| config(params, Resumption::Full, None)), 7);
        for requests_per_connection in [0, 1] {
            let load =
                Load { body: 700_001, direction: Direction::Upload, requests_per_connection, ..load(params) };
            let (sample, _) = prepare(&load, 1, port).unwrap().job.run(Batch::whole(6, 0)).unwrap();
            assert_eq!((sample.iterations, sample.bytes.0), (6, 6 * 700_001));
        }
    }
}

#[test]
fn a_window_is_told_in_parts_of_so_many_requests() {
    for params in [Some(PARAMS), None] {
        let port = serve_well(params.map(|params| config(params, Resumption::Full, None)), 100);
        let mut prepared = prepare(&load(params), 1, port).unwrap();
        let (sample, _) = prepared.job.run(Batch { part: 4, ..Batch::whole(20, 3) }).unwrap();
        assert_eq!((sample.parts.client.len(), sample.parts.server.len()), (5, 0));
        let (sum, total) = (sample.parts.client.iter().copied().sum::<Nanos>(), sample.client.unwrap().total);
        assert!(sum <= total && sum.0 > total.0 / 2, "{sum:?} of {total:?}");
        let mut several = prepare(&load(params), 2, port).unwrap();
        let (sample, _) = several.job.run(Batch { part: 4, ..Batch::whole(20, 0) }).unwrap();
        assert!(sample.parts.is_empty(), "parts of several threads overlap");
    }
}

#[test]
fn several_threads_do_the_same() {
    for resumption in [Resumption::Full, Resumption::Psk] {
        let load = Load { resumption, ..load(Some(PARAMS)) };
        let port = serve_well(Some(config(PARAMS, resumption, None)), 100);
        let mut prepared = prepare(&load, 3, port).unwrap();
        assert_eq!(prepared.proof.handshakes, 9);
        let (sample, proof) = prepared.job.run(Batch::whole(10, 2)).unwrap();
        assert_eq!((sample.iterations, sample.bytes.0, proof.handshakes), (30, 3000, 30));
        proof.check(&Workload::Load(load)).unwrap();
        assert_eq!(latencies(&sample).len(), 30);
    }
}

#[test]
fn the_response_of_a_users_server_may_have_any_length() {
    let load = Load { body: 5, ..load(Some(PARAMS)) };
    let port = serve_well(Some(config(PARAMS, Resumption::Full, None)), 1234);
    let target = Target { path: "/x".into(), ..target("127.0.0.1") };
    let mut prepared = prepare_for(&load, 1, port, Some(&target)).unwrap();
    assert_eq!(prepared.proof.key, Some(Key::EcdsaP256));
    assert_eq!(prepared.job.run(Batch::whole(5, 0)).unwrap().0.bytes.0, 5 * 1234);
    // It says that it has another kind of key.
    let other = Params { key: Key::EcdsaP384, ..PARAMS };
    let load = Load { params: Some(other), ..load };
    let error = prepare_for(&load, 1, port, Some(&target)).err().unwrap().to_string();
    assert!(error.contains("alert") || error.contains("not of ecdsa-p384"), "{error}");
}

/// A request that could not begin because an earlier one was slow has waited nevertheless.
#[test]
fn in_an_open_loop_latency_begins_when_the_request_was_due() {
    const PAUSE: Duration = Duration::from_millis(400);
    let port = serve(None, |mut peer| {
        let mut served = 0;
        while let Some(last) = peer.request() {
            // The first of the window: one was the trial.
            if served == 1 {
                sleep(PAUSE);
            }
            served += 1;
            peer.respond(100, last).unwrap();
        }
    });
    let load = Load { connections: 1, requests_per_connection: 0, rate: 200, ..load(None) };
    let (sample, _) = prepare(&load, 1, port).unwrap().job.run(Batch::whole(40, 0)).unwrap();
    // They were due within 200 ms, and none was begun before 400 ms.
    let latencies = latencies(&sample);
    assert_eq!(latencies.len(), 40);
    assert!(latencies.min() >= 199_000, "{}", latencies.min());
    let closed = Load { rate: 0, ..load };
    let (sample, _) = prepare(&closed, 1, port).unwrap().job.run(Batch::whole(40, 0)).unwrap();
    let fewer = super::latencies(&sample);
    assert_eq!(fewer.count_between(200_000, u64::MAX), 1, "only one was slow by itself");
}

#[test]
fn an_open_loop_does_not_begin_earlier() {
    let port = serve_well(None, 100);
    let load = Load { requests_per_connection: 0, rate: 1000, ..load(None) };
    let (sample, _) = prepare(&load, 1, port).unwrap().job.run(Batch::whole(101, 0)).unwrap();
    assert!(sample.wall.0 >= 100_000_000, "{:?}", sample.wall);
}

#[test]
fn what_cannot_be_is_refused_with_its_reason() {
    let refused = |load: &Load| refused(load, 1);
    let suite = |suite: Suite, group| {
        let key = if suite == Suite::Aes128Ccm { Key::EcdsaP256 } else { Key::Rsa2048 };
        refused(&load(Some(Params { version: suite.version(), suite, group, key })))
    };
    assert!(suite(Suite::RsaAes128Gcm, None).contains("rustls"));
    assert!(suite(Suite::EcdheRsaAes128CbcSha, Some(Group::X25519)).contains("rustls"));
    assert!(suite(Suite::Aes128Ccm, Some(Group::X25519)).contains("rustls"));
    let load = load(Some(PARAMS));
    assert!(refused(&Load { resumption: Resumption::Ticket, ..load.clone() }).contains("TLSv1.3"));
    assert!(refused(&Load { connections: 0, ..load.clone() }).contains("at least one"));
    assert!(refused(&Load { connections: 4_000_000_000, ..load }).contains("ulimit -n"));
    assert_eq!(PARAMS12.version, Version::Tls12);
}
