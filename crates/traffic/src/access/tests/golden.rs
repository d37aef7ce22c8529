//! Lines that the servers wrote themselves; `golden/README.md` says of what.

use tlstax_doc::{Bucket, Counts, HttpVersion, PassedOver, Workload};

use super::{counted, shares};
use crate::access::{AccessLog, Layout, Server, fitting_formats, known_formats};

macro_rules! golden {
    ($name:literal) => {
        include_str!(concat!("golden/", $name, ".log"))
    };
}

/// What was counted of a log, none of whose lines is bad.
#[track_caller]
fn read(layout: Layout, text: &str) -> Workload {
    let lines: Vec<&str> = text.lines().collect();
    let (workload, bad) = counted(&AccessLog::new(layout), &lines);
    assert_eq!(bad, []);
    workload
}

#[track_caller]
fn known(word: &str) -> Layout {
    known_formats().find(|known| known.word == word).unwrap().layout()
}

#[track_caller]
fn check(workload: &Workload, expected: &[&str]) {
    assert_eq!(shares(workload), expected);
}

#[test]
fn nginx_tells_all() {
    let workload = read(known("nginx-tls"), golden!("nginx-tls"));
    let expected = [
        "none HTTP/1.0: 1 connections, 1 requests, 242 out, 79 in",
        "none HTTP/1.1: 2 connections, 3 requests, 901 out, 241 in",
        "TLSv1.2 TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256 secp384r1 rsa full HTTP/1.1: 1 connections, 1 requests, 247 out, 79 in",
        "TLSv1.2 TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384 X25519 rsa full HTTP/1.1: 1 connections, 1 requests, 242 out, 82 in",
        "TLSv1.2 TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384 X25519 rsa resumed HTTP/1.1: 1 connections, 1 requests, 242 out, 82 in",
        "TLSv1.2 TLS_RSA_WITH_AES_128_CBC_SHA rsa full HTTP/1.1: 1 connections, 1 requests, 247 out, 79 in",
        "TLSv1.3 TLS_AES_256_GCM_SHA384 X25519 full: 2 connections, 2 requests, 309 out, 0 in",
        "TLSv1.3 TLS_AES_256_GCM_SHA384 X25519 full HTTP/1.1: 3 connections, 4 requests, 1044 out, 350 in",
        "TLSv1.3 TLS_AES_256_GCM_SHA384 X25519 full HTTP/2: 1 connections, 2 requests, 270 out, 42 in",
        "TLSv1.3 TLS_AES_256_GCM_SHA384 X25519 PSK HTTP/1.1: 1 connections, 1 requests, 242 out, 82 in",
    ];
    check(&workload, &expected);
}

#[test]
fn apache_numbers_requests_of_http_1_only() {
    let workload = read(known("apache-tls"), golden!("apache-tls"));
    let expected = [
        "none HTTP/1.0: 2 connections, 2 requests, 414 out, 0 in",
        "none HTTP/1.1: 1 connections, 2 requests, 24 out, 0 in",
        "TLSv1.2 TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256 rsa full HTTP/1.1: 1 connections, 1 requests, 12 out, 0 in",
        "TLSv1.2 TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384 rsa full HTTP/1.1: 1 connections, 1 requests, 12 out, 0 in",
        "TLSv1.2 TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384 rsa resumed HTTP/1.1: 1 connections, 1 requests, 12 out, 0 in",
        "TLSv1.2 TLS_RSA_WITH_AES_128_CBC_SHA rsa full HTTP/1.1: 1 connections, 1 requests, 12 out, 0 in",
        "TLSv1.3 TLS_AES_256_GCM_SHA384 full: 1 connections, 1 requests, 266 out, 0 in",
        "TLSv1.3 TLS_AES_256_GCM_SHA384 full HTTP/1.1: 3 connections, 4 requests, 272 out, 0 in",
        "TLSv1.3 TLS_AES_256_GCM_SHA384 full HTTP/2: 0 connections, 2 requests, 24 out, 0 in",
        "TLSv1.3 TLS_AES_256_GCM_SHA384 PSK HTTP/1.1: 1 connections, 1 requests, 12 out, 0 in",
    ];
    check(&workload, &expected);
    let http2 = workload.shares.iter().find(|share| share.kind.http == Some(HttpVersion::Http2)).unwrap();
    assert_eq!(http2.counts.requests_without_connection, 2);
}

#[test]
fn lighttpd_numbers_requests_of_http_2_from_the_preface_on() {
    let workload = read(known("lighttpd-tls"), golden!("lighttpd-tls"));
    let expected = [
        ": 1 connections, 0 requests, 500 out, 13 in",
        "HTTP/1.0: 1 connections, 1 requests, 172 out, 79 in",
        "HTTP/1.1: 8 connections, 10 requests, 2126 out, 837 in",
        "HTTP/2: 1 connections, 2 requests, 344 out, 221 in",
    ];
    check(&workload, &expected);
    assert_eq!(workload.sources[0].passed_over[&PassedOver::NoRequest], 1);
}

#[test]
fn haproxy_has_lines_of_handshakes_that_failed() {
    let workload = read(known("haproxy-tls"), golden!("haproxy-tls"));
    let expected = [
        ": 0 connections, 0 requests, 0 out, 0 in",
        "TLSv1.2 TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384 rsa full HTTP/1.1: 1 connections, 1 requests, 83 out, 70 in",
        "TLSv1.2 TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384 rsa resumed HTTP/1.1: 1 connections, 1 requests, 83 out, 70 in",
        "TLSv1.3 TLS_AES_256_GCM_SHA384 full HTTP/1.1: 2 connections, 2 requests, 166 out, 175 in",
        "TLSv1.3 TLS_AES_256_GCM_SHA384 full HTTP/2: 0 connections, 2 requests, 166 out, 213 in",
        "TLSv1.3 TLS_AES_256_GCM_SHA384 PSK HTTP/1.1: 1 connections, 1 requests, 83 out, 70 in",
    ];
    check(&workload, &expected);
    assert_eq!(workload.shares[0].counts.failed_handshakes, 2);
    assert_eq!(workload.sources[0].passed_over[&PassedOver::NoRequest], 3);
}

#[test]
fn the_formats_of_haproxys_options_are_read() {
    let requests = |word: &str, text: &str| {
        let workload = read(known(word), text);
        let count =
            |of: fn(&Counts) -> u64| workload.shares.iter().map(|share| of(&share.counts)).sum::<u64>();
        (
            count(|counts| counts.requests),
            count(|counts| counts.connections),
            count(|counts| counts.failed_handshakes),
        )
    };
    assert_eq!(requests("haproxy-https", golden!("haproxy-https")), (11, 0, 2));
    assert_eq!(requests("haproxy-http", golden!("haproxy-http")), (3, 0, 0));
    assert_eq!(requests("haproxy-tcp", golden!("haproxy-tcp")), (0, 1, 0));
    assert_eq!(requests("haproxy-clf", golden!("haproxy-clf")), (1, 0, 0));
}

#[test]
fn what_is_escaped_otherwise_or_not_at_all_is_the_same() {
    let raw = r#"escape=none $msec "$request" $status "$http_user_agent" $ssl_protocol $ssl_cipher"#;
    let json = r#"escape=json {"time":"$time_iso8601","request":"$request","status":$status,"agent":"$http_user_agent","tls":{"protocol":"$ssl_protocol","suite":"$ssl_cipher"},"out":$bytes_sent}"#;
    let raw = read(Layout::compiled(Server::Nginx, raw).unwrap(), golden!("nginx-raw"));
    let json = read(Layout::compiled(Server::Nginx, json).unwrap(), golden!("nginx-json"));
    let requests = |workload: &Workload| {
        workload.shares.iter().map(|share| (share.kind.clone(), share.counts.requests)).collect::<Vec<_>>()
    };
    assert_eq!((requests(&raw).len(), requests(&raw)), (8, requests(&json)));
    assert_eq!(
        raw.series.buckets,
        json.series.buckets.iter().map(|bucket| Bucket { out: 0, ..*bucket }).collect::<Vec<_>>()
    );
}

#[test]
fn parts_of_a_time_are_one_time() {
    let format = "%{%Y-%m-%d}t %{%T}t.%{msec_frac}t %{%z}t|%{SSL_TLS_SNI}x|%H|%>s|%X|%r";
    let parts = read(Layout::compiled(Server::Apache, format).unwrap(), golden!("apache-parts"));
    let whole = read(known("vhost-combined"), golden!("apache-vhost"));
    let times =
        |workload: &Workload| workload.series.buckets.iter().map(|bucket| bucket.at).collect::<Vec<_>>();
    assert_eq!(times(&parts), times(&whole));
    assert_eq!(parts.shares.iter().map(|share| share.counts.requests).sum::<u64>(), 16);
}

#[test]
fn each_log_is_of_one_format() {
    for (word, text) in [
        ("nginx-tls", golden!("nginx-tls")),
        ("apache-tls", golden!("apache-tls")),
        ("vhost-combined", golden!("apache-vhost")),
        ("lighttpd-tls", golden!("lighttpd-tls")),
        ("haproxy-tls", golden!("haproxy-tls")),
        ("haproxy-https", golden!("haproxy-https")),
        ("haproxy-http", golden!("haproxy-http")),
        ("haproxy-tcp", golden!("haproxy-tcp")),
        ("haproxy-clf", golden!("haproxy-clf")),
    ] {
        let lines: Vec<&[u8]> = text.lines().map(str::as_bytes).collect();
        let words: Vec<_> = fitting_formats(&lines).iter().map(|known| known.word).collect();
        assert_eq!(words, [word]);
    }
}
