//! Lines that are broken, or that only look so.

use tlstax_doc::{Bad, PassedOver};

use super::{counted, log, shares};
use crate::access::{AccessLog, Server, known_formats};
use crate::suggest::NGINX;

const LINE: &str = r#"192.0.2.7 - - [22/Nov/2026:21:22:13 +0000] "GET /a HTTP/1.1" 200 512 "https://a.example/" "Browser (X11)" 700 300 1 TLSv1.3 TLS_AES_128_GCM_SHA256 X25519 . """#;

fn combined() -> AccessLog {
    AccessLog::new(known_formats().find(|known| known.word == "combined").unwrap().layout())
}

#[track_caller]
fn check(line: &str, expected: Option<Bad>) {
    let (_, bad) = counted(&log(Server::Nginx, NGINX), &[line]);
    assert_eq!(bad.first().copied(), expected, "{line}");
}

#[test]
fn a_line_that_is_cut_ends_before_its_last_field() {
    check(LINE, None);
    // The last field may be shorter than it was; without its closing quote it is cut.
    for length in 1..LINE.len() {
        check(&LINE[..length], Some(Bad::Cut));
    }
}

#[test]
fn a_bad_line_is_told_by_its_kind() {
    check(&LINE.replace("22/Nov", "31/Nov"), Some(Bad::Time));
    check(&LINE.replace("200", "2OO"), Some(Bad::Number));
    check(&LINE.replace("200", "99999999999999999999"), Some(Bad::Number));
    check(&format!("{LINE} more"), Some(Bad::OtherFormat));
    check(&LINE.replace(" TLSv1.3", ""), Some(Bad::Cut));
    check("java.lang.NullPointerException: null", Some(Bad::OtherFormat));
    check("{\"status\": 200, \"time\": \"now\"}", Some(Bad::OtherFormat));
    check(&LINE.replace("Browser", "Bro\0wser").replace("200", "x"), Some(Bad::Nul));
}

#[test]
fn text_that_has_what_ends_a_field_is_told_apart_where_it_can_be() {
    let raw = format!("escape=none {NGINX}");
    let log = log(Server::Nginx, &raw);
    let quoted = LINE.replace("Browser", r#"Bro"wser" 1 2 "x"#);
    let user = LINE.replace("7 - - [", "7 - John Smith [");
    let (workload, bad) = counted(&log, &[&quoted, &user, LINE]);
    assert_eq!(bad, []);
    assert_eq!(workload.shares[0].counts.out.bytes, 2_100);
    // Read either way it is a request, of another size.
    let ambiguous = log_of_two_ways();
    let (_, bad) = counted(&ambiguous, &[r#""GET /" 200 5 "x HTTP/1.1" 404 10 "agent""#]);
    assert_eq!(bad, [Bad::Quote]);
}

fn log_of_two_ways() -> AccessLog {
    log(Server::Nginx, r#"escape=none "$request" $status $bytes_sent "$http_user_agent""#)
}

#[test]
fn a_quote_of_a_server_that_escapes_them_ends_a_field() {
    let lines = [
        r#"a - - [22/Nov/2026:21:22:13 +0000] "GET /\"x\\ HTTP/1.1" 200 5 "-" "say \"hello\"""#,
        r#"a - - [22/Nov/2026:21:22:13 +0000] "GET /\x22x HTTP/1.1" 200 5 "-" "say \x22hello\x22""#,
    ];
    let (workload, bad) = counted(&combined(), &lines);
    assert_eq!(
        (bad, shares(&workload)),
        (vec![], vec!["HTTP/1.1: 0 connections, 2 requests, 10 out, 0 in".to_owned()])
    );
    let open = r#"a - - [22/Nov/2026:21:22:13 +0000] "GET / HTTP/1.1 200 5 "-" "agent""#;
    assert_eq!(counted(&combined(), &[open]).1, [Bad::Quote]);
}

#[test]
fn lines_without_a_request_are_passed_over_or_connections() {
    let first = LINE.replace("\"GET /a HTTP/1.1\" 200", "\"\" 400");
    let later = first.replace(" 1 TLS", " 2 TLS");
    let (workload, bad) = counted(&log(Server::Nginx, NGINX), &[&first, &later, "", "#Fields: x", LINE]);
    assert_eq!(bad, []);
    let counts = workload.shares.iter().map(|share| (share.counts.connections, share.counts.requests));
    assert_eq!(counts.collect::<Vec<_>>(), [(1, 0), (1, 1)]);
    let passed_over = &workload.sources[0].passed_over;
    assert_eq!((passed_over[&PassedOver::NoRequest], passed_over[&PassedOver::Empty]), (1, 2));
}

#[test]
fn fields_that_are_empty_are_unknown() {
    let line = LINE.replace("700 300 1 TLSv1.3 TLS_AES_128_GCM_SHA256 X25519 .", "- - - - - - -");
    let (workload, bad) = counted(&log(Server::Nginx, NGINX), &[&line]);
    assert_eq!(
        (bad, shares(&workload)),
        (vec![], vec!["none HTTP/1.1: 0 connections, 1 requests, 512 out, 0 in".to_owned()])
    );
    assert_eq!(workload.shares[0].counts.into.of, 0);
}

#[test]
fn syslog_may_have_put_something_before_a_line() {
    let heads = [
        "",
        "<190>Nov 22 21:22:13 host nginx: ",
        "Nov  2 01:02:03 host.example nginx[12]: ",
        "2026-11-22T21:22:13.123456+00:00 host nginx: ",
        "<134>1 2026-11-22T21:22:13+00:00 host nginx 12 - - ",
        "<134>1 2026-11-22T21:22:13+00:00 host nginx 12 - [a b=\"c\"] ",
    ];
    let lines: Vec<String> = heads.iter().map(|head| format!("{head}{LINE}")).collect();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let (workload, bad) = counted(&log(Server::Nginx, NGINX), &lines);
    assert_eq!((bad, workload.shares[0].counts.requests), (vec![], 6));
    assert_eq!(workload.series.buckets.len(), 1);
}

#[test]
fn nothing_personal_is_in_what_was_counted() {
    let planted =
        LINE.replace("192.0.2.7", "planted").replace("/a", "/planted").replace("Browser", "planted");
    let planted = planted.replace("X25519", "planted").replace("TLS_AES_128_GCM_SHA256", "planted");
    let (workload, _) = counted(
        &log(Server::Nginx, NGINX),
        &[&planted, &planted[..80], "planted", &planted.replace("200", "planted")],
    );
    assert!(!serde_json::to_string(&workload).unwrap().contains("planted"));
}
