//! Logs of real servers, and captures of the same, of a load that is known to the last connection: what `tlstax traffic` counts
//! must be that load. What a server cannot log is unknown, and nothing else is.

mod known;
mod lean;
mod servers;
mod sites;
mod tcpdump;

use serde_json::{Value, json};

use self::known::{Kind, Known, by_capture, by_log};
use self::lean::{Lean, Offer};
use self::sites::{LARGE, Place, SMALL, Server};
use self::tcpdump::Tcpdump;
use crate::running_server::with_client;
use crate::stage::Stage;

/// Full and resumed, two versions with a suite each, two sizes, and one request for a connection or more.
const OFFERS: [Offer; 4] = [
    Offer {
        version: "TLSv1.3",
        suite: "TLS_AES_128_GCM_SHA256",
        resumption: "full",
        resumed_percent: 0,
        requests_per_connection: 9,
        requests: 30,
        file: SMALL,
    },
    Offer {
        version: "TLSv1.3",
        suite: "TLS_AES_256_GCM_SHA384",
        resumption: "psk",
        resumed_percent: 75,
        requests_per_connection: 1,
        requests: 40,
        file: LARGE,
    },
    Offer {
        version: "TLSv1.2",
        suite: "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
        resumption: "ticket",
        resumed_percent: 50,
        // 9, 7, 5 and 3 on the first four: never two, since Apache gives the last request of a connection that it closes the number of
        // the one before.
        requests_per_connection: 9,
        requests: 20,
        file: SMALL,
    },
    // Kept alive.
    Offer {
        version: "TLSv1.3",
        suite: "TLS_AES_128_GCM_SHA256",
        resumption: "full",
        resumed_percent: 0,
        requests_per_connection: 0,
        requests: 50,
        file: LARGE,
    },
];

#[test]
fn a_log_of_nginx_is_the_load() {
    log_is_the_load(&servers::NGINX);
}

#[test]
fn a_log_of_apache_is_the_load() {
    log_is_the_load(&servers::APACHE);
}

#[test]
fn a_log_of_haproxy_is_the_load() {
    log_is_the_load(&servers::HAPROXY);
}

#[test]
fn a_log_of_lighttpd_is_the_load_as_far_as_it_tells() {
    log_is_the_load(&servers::LIGHTTPD);
}

#[test]
fn a_log_of_caddy_is_the_load() {
    log_is_the_load(&servers::CADDY);
}

fn log_is_the_load(server: &Server) {
    let Some(stage) = with_client() else { return };
    let Some(site) = server.start(&stage) else { return };
    let capture = stage.path("capture.pcap");
    let capturing = Tcpdump::start(&capture, site.place.port);
    let mut known = Known::default();
    let mut lean = Lean::start();
    for offer in &OFFERS {
        lean.offer(site.place.port, offer, &mut known);
    }
    drop(lean);
    let place = site.end(known.requests());
    let by_log_of = counted(&stage, "log", &log_words(server, &place));
    logged(&by_log_of, &known, server);
    if let Some(capturing) = capturing {
        capturing.end(&capture);
        captured(&counted(&stage, "capture", "capture.pcap"), &known);
    }
}

/// What is given to count its log.
fn log_words(server: &Server, place: &Place) -> String {
    let log = place.log();
    match server.id {
        "caddy" => log.display().to_string(),
        id => format!("{} --format {id}:{}", log.display(), place.configuration().display()),
    }
}

/// The workload of these words.
fn counted(stage: &Stage, name: &str, words: &str) -> Value {
    stage.run(&format!("traffic {words} --quiet -o {name}.json")).ends(0);
    serde_json::from_str(&stage.read(&format!("{name}.json"))).unwrap()
}

/// That a log has all of the load, and nothing else.
#[track_caller]
fn logged(workload: &Value, known: &Known, server: &Server) {
    let found = Known::of_workload(workload);
    let (connections, requests) = found.told(server.tells, by_log);
    let offered = known.told(server.tells, by_log);
    assert_eq!(requests, offered.1, "{}", server.id);
    let first = &workload["request_ordinals"]["classes"][0];
    let unplaced = sum(workload, "requests_without_connection");
    if server.tells_connections {
        assert_eq!(connections, offered.0, "{}", server.id);
        assert_eq!(*first, json!([1, known.connections()]), "{}", server.id);
        assert_eq!(unplaced, 0, "{}", server.id);
    } else {
        // None is known, and each request may have begun one.
        assert!(connections.is_empty() && first.is_null(), "{}: {workload}", server.id);
        assert_eq!(unplaced, known.requests(), "{}", server.id);
    }
    // Nothing is told that the server does not log.
    assert_eq!(found.told(server.tells, by_log), found.told(&known::FIELDS, by_log), "{}", server.id);
    assert_eq!(bad(workload), None, "{}", server.id);
    assert_eq!(workload["series"]["undated"], 0, "{}", server.id);
    sizes(workload, known);
}

/// The sum of a count over all kinds.
fn sum(workload: &Value, field: &str) -> u64 {
    workload["shares"].as_array().unwrap().iter().filter_map(|share| share[field].as_u64()).sum()
}

/// That bytes are those of the bodies, with heads where the log has them.
fn sizes(workload: &Value, known: &Known) {
    let tells = workload["sources"][0]["tells"].as_array().unwrap();
    let (bodies, requests) = (known.bytes(), known.requests());
    let sketch = &workload["response_bytes"];
    assert_eq!(sketch["count"], requests);
    let sum = sketch["sum"].as_u64().unwrap();
    let heads = sum - bodies;
    if tells.iter().any(|tell| tell == "body-out") {
        assert_eq!(heads, 0);
    } else {
        assert!(
            (requests * 60..requests * 500).contains(&heads),
            "heads of {heads} bytes in {requests} responses"
        );
    }
    let share = heads / requests;
    for (size, count) in known.sizes() {
        let near = |class: &Value| {
            let (lowest, count) = (class[0].as_u64().unwrap(), class[1].as_u64().unwrap());
            // A head may be some bytes longer than the mean of all.
            let (least, most) = (size + share / 2, size + share * 2);
            (least - least / 128 <= lowest && lowest <= most).then_some(count)
        };
        let found: u64 = sketch["classes"].as_array().unwrap().iter().filter_map(near).sum();
        assert_eq!(found, *count, "responses of {size} bytes in {sketch}");
    }
}

/// That a capture has the same connections.
#[track_caller]
fn captured(workload: &Value, known: &Known) {
    let (found, _) = Known::of_workload(workload).told(&known::FIELDS, by_capture);
    let (offered, _) = known.told(&known::FIELDS, without_group_where_resumed);
    let found = found.into_iter().filter(|(kind, _)| kind.is_tls()).collect::<known::Counts>();
    assert_eq!(found, offered);
    // Where a server sends several records at once, all but the first are behind what was captured.
    let Some(bad) = bad(workload) else {
        let out = sum_of_bytes(workload);
        assert!(out >= known.bytes(), "{out} bytes were sent, and bodies have {}", known.bytes());
        return;
    };
    assert!(bad.as_object().unwrap().keys().all(|kind| kind == "snapped"), "{bad}");
}

/// What servers sent.
fn sum_of_bytes(workload: &Value) -> u64 {
    let shares = workload["shares"].as_array().unwrap();
    shares.iter().filter_map(|share| share["out"]["bytes"].as_u64()).sum()
}

/// In TLS 1.2 a resumed handshake has no key exchange.
fn without_group_where_resumed(kind: &Kind) -> Kind {
    kind.without_group_if("TLSv1.2", "ticket")
}

/// What is wrong with entries of the source.
fn bad(workload: &Value) -> Option<&Value> {
    workload["sources"][0].get("bad")
}
