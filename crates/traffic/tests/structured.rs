//! What is counted of logs that name their fields, of lines as real programs write them.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::sync::Arc;

use proptest::prelude::*;
use tlstax_doc::{
    Bad, HttpVersion, Kind, PassedOver, Protocol, Resumed, Tell, Tool, Workload, merge_workloads,
};
use tlstax_traffic::{Classes, Field, JsonLog, Lines, Reader, Table, Window, ZeekLog};

fn tool() -> Tool {
    Tool { name: "tlstax".to_owned(), version: "0".to_owned(), reference_kernels: 0 }
}

fn count(lines: impl Lines + Send + 'static, text: &[u8]) -> Workload {
    let reader: Arc<dyn Reader> = Arc::new(lines);
    let mut part = reader.part(Window::default());
    part.lines(text, &mut |_, _, _| ());
    part.finish(&tool())
}

fn input(name: &str) -> Vec<u8> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/inputs/structured");
    std::fs::read(format!("{folder}/{name}")).unwrap()
}

fn zeek(text: &[u8]) -> ZeekLog {
    ZeekLog::of_header(text.split(|byte| *byte == b'\n')).unwrap()
}

fn nginx() -> JsonLog {
    JsonLog::of_nginx([
        ("time", "$msec"),
        ("addr", "$remote_addr"),
        ("request", "$request"),
        ("proto", "$ssl_protocol"),
        ("cipher", "$ssl_cipher"),
        ("curve", "$ssl_curve"),
        ("reused", "$ssl_session_reused"),
        ("nth", "$connection_requests"),
        ("out", "$bytes_sent"),
        ("body", "$body_bytes_sent"),
        ("in", "$request_length"),
        ("sni", "$ssl_server_name"),
    ])
}

/// Connections and requests by kind.
fn counts(workload: &Workload) -> BTreeMap<Kind, (u64, u64)> {
    let shares = workload.shares.iter();
    shares.map(|share| (share.kind.clone(), (share.counts.connections, share.counts.requests))).collect()
}

fn kind(protocol: Protocol, suite: &str, group: &str, resumed: Resumed, http: HttpVersion) -> Kind {
    // A suite of TLS 1.2 says which kind of key it goes with.
    let key = suite.contains("_ECDSA_").then(|| "ecdsa".to_owned());
    Kind {
        key,
        protocol: Some(protocol),
        suite: Some(suite.to_owned()),
        group: Some(group.to_owned()),
        resumed: Some(resumed),
        http: Some(http),
        ..Kind::default()
    }
}

#[test]
fn nginx_tells_what_its_format_has() {
    let workload = count(nginx(), &input("nginx-json.log"));
    let (tls13, tls12) = ("TLS_AES_256_GCM_SHA384", "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384");
    let (h1, h2) = (HttpVersion::Http11, HttpVersion::Http2);
    let plain = Kind { protocol: Some(Protocol::None), http: Some(h1), ..Kind::default() };
    let expected = [
        (plain, (2, 2)),
        (kind(Protocol::Tls12, tls12, "X25519", Resumed::Full, h1), (2, 2)),
        (kind(Protocol::Tls12, tls12, "X25519", Resumed::Resumed, h1), (1, 1)),
        (kind(Protocol::Tls13, tls13, "X25519", Resumed::Full, h1), (1, 1)),
        (kind(Protocol::Tls13, tls13, "X25519", Resumed::Full, h2), (1, 3)),
        (kind(Protocol::Tls13, tls13, "X25519", Resumed::Psk, h1), (1, 1)),
    ];
    assert_eq!(counts(&workload), expected.into());
    assert_eq!(workload.request_ordinals.classes, [(1, 8), (2, 1), (3, 1)]);
    assert_eq!((workload.response_bytes.sum, workload.response_bytes.max), (27_094, 3_339));
    assert_eq!((workload.series.buckets.len(), workload.series.buckets[0].at), (2, 1_795_384_617));
    let source = &workload.sources[0];
    assert_eq!((source.format.as_str(), source.entries, source.bad.len()), ("nginx", 10, 0));
    assert!(source.tells.contains(&Tell::BytesOut) && !source.tells.contains(&Tell::BodyOut));
    assert!(!source.tells.contains(&Tell::Class));
}

#[test]
fn caddy_and_its_numbers_are_understood() {
    let log = JsonLog::of_program("caddy").unwrap();
    let workload = count(log.clone(), &input("caddy.log"));
    let tls =
        |protocol, suite: &str, http| Kind { group: None, ..kind(protocol, suite, "", Resumed::Full, http) };
    let (h1, h2) = (HttpVersion::Http11, HttpVersion::Http2);
    let plain = Kind { protocol: Some(Protocol::None), http: Some(h1), ..Kind::default() };
    let expected = [
        (plain, (0, 1)),
        (tls(Protocol::Tls12, "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256", h1), (0, 1)),
        (tls(Protocol::Tls13, "TLS_AES_128_GCM_SHA256", h2), (0, 2)),
    ];
    assert_eq!(counts(&workload), expected.into());
    assert_eq!((workload.response_bytes.count, workload.response_bytes.sum), (4, 6_205));
    assert_eq!(workload.request_bytes.count, 0, "this version does not tell what it has read");
    let newer = br#"{"ts":1795384621.5,"request":{"proto":"HTTP/3.0","tls":{"resumed":true,"version":772,"cipher_suite":4866,"proto":"h3","server_name":"a.example"}},"bytes_read":7,"size":12,"status":200}"#;
    let newer = count(log, newer);
    assert_eq!(newer.shares[0].kind.http, Some(HttpVersion::Http3));
    assert_eq!((newer.shares[0].kind.resumed, newer.request_bytes.sum), (Some(Resumed::Psk), 7));
}

#[test]
fn haproxy_comes_through_syslog() {
    let keys = [
        ("ts", "%Ts"),
        ("request", "%[capture.req.method,json]"),
        ("version", "%[ssl_fc_protocol]"),
        ("cipher", "%[ssl_fc_cipher]"),
        ("resumed", "%[ssl_fc_is_resumed]"),
        ("out", "%B"),
        ("in", "%U"),
        ("hv", "%HV"),
    ];
    let workload = count(JsonLog::of_haproxy(keys), &input("haproxy-json.log"));
    let requests: u64 = workload.shares.iter().map(|share| share.counts.requests).sum();
    let resumed = workload.shares.iter().filter(|share| share.kind.resumed == Some(Resumed::Psk));
    assert_eq!((requests, resumed.count()), (5, 1));
    assert_eq!(workload.response_bytes.sum, 3_302 + 283 + 289 + 3_302 + 3_302);
    assert_eq!(workload.sources[0].passed_over, [(PassedOver::NoRequest, 1)].into());
}

#[test]
fn envoy_has_null_where_there_is_no_tls() {
    let keys = [
        "start_time",
        "protocol",
        "bytes_sent",
        "bytes_received",
        "downstream_tls_version",
        "downstream_tls_cipher",
    ];
    let workload = count(JsonLog::of_envoy(keys), &input("envoy.log"));
    let protocols: Vec<_> =
        workload.shares.iter().map(|share| (share.kind.protocol.unwrap(), share.counts.requests)).collect();
    assert_eq!(protocols, [(Protocol::None, 1), (Protocol::Tls12, 1), (Protocol::Tls13, 1)]);
    assert_eq!((workload.response_bytes.sum, workload.request_bytes.sum), (3_121, 512));
    assert_eq!(workload.sources[0].passed_over, [(PassedOver::NoRequest, 1)].into());
    assert!(workload.sources[0].tells.contains(&Tell::BodyOut));
}

#[test]
fn zeek_says_the_same_in_both_forms() {
    let text = input("zeek-ssl.log");
    let workload = count(zeek(&text), &text);
    let in_json = count(JsonLog::of_program("zeek-ssl").unwrap(), &input("zeek-ssl.json"));
    assert_eq!(workload.shares, in_json.shares);
    assert_eq!(workload.series, in_json.series);
    assert_eq!(workload.sources[0].tells, in_json.sources[0].tells);
    let connections: u64 = workload.shares.iter().map(|share| share.counts.connections).sum();
    let failed: u64 = workload.shares.iter().map(|share| share.counts.failed_handshakes).sum();
    assert_eq!((connections, failed), (4, 1));
    assert_eq!(workload.sources[0].passed_over[&PassedOver::OtherProtocol], 1);
    let post_quantum = workload.shares.iter().find(|share| share.kind.resumed == Some(Resumed::Psk)).unwrap();
    assert_eq!(post_quantum.kind.group.as_deref(), Some("X25519MLKEM768"));
    let text = input("zeek-conn.log");
    let volumes = count(zeek(&text), &text);
    let in_json = count(JsonLog::of_program("zeek-conn").unwrap(), &input("zeek-conn.json"));
    assert_eq!(volumes.shares, in_json.shares);
    let counts = volumes.shares[0].counts;
    assert_eq!((counts.out.bytes, counts.into.bytes, counts.out.of), (9_000, 1_500, 2));
    assert_eq!((counts.connections, counts.requests), (0, 0));
}

#[test]
fn names_of_servers_become_classes_and_nothing_else() {
    let classes = Classes::parse(["shop=shop.example"]).unwrap();
    let text = input("zeek-ssl.log");
    let workload = count(zeek(&text).with_classes(classes), &text);
    let classes: Vec<_> = workload.shares.iter().map(|share| share.kind.class.as_deref().unwrap()).collect();
    assert_eq!(classes, ["other", "other", "shop", "shop", "shop"]);
    let document = serde_json::to_string(&workload).unwrap();
    assert!(!document.contains(".example") && !document.contains("203.0"), "{document}");
    assert!(workload.sources[0].tells.contains(&Tell::Class));
}

#[test]
fn a_user_maps_names_of_his_own() {
    let log =
        JsonLog::of_mapping(["suite=tls.cipher", "protocol=tls.version", "time=@timestamp", "bytes_out=n"]);
    let text = br#"{"tls":{"x":[{"cipher":1}],"version":"TLSv1.2","cipher":"ECDHE-RSA-AES128-GCM-SHA256"},"@timestamp":"2026-11-22T21:00:00Z","n":"12"}
{"tls.version":"TLSv1.2","tls.cipher":"0xc02f","n":13.0}
{"other":1}
"#;
    let workload = count(log.unwrap(), text);
    assert_eq!(workload.shares.len(), 1);
    assert_eq!(workload.shares[0].kind.suite.as_deref(), Some("TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256"));
    assert_eq!((workload.response_bytes.count, workload.response_bytes.sum), (2, 25));
    assert_eq!(workload.sources[0].passed_over, [(PassedOver::NoRequest, 1)].into());
    let unknown = JsonLog::of_mapping(["color=x"]).unwrap_err().to_string();
    assert!(unknown.contains("no field is called 'color'") && unknown.contains("bytes_out"), "{unknown}");
    assert!(JsonLog::of_mapping(["suite"]).is_err());
}

#[test]
fn what_a_line_says_does_not_hang_on_those_before_it() {
    let of_caddy = |protocol: &str| {
        format!(
            "{{\"ts\":1.5,\"request\":{{\"proto\":\"HTTP/2.0\",\"tls\":{{\"version\":{protocol}}}}},\"status\":200}}\n"
        )
    };
    let pairs = [
        ("{\"request\":\"HTTP/1.1\"}\n".to_owned(), "{\"request\":{},\"out\":1}\n".to_owned(), nginx()),
        (of_caddy("null"), of_caddy("[]"), JsonLog::of_program("caddy").unwrap()),
    ];
    for (one, other, log) in pairs {
        let alone = [&one, &other].map(|line| count(log.clone(), line.as_bytes()));
        for both in [format!("{one}{other}"), format!("{other}{one}")] {
            assert_eq!(count(log.clone(), both.as_bytes()), merge_workloads(&tool(), &alone), "{both}");
        }
    }
}

#[test]
fn lines_that_are_not_what_they_should_be_are_counted_by_kind() {
    let keys = [("out", Field::BytesOut), ("time", Field::Time)];
    let bad = |text: &[u8]| count(JsonLog::of_keys("nginx", keys), text).sources[0].bad.clone();
    for (line, expected) in [
        (r#"{"out":1"#, Bad::Cut),
        (r#"{"out":"1"#, Bad::Cut),
        (r#"{"out":1}}"#, Bad::Json),
        (r#"{"out":1} {"out":2}"#, Bad::Json),
        (r#"["out",1]"#, Bad::Json),
        (r#"{"out":true}"#, Bad::Number),
        (r#"{"out":[1]}"#, Bad::Number),
        (r#"{"out":"a"}"#, Bad::Number),
        (r#"{"out":1.5}"#, Bad::Number),
        (r#"{"out":99999999999999999999999}"#, Bad::Number),
        (r#"{"out":1,"time":"noon"}"#, Bad::Time),
        ("203.0.113.7 - jane", Bad::Json),
        ("{\"out\":1,\"x\":\"\0\"}", Bad::Nul),
    ] {
        assert_eq!(bad(line.as_bytes()), [(expected, 1)].into(), "{line}");
    }
    for line in [
        "",
        "  {\"out\": 1}",
        "{\"out\":-1}",
        "{\"out\":null,\"time\":null}",
        "{\"x\":{\"out\":{}},\"out\":7}",
    ] {
        assert_eq!(bad(line.as_bytes()), BTreeMap::new(), "{line}");
    }
    let text = input("zeek-conn.log");
    let log = zeek(&text);
    let bad = |line: &[u8]| count(log.clone(), line).sources[0].bad.clone();
    assert_eq!(bad(b"1795381200.0\tC1"), [(Bad::Cut, 1)].into());
    assert_eq!(
        bad(&[text.split(|byte| *byte == b'\n').nth(8).unwrap(), b"\tmore"].concat()),
        [(Bad::OtherFormat, 1)].into()
    );
    assert_eq!(bad(b"#fields\tts\tuid"), [(Bad::OtherFormat, 1)].into());
    assert!(ZeekLog::of_header([b"#fields\tts\tuid\tquery".as_slice()]).is_err());
}

/// A table as a query gives it of the log of nginx.
const TABLE: &str = "\
time,protocol,suite,group,resumed,http,connection_request,bytes_out,bytes_in,count
1795384617,TLSv1.3,TLS_AES_256_GCM_SHA384,X25519,.,HTTP/2.0,1,3226,31,1
1795384617,TLSv1.3,TLS_AES_256_GCM_SHA384,X25519,.,HTTP/2.0,2,3226,6,1
1795384617,TLSv1.3,TLS_AES_256_GCM_SHA384,X25519,.,HTTP/2.0,3,221,11,1
1795384617,TLSv1.2,ECDHE-ECDSA-AES256-GCM-SHA384,X25519,.,HTTP/1.1,1,3339,79,1
1795384617,-,,,,HTTP/1.1,1,3339,79,1
1795384617,-,,,,HTTP/1.1,1,407,79,1
1795384617,TLSv1.3,TLS_AES_256_GCM_SHA384,X25519,.,HTTP/1.1,1,3334,83,1
1795384617,TLSv1.3,TLS_AES_256_GCM_SHA384,X25519,r,HTTP/1.1,1,3334,83,1
1795384618,TLSv1.2,ECDHE-ECDSA-AES256-GCM-SHA384,X25519,.,HTTP/1.1,1,3334,83,1
1795384618,TLSv1.2,ECDHE-ECDSA-AES256-GCM-SHA384,X25519,r,HTTP/1.1,1,3334,83,1
";

fn table(text: &str) -> Workload {
    count(Table::of_header(text.lines().next().unwrap().as_bytes()).unwrap(), text.as_bytes())
}

#[test]
fn a_table_of_a_log_gives_what_the_log_gives() {
    let (log, table) = (count(nginx(), &input("nginx-json.log")), table(TABLE));
    let without_sources = |workload: &Workload| Workload { sources: Vec::new(), ..workload.clone() };
    assert_eq!(without_sources(&log), without_sources(&table));
    let tells = |workload: &Workload| workload.sources[0].tells.clone();
    assert_eq!(tells(&log), tells(&table));
    assert_eq!(table.sources[0].passed_over, [(PassedOver::Empty, 1)].into());
}

#[test]
fn rows_of_a_table_have_weights_and_say_what_they_count() {
    let requests = table(
        "count;resumed;bytes_out;time;seconds\r\n\"70\";r;100;2026-11-22 21:00:00;60\r\n30;.;;2026-11-22 21:01:00;60\r\n0;.;1;;\r\n",
    );
    assert_eq!((requests.shares[0].counts.requests, requests.shares[1].counts.requests), (30, 70));
    assert_eq!((requests.response_bytes.count, requests.response_bytes.sum), (70, 7_000));
    assert_eq!((requests.series.width_s, requests.series.buckets.len()), (60, 2));
    let connections = table("requests\tcount\tresumed\n3\t10\tfull\n1\t5\tpsk\n");
    assert_eq!(connections.request_ordinals.classes, [(1, 15), (2, 10), (3, 10)]);
    let said = table(
        "what,count,bytes_out\nconnection,4,\nfailed-handshake,2,\nvolume,4,1000\nrequest,9,10\nother,1,\n",
    );
    let counts = said.shares[0].counts;
    assert_eq!(
        (counts.connections, counts.connections_without_requests, counts.failed_handshakes),
        (4, 4, 2)
    );
    assert_eq!((counts.requests, counts.out.bytes), (9, 4_090));
    assert_eq!(said.sources[0].bad, [(Bad::OtherFormat, 1)].into());
    let (most, many) = (u64::MAX, "1000001");
    let huge = table(&format!("count,requests,bytes_out\n{most},3,{most}\n{most},3,{most}\n1,{many},\n"));
    assert_eq!((huge.shares[0].counts.connections, huge.shares[0].counts.out.bytes), (most, most));
    assert_eq!(huge.sources[0].bad, [(Bad::Number, 1)].into());
}

#[test]
fn columns_that_are_not_known_are_refused_by_their_place() {
    let refused = |header: &str| Table::of_header(header.as_bytes()).unwrap_err().to_string();
    let unknown = refused("time,203.0.113.7,suite");
    assert!(
        unknown.starts_with("column 2 of the table has no name that is known; known: what, time"),
        "{unknown}"
    );
    assert!(!unknown.contains("203"));
    assert!(refused("time,suite,time").contains("columns 1 and 3"));
    assert!(refused("\"time").contains("no line of CSV"));
    let rows = "suite,bytes_out\nx\n\"x,1\nx,1,2\nx,y\n";
    let expected = [(Bad::Cut, 1), (Bad::Quote, 1), (Bad::OtherFormat, 1), (Bad::Number, 1)];
    assert_eq!(table(rows).sources[0].bad, expected.into());
}

proptest! {
    #[test]
    fn rows_may_come_in_any_number_of_parts(cut in 0usize..11) {
        let lines: Vec<&str> = TABLE.lines().collect();
        let parts = [lines[..cut].join("\n"), lines[cut..].join("\n")];
        let header = lines[0].as_bytes();
        let counted = parts.map(|part| count(Table::of_header(header).unwrap(), part.as_bytes()));
        let whole = count(Table::of_header(header).unwrap(), lines.join("\n").as_bytes());
        let merged = merge_workloads(&tool(), &counted);
        prop_assert_eq!(merged.shares, whole.shares);
        prop_assert_eq!(merged.series, whole.series);
        prop_assert_eq!(merged.sources[0].entries, whole.sources[0].entries);
    }

    #[test]
    fn no_text_is_too_much(text in prop::collection::vec(any::<u8>(), 0..200), object in "[{}\\[\\]\":,a-z0-9.\\\\u]{0,80}") {
        for text in [&text, object.as_bytes()] {
            count(nginx(), text);
            count(zeek(&input("zeek-ssl.log")), text);
            count(Table::of_header(b"time,suite,count").unwrap(), text);
        }
    }

    #[test]
    fn what_is_written_is_read(out: u64, nth in 1u64..1_000, at in 0u64..4_000_000_000, as_text: bool, resumed: bool) {
        let quote = if as_text { "\"" } else { "" };
        let line = format!(
            "{{\"x\":{{\"y\":[1,{{\"out\":5}}]}},\"out\":{quote}{out}{quote},\"nth\":{nth},\"t\":{quote}{at}.25{quote},\"r\":{resumed}}}"
        );
        let keys = [("out", Field::BytesOut), ("nth", Field::ConnectionRequest), ("t", Field::Time), ("r", Field::Resumed)];
        let workload = count(JsonLog::of_keys("nginx", keys), line.as_bytes());
        prop_assert_eq!((workload.response_bytes.sum, workload.request_ordinals.sum), (out, nth));
        prop_assert_eq!(workload.series.buckets[0].at, at);
        let expected = if resumed { Resumed::Resumed } else { Resumed::Full };
        prop_assert_eq!(workload.shares[0].kind.resumed, Some(expected));
    }
}
