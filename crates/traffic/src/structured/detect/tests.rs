//! Which log lines are of.

use super::*;

fn formats(text: &[u8]) -> Vec<&'static str> {
    let lines: Vec<&[u8]> = text.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).collect();
    detect(&lines).iter().map(|candidate| candidate.reader.format()).collect()
}

macro_rules! input {
    ($name:literal) => {
        include_bytes!(concat!("../../../tests/inputs/structured/", $name))
    };
}

#[test]
fn each_program_is_known_by_what_it_writes() {
    assert_eq!(formats(input!("caddy.log")), ["caddy"]);
    assert_eq!(formats(input!("envoy.log")), ["envoy"]);
    assert_eq!(formats(input!("zeek-ssl.log")), ["zeek"]);
    assert_eq!(formats(input!("zeek-conn.log")), ["zeek"]);
    assert_eq!(formats(input!("zeek-ssl.json")), ["zeek"]);
    assert_eq!(formats(input!("zeek-conn.json")), ["zeek"]);
}

#[test]
fn keys_that_are_called_as_variables_are_enough() {
    let nginx = br#"{"time_iso8601":"2026-11-22T21:00:00+00:00","ssl_protocol":"TLSv1.3","status":"200","bytes_sent":"310"}"#;
    assert_eq!(formats(nginx), ["nginx"]);
    let haproxy = br#"Nov 22 21:00:00 haproxy[7]: {"ssl_fc_protocol":"TLSv1.3","bytes_read":310}"#;
    assert_eq!(formats(haproxy), ["haproxy"]);
}

#[test]
fn a_table_is_known_by_its_header() {
    assert_eq!(formats(b"time,suite,count\n1,TLS_AES_128_GCM_SHA256,4\n"), ["table"]);
    assert_eq!(formats(b"time,suite,count\n"), ["table"]);
}

#[test]
fn what_is_nothing_of_ours_is_none() {
    assert_eq!(formats(b"203.0.113.7 - - [22/Nov/2026:21:00:00 +0000] \"GET / HTTP/1.1\" 200 12\n"), [""; 0]);
    assert_eq!(formats(br#"{"level":"info","msg":"started","ts":1.5}"#), [""; 0]);
    assert_eq!(formats(b"{"), [""; 0]);
    assert_eq!(formats(b""), [""; 0]);
}
