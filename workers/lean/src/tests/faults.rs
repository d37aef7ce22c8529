//! What a server can do wrong. Each must be told, and none may keep the client waiting for ever.

use std::io::Write;
use std::net::TcpListener;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use tlstax_spec::{Load, Params, Resumption, Side, Suite};

use tlstax_worker::Batch;

use super::server::{Peer, config, head, serve, serve_well, with_identity};
use super::{PARAMS, PARAMS12, load, pki, prepare, refused};

/// What the client says of a server that does this with every connection after the request.
fn told(
    params: Option<Params>,
    load: &Load,
    answer: impl Fn(Peer) + Send + Sync + Clone + 'static,
) -> String {
    let config = params.map(|params| config(params, Resumption::Full, None));
    let port = serve(config, move |mut peer| {
        if peer.request().is_some() {
            answer(peer);
        }
    });
    let error = prepare(load, 1, port).err().expect("this server is at fault").to_string();
    assert!(error.contains("responses)"), "{error}");
    error
}

fn kinds() -> [(Option<Params>, Load); 4] {
    let kept = |params| Load { requests_per_connection: 0, ..load(params) };
    [
        (Some(PARAMS), load(Some(PARAMS))),
        (Some(PARAMS12), load(Some(PARAMS12))),
        (Some(PARAMS), kept(Some(PARAMS))),
        (None, load(None)),
    ]
}

#[test]
fn a_bad_response_is_told() {
    for (params, load) in kinds() {
        for (response, message) in [
            ("HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n", "status 500"),
            ("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n", "a body of 99 bytes instead of 100"),
            ("HTTP/1.1 200 OK\r\n\r\n", "without a Content-Length"),
            ("SSH-2.0-x\r\n", "not HTTP/1"),
        ] {
            let error = told(params, &load, move |mut peer| {
                let _ = peer.write_all(response.as_bytes());
                peer.close();
            });
            assert!(error.contains(message), "{error}");
        }
    }
}

#[test]
fn a_short_or_long_body_is_told() {
    for (params, load) in kinds() {
        for (body, message) in
            [(50, "closed the connection too early"), (101, "more bytes than the response has")]
        {
            let error = told(params, &load, move |mut peer| {
                let _ = peer.respond_with(100, body, true);
                peer.close();
            });
            assert!(error.contains(message) || error.contains("not asked to"), "{error}");
        }
    }
}

#[test]
fn a_large_body_that_ends_early_is_told() {
    for params in [Some(PARAMS), Some(PARAMS12), None] {
        let load = Load { body: 300_000, ..load(params) };
        let error = told(params, &load, |mut peer| {
            let _ = peer.respond_with(300_000, 200_000, true);
            peer.close();
        });
        assert!(error.contains("too early") || error.contains("lost count"), "{error}");
    }
}

#[test]
fn a_server_that_will_not_keep_the_connection_is_told() {
    let load = Load { requests_per_connection: 0, ..load(Some(PARAMS)) };
    let error = told(Some(PARAMS), &load, |mut peer| {
        let _ = peer.respond(100, true);
        peer.close();
    });
    assert!(error.contains("raise its limit"), "{error}");
}

#[test]
fn a_reset_is_told() {
    for (params, load) in kinds() {
        let error = told(params, &load, |mut peer| {
            // Closed with a byte unread, a socket resets.
            rustix::net::sockopt::set_socket_linger(&*peer.socket(), Some(std::time::Duration::ZERO))
                .unwrap();
        });
        assert!(error.contains("reset"), "{error}");
    }
}

#[test]
fn a_stall_is_told() {
    let held = Arc::new(Mutex::new(Vec::new()));
    for (params, load) in kinds() {
        for answer in ["", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc"] {
            let held = held.clone();
            let error = told(params, &load, move |mut peer| {
                let _ = peer.write_all(answer.as_bytes());
                let _ = peer.flush();
                held.lock().unwrap().push(peer);
            });
            assert!(error.contains("no connection moved"), "{error}");
        }
    }
}

/// It may wait for the client to close: RFC 8446, 6.1.
#[test]
fn a_server_need_not_end_the_connection_itself() {
    let ended = Arc::new(AtomicUsize::new(0));
    let count = ended.clone();
    let port = serve(Some(config(PARAMS, Resumption::Full, None)), move |mut peer| {
        while peer.request().is_some() {
            let _ = peer.respond(100, true);
            if let Peer::Tls(tls) = &mut peer {
                tls.conn.send_close_notify();
                let _ = tls.flush();
                // The client's close_notify, or its end.
                let _ = std::io::copy(tls, &mut std::io::sink());
                count.fetch_add(1, Ordering::Relaxed);
            }
        }
    });
    let mut prepared = prepare(&load(Some(PARAMS)), 1, port).unwrap();
    prepared.job.run(Batch::whole(10, 0)).unwrap();
    // The last ones may still be on their way.
    assert!(ended.load(Ordering::Relaxed) >= 10);
}

#[test]
fn a_server_that_does_not_close_is_told() {
    let held = Arc::new(Mutex::new(Vec::new()));
    let error = told(Some(PARAMS), &load(Some(PARAMS)), move |mut peer| {
        let _ = peer.respond(100, true);
        held.lock().unwrap().push(peer);
    });
    assert!(error.contains("no connection moved"), "{error}");
}

#[test]
fn a_missing_close_notify_is_told() {
    for params in [PARAMS, PARAMS12] {
        let error = told(Some(params), &load(Some(params)), |mut peer| {
            let _ = peer.respond(100, true);
            let _ = peer.socket().shutdown(std::net::Shutdown::Write);
            let _ = peer.request();
        });
        assert!(error.contains("without close_notify"), "{error}");
    }
}

#[test]
fn an_alert_is_told() {
    // The server has no such group, or no such key.
    let group = Params { group: Some(tlstax_spec::Group::Secp521r1), ..PARAMS };
    let key = Params { suite: Suite::EcdheRsaAes128Gcm, key: tlstax_spec::Key::Rsa2048, ..PARAMS12 };
    for (served, asked) in [(PARAMS, group), (PARAMS12, key)] {
        let port = serve_well(Some(config(served, Resumption::Full, None)), 100);
        let error = refused(&load(Some(asked)), port);
        assert!(error.contains("alert"), "{error}");
    }
}

/// The first connection is among those that are verified in full.
#[test]
fn another_certificate_and_a_wrong_signature_are_told() {
    for params in [PARAMS, PARAMS12] {
        for (chain, message) in [(Side::Client, "another certificate"), (Side::Server, "BadSignature")] {
            let chain = pki().chain(chain, params.key, 2).unwrap();
            let key = pki().private_key(Side::Client, params.key).unwrap();
            let config = with_identity(params, Resumption::Full, None, &chain, &key);
            let error = refused(&load(Some(params)), serve_well(Some(config), 100));
            assert!(error.contains(message), "{error}");
        }
    }
}

#[test]
fn something_that_is_no_tls_is_told() {
    let port = serve(None, |mut peer| {
        let _ = peer.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n");
        peer.close();
    });
    let error = refused(&load(Some(PARAMS)), port);
    assert!(error.contains("shaking hands"), "{error}");
}

#[test]
fn nobody_at_the_port_is_told() {
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    for params in [Some(PARAMS), None] {
        let error = refused(&load(params), port);
        assert!(error.contains("refused") && error.contains("0 of 3"), "{error}");
    }
}

/// Behind the first record nothing is read but headers; they must add up nevertheless.
#[test]
fn a_lost_count_is_told() {
    for params in [PARAMS, PARAMS12] {
        let load = Load { body: 100_000, ..load(Some(params)) };
        let error = told(Some(params), &load, |mut peer| {
            let _ = peer.respond_with(100_000, 100_001, true);
            peer.close();
        });
        assert!(error.contains("lost count of records"), "{error}");
    }
}

/// As proxies do, which encrypt what they have.
#[test]
fn records_may_be_of_any_length() {
    for params in [PARAMS, PARAMS12] {
        let port = serve(Some(config(params, Resumption::Full, None)), move |mut peer| {
            while peer.request().is_some() {
                let _ = peer.write_all(head(200_000, false).as_bytes());
                let mut left = 200_000;
                for size in [9_000, 9_000, 1, 16_384, 5_000, 40, 12_345].iter().cycle() {
                    let size = left.min(*size);
                    left -= size;
                    let sent = peer.write_all(&vec![0; size]).and_then(|()| peer.flush());
                    if left == 0 || sent.is_err() {
                        break;
                    }
                }
            }
        });
        let load = Load { requests_per_connection: 0, body: 200_000, ..load(Some(params)) };
        let (sample, _) = prepare(&load, 1, port).unwrap().job.run(Batch::whole(40, 0)).unwrap();
        assert_eq!(sample.bytes.0, 40 * 200_000);
    }
}

#[test]
fn a_failure_leaves_the_job_usable_and_every_thread_is_heard() {
    let served = Arc::new(AtomicUsize::new(0));
    let port = serve(None, move |mut peer| {
        while let Some(last) = peer.request() {
            let status = if served.fetch_add(1, Ordering::Relaxed) == 8 { "503 Busy" } else { "200 OK" };
            let response = format!("HTTP/1.1 {status}\r\nContent-Length: 0\r\n\r\n");
            if peer.write_all(response.as_bytes()).is_err() {
                return;
            }
            if last {
                return peer.close();
            }
        }
    });
    let load = Load { body: 0, requests_per_connection: 0, ..load(None) };
    let mut prepared = prepare(&load, 2, port).unwrap();
    let error = prepared.job.run(Batch::whole(10, 0)).unwrap_err().to_string();
    assert!(error.contains("status 503"), "{error}");
    assert_eq!(prepared.job.run(Batch::whole(10, 0)).unwrap().0.iterations, 20);
}
