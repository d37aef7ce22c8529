//! `tlstax load --server`: a server that runs already is looked at first, what it negotiates is measured, and only its own
//! processes have its cost.

use std::net::{SocketAddr, UdpSocket};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::needs::not_tested;
use crate::processes::within;
use crate::run::{Run, holds};
use crate::running_server::{
    Answering, Nginx, command, free, is_measured, load, measured, register, stage, with_client, with_nginx,
};
use crate::stage::begin;

/// That the first row has failed, with these words.
#[track_caller]
fn has_failed<'a>((run, results): (Run, Value), words: impl IntoIterator<Item = &'a str>) {
    run.ends(3);
    let outcome = &results["measurements"][0]["outcome"];
    assert_eq!(outcome["is"], "failed", "{outcome}");
    holds(&outcome["message"], words);
}

#[test]
fn d01_a_process_that_does_not_hold_the_socket_is_refused_with_the_one_that_does() {
    let Some(stage) = with_nginx() else { return };
    let nginx = Nginx::tls(&stage, "TLSv1.3");
    let mut other = Command::new("sleep").arg("600").stdin(Stdio::null()).spawn().unwrap();
    // A process that is not the server's, and one that tlstax comes from, as a shell is.
    for pid in [other.id(), std::process::id()] {
        let run = load(&stage, nginx.address, &format!("--server-pid {pid}"));
        run.ends(2).says([&format!("--server-pid {}?", nginx.pid()), "nginx"]);
        assert!(!stage.has("load.json"));
    }
    other.kill().unwrap();
    other.wait().unwrap();
}

#[test]
fn d01_the_servers_processes_are_found_by_its_socket() {
    let Some(stage) = with_nginx() else { return };
    let nginx = Nginx::tls(&stage, "TLSv1.3");
    let own = nginx.pid();
    for more in ["", &format!("--server-pid {own}")] {
        let (run, results) = is_measured(&stage, nginx.address, more);
        let batch = &results["measurements"][0]["outcome"]["batches"][0];
        assert!(batch["server_ns"].as_u64() > Some(0), "{batch}");
        // There is no second account to hold it against.
        assert!(batch["observed_server_ns"].is_null(), "{batch}");
        let told = format!("nginx, pid {own} with ");
        holds(&results["libraries"][0]["hello"]["version"], [&told]);
        run.says([&told]);
    }
}

#[test]
fn d01_a_socket_that_is_shared_in_the_middle_of_a_run_ends_the_row() {
    let Some(stage) = with_nginx() else { return };
    let address = free();
    let directives = format!("listen {address} ssl reuseport; ssl_protocols TLSv1.3;");
    let _first = Nginx::start(&stage, "first", address, &directives);
    let child = begin(&mut command(&stage, address, ["--precision", "0.0001"]));
    let has_begun = || stage.has("load.journal") && stage.read("load.journal").contains("\"batch\"");
    assert!(within(60, has_begun), "the run never began");
    // From here on the kernel gives it half of the connections.
    let _second = Nginx::start(&stage, "second", address, &directives);
    has_failed(stage.with_results(Run::end_of(child), "load"), ["started anew"]);
}

#[test]
fn d24_a_server_whose_processes_cannot_be_seen_is_measured_without_its_cost_and_says_why() {
    let Some(stage) = with_client() else { return };
    let (run, results) = is_measured(&stage, Answering::well(10).address, "");
    let run = run.says(["CPU time is left out"]).shows(["--server-pid"]);
    assert!(!run.stdout.contains("larger budget"), "{run}");
    // What can be sharp is, long before the budget's end.
    assert!(results["measurements"][0]["outcome"]["batches"][0]["server_ns"].is_null(), "{results}");
}

#[test]
fn d25_what_a_tls_port_negotiates_is_measured_and_nothing_else() {
    let Some(stage) = with_nginx() else { return };
    let nginx = Nginx::tls(&stage, "TLSv1.2");
    let run = load(&stage, nginx.address, "--list").ends(0);
    assert_eq!(run.stdout.lines().count(), 1, "{run}");
    let seen = ["TLSv1.2 (", "rsa-2048", "h2", "resumed by ticket", "answers GET / with 6 bytes"];
    run.shows(["TLSv1.2", "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256", "rsa-2048", "body-6"]).says(seen);
    // What the user names is measured, with what to do about it where it fails.
    let found = measured(&stage, nginx.address, "--tls TLSv1.3");
    has_failed(found, ["ProtocolVersion", "--tls TLSv1.2"]);
}

#[test]
fn d25_tls_on_a_port_without_it_says_so() {
    let Some(stage) = with_client() else { return };
    let server = Answering::well(10);
    let run = load(&stage, server.address, "--list").shows(["/load/http/"]);
    assert_eq!(run.stdout.lines().count(), 1, "{run}");
    has_failed(measured(&stage, server.address, "--no-plain --quiet"), ["the port speaks plain HTTP"]);
}

#[test]
fn d26_uploads_to_a_server_are_sent_as_they_are_named() {
    for (status, method) in [("204 No Content", "PUT"), ("201 Created", "POST")] {
        let Some(stage) = with_client() else { return };
        let head = format!("HTTP/1.1 {status}\r\nContent-Length: 0\r\n\r\n");
        let server = Answering::with(move |_| (head.clone(), 0));
        let flags = format!("--direction upload --body 3000 --method {method} --path /in");
        let (_, results) = is_measured(&stage, server.address, &flags);
        assert_eq!(results["measurements"][0]["case"]["body"], 3000, "{results}");
        let asked = server.asked.lock().unwrap().clone();
        let last = asked.last().unwrap();
        assert_eq!((last.line.as_str(), last.body), (format!("{method} /in HTTP/1.1").as_str(), 3000));
    }
}

#[test]
fn d26_a_download_of_anything_but_200_fails_with_the_status() {
    for status in ["204 No Content", "304 Not Modified", "404 Not Found"] {
        let Some(stage) = with_client() else { return };
        let head = format!("HTTP/1.1 {status}\r\nContent-Length: 0\r\n\r\n");
        let server = Answering::with(move |_| (head.clone(), 0));
        has_failed(measured(&stage, server.address, ""), [format!("status {}", &status[..3]).as_str()]);
        // Looking takes few connections, however little a server says.
        assert!(*server.connections.lock().unwrap() < 20);
    }
    load(&stage(), free(), "--body 10").ends(2).says(["--direction upload"]);
}

#[test]
fn d07_the_size_of_the_answers_is_the_body_of_the_rows() {
    let Some(stage) = with_client() else { return };
    let server = Answering::well(1_000_000);
    let (run, results) = is_measured(&stage, server.address, "--path /big.bin");
    assert_eq!(results["measurements"][0]["case"]["body"], 1_000_000, "{results}");
    let run = run.shows(["bodies of 1 MB"]);
    assert!(!run.stdout.contains("vary in size"), "{run}");
}

#[test]
fn d07_answers_of_changing_size_are_said_to_change() {
    let Some(stage) = with_client() else { return };
    let of = |size| (format!("HTTP/1.1 200 OK\r\nContent-Length: {size}\r\n\r\n"), size);
    let server = Answering::with(move |asked| of(100 * asked.connection));
    let (run, _) = is_measured(&stage, server.address, "--requests 1");
    run.says(["the next time with another number"]).shows(["vary in size"]);
}

#[test]
fn a_server_is_asked_by_the_name_and_for_the_path_that_are_given() {
    let Some(stage) = with_client() else { return };
    // A server that closes after each response is asked for no more than one on a connection.
    let server = Answering::with(|_| ("HTTP/1.0 200 OK\r\nContent-Length: 5\r\n\r\n".to_owned(), 5));
    let (run, results) = is_measured(&stage, server.address, "--server-name www.example --path /x");
    run.says(["closes the connection"]);
    assert_eq!(results["measurements"][0]["case"]["requests_per_connection"], 1, "{results}");
    let asked = server.asked.lock().unwrap().clone();
    let is_so = |host: &str, line: &str| (host, line) == ("www.example", "GET /x HTTP/1.1");
    assert!(asked.iter().all(|one| is_so(&one.host, &one.line)), "{asked:?}");
}

#[test]
fn nothing_that_answers_is_told_before_anything_is_measured() {
    let Some(stage) = with_client() else { return };
    load(&stage, free(), "").ends(3).says(["check that the server runs"]);
}

#[test]
fn d30_another_machine_is_neither_looked_at_nor_loaded_without_consent() {
    // A client that leaves a mark when it is started, at an address that is nobody's: RFC 5737.
    let stage = stage();
    let client = stage.path("client");
    stage.program("client", &format!("#!/bin/sh\ntouch {}\n", stage.path("mark").display()));
    register(&stage, client.to_str().unwrap());
    let elsewhere: SocketAddr = "192.0.2.1:443".parse().unwrap();
    for (remote, words) in [
        ("", "--remote 192.0.2.1:443"),
        ("--remote yes", "nothing was sent"),
        ("--remote 192.0.2.1", "nothing was sent"),
    ] {
        load(&stage, elsewhere, remote).ends(2).says([words]);
    }
    assert!(!stage.has("mark"));
}

#[test]
fn d30_an_address_of_this_machine_is_loaded_without_consent() {
    let Some(stage) = with_client() else { return };
    // Which one it has, a route to anywhere tells; nothing is sent.
    let socket = UdpSocket::bind("0.0.0.0:0").unwrap();
    if socket.connect("192.0.2.1:9").is_err() {
        return not_tested("this machine has no address but loopback");
    }
    let own = socket.local_addr().unwrap().ip();
    let head = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n";
    let server = Answering::at(own, move |_| (head.to_owned(), 5));
    is_measured(&stage, server.address, "");
}

#[test]
fn a_server_that_ends_connections_after_some_requests_is_connected_to_anew() {
    let Some(stage) = with_nginx() else { return };
    let address = free();
    let directives = format!("listen {address}; keepalive_requests 7;");
    let _nginx = Nginx::start(&stage, "limited", address, &directives);
    is_measured(&stage, address, "--path /index.html");
}

#[test]
fn what_would_be_more_than_a_path_or_a_name_is_refused_and_nothing_sent() {
    let stage = stage();
    let server = Answering::well(3);
    for flags in [
        ["--path", "/ HTTP/1.1\r\nX-Evil: 1\r\nY:"],
        ["--path", "/x\ny"],
        ["--path", "index.html"],
        ["--server-name", "a\r\nX: y"],
        ["--server-name", ""],
    ] {
        Run::of(&mut command(&stage, server.address, flags)).ends(2).says([flags[0]]);
    }
    stage.refuses("load --server http://127.0.0.1:8443/", ["write host:port"]);
    assert_eq!(*server.connections.lock().unwrap(), 0);
}
