//! What every client must stand, and what all have in common.

use std::collections::BTreeSet;

use proptest::prelude::*;
use tlstax_spec::{Direction, Http, Id, Load, Version};

use super::CLIENTS;
use super::testing::{finished, order, params, summary_of};

/// Pieces that the summaries are made of, in any order.
const PIECES: &[&str] = &[
    "Complete requests:",
    "Failed requests:",
    "Time taken for tests:",
    "Total transferred:",
    "HTML transferred:",
    "finished in ",
    "requests: ",
    " total",
    " failed",
    "status codes:",
    " 2xx",
    "traffic:",
    ") data",
    " requests in ",
    " read",
    " URL:",
    " [",
    "/",
    "]",
    "{\"summary\": {\"total\": ",
    ", \"totalData\": ",
    "statusCodeDistribution",
    "200 ",
    "204 ",
    "ms, ",
    "s, ",
    "us",
    "18446744073709551616",
    "18446744073709551615",
    "1e999",
    "-1",
    ".",
    "NaN",
    "\n",
    "\u{fc}",
    " ",
];

fn rubbish() -> impl Strategy<Value = String> {
    let pieces =
        prop::collection::vec(prop::sample::select(PIECES), 0..40).prop_map(|pieces| pieces.concat());
    prop_oneof![".{0,200}", pieces]
}

proptest! {
    #[test]
    fn rubbish_is_no_crash(output in rubbish(), stderr in rubbish(), status in 0..3_i32, upload: bool) {
        let direction = if upload { Direction::Upload } else { Direction::Download };
        for client in CLIENTS {
            let load = Load { direction, connections: 1, body: 7, ..Load::new(Id::literal(client.id()), None) };
            let read = summary_of(client, &load, 3, finished(status, &output, &stderr));
            prop_assert!(status == 0 || read.is_err());
            let _ = (client.product.version)(&output);
        }
    }
}

#[test]
fn every_client_is_known_by_its_own_name() {
    let ids: BTreeSet<_> = CLIENTS.iter().map(|client| client.id()).collect();
    assert_eq!(ids.len(), CLIENTS.len());
    for client in CLIENTS {
        assert!(!client.product.remedy.is_empty(), "{}", client.id());
    }
}

#[test]
fn version_and_library_are_read() {
    for (id, printed, version) in [
        (
            "ab",
            "This is ApacheBench, Version 2.3 <$Revision: 1923142 $>\nCopyright 1996 Adam Twiss\n",
            "ab 2.3",
        ),
        ("ab", "ab", ""),
        (
            "curl",
            "curl 7.88.1 (x86_64-pc-linux-gnu) libcurl/7.88.1 OpenSSL/3.0.19 zlib/1.2.13\nRelease-Date: x\n",
            "curl 7.88.1 with OpenSSL/3.0.19",
        ),
        ("curl", "", ""),
        ("h2load", "h2load nghttp2/1.52.0\nUsage: h2load\n", "h2load 1.52.0"),
        ("h2load", "h2load", ""),
        ("oha", "oha 1.16.0\nUsage: oha [OPTIONS]\n", "oha 1.16.0"),
        ("oha", "oha what", ""),
        (
            "wget",
            "GNU Wget 1.21.3 built on linux-gnu.\n\n-cares +digest +psl +ssl/gnutls \n",
            "wget 1.21.3 with GnuTLS",
        ),
        ("wget", "wget", ""),
        (
            "wrk",
            "wrk debian/4.1.0-3+b2 [epoll] Copyright (C) 2012 Will Glozer\nUsage: wrk\n",
            "wrk 4.1.0-3+b2",
        ),
        ("wrk", "work 4", ""),
    ] {
        let client = CLIENTS.iter().find(|client| client.id() == id).unwrap();
        assert_eq!((client.product.version)(printed).unwrap_or_default(), version, "{id}");
    }
}

#[test]
fn what_a_client_does_not_lack_has_a_command() {
    for client in CLIENTS {
        for (http, direction, secure) in [
            (Http::Http1, Direction::Download, false),
            (Http::Http1, Direction::Upload, true),
            (Http::Http2, Direction::Download, true),
        ] {
            let params = secure.then(|| params(Version::Tls13));
            let load = Load {
                connections: 1,
                http,
                direction,
                body: 1,
                ..Load::new(Id::literal(client.id()), params)
            };
            if (client.lacks)(&load).is_some() {
                continue;
            }
            let words = (client.command)(&order(&load, 2), "").arguments.join(" ");
            assert!(words.contains(if secure { "https://" } else { "http://" }), "{words}");
            assert_eq!(words.contains("/upload"), direction == Direction::Upload, "{words}");
            assert_eq!(words.contains("body"), direction == Direction::Upload, "{words}");
            assert!(words.contains(":8443"), "{words}");
        }
    }
}

#[test]
fn a_trial_of_one_request_has_one_connection() {
    for client in CLIENTS.iter().filter(|client| client.counts) {
        let load = Load::new(Id::literal(client.id()), None);
        let words = (client.command)(&order(&load, 1), "").arguments.join(" ");
        assert!((client.lacks)(&load).is_some() || words.contains("-c 1 "), "{words}");
    }
}
