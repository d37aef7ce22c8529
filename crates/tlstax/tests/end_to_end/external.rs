//! `tlstax load --server`: a server that runs already is looked at first, what it negotiates is measured, and only its own
//! processes have its cost.

use std::net::{SocketAddr, UdpSocket};
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::running_server::{
    Answering, Nginx, command, free, is_possible, load, measured, registry, results, stage,
};
use crate::stage::Run;

/// What became of the first row.
fn message(results: &serde_json::Value) -> &str {
    results["measurements"][0]["outcome"]["message"].as_str().unwrap_or_default()
}

fn is_measured(run: &Run, results: &serde_json::Value) -> bool {
    let all = results["measurements"].as_array().unwrap();
    run.code == 0 && all.len() == 1 && all[0]["outcome"]["is"] == "measured"
}

#[test]
fn d01_a_process_that_does_not_hold_the_socket_is_refused_with_the_one_that_does() {
    if !is_possible(true) {
        return;
    }
    let stage = stage();
    let nginx = Nginx::tls(&stage, "TLSv1.3");
    let mut other = Command::new("sleep").arg("600").stdin(Stdio::null()).spawn().unwrap();
    // A process that is not the server's, and one that tlstax comes from, as a shell is.
    for pid in [other.id(), std::process::id()] {
        let run = load(&stage, nginx.address, &["--server-pid", &pid.to_string()]);
        assert_eq!(run.code, 2, "{}", run.stderr);
        assert!(run.stderr.contains(&format!("--server-pid {}?", nginx.pid())), "{}", run.stderr);
        assert!(run.stderr.contains("nginx"), "{}", run.stderr);
        assert!(!stage.path("load.json").exists());
    }
    other.kill().unwrap();
    other.wait().unwrap();
}

#[test]
fn d01_the_servers_processes_are_found_by_its_socket() {
    if !is_possible(true) {
        return;
    }
    let stage = stage();
    let nginx = Nginx::tls(&stage, "TLSv1.3");
    let own = nginx.pid().to_string();
    for more in [&[][..], &["--server-pid", own.as_str()]] {
        let (run, results) = measured(&stage, nginx.address, more);
        assert!(is_measured(&run, &results), "{results}");
        let batch = &results["measurements"][0]["outcome"]["batches"][0];
        assert!(batch["server_ns"].as_u64() > Some(0), "{batch}");
        // There is no second account to hold it against.
        assert!(batch["observed_server_ns"].is_null(), "{batch}");
        let told = format!("nginx, pid {own} with ");
        assert!(results["libraries"][0]["hello"]["version"].as_str().unwrap().contains(&told), "{results}");
        assert!(run.stderr.contains(&told), "{}", run.stderr);
    }
}

#[test]
fn d01_a_socket_that_is_shared_in_the_middle_of_a_run_ends_the_row() {
    if !is_possible(true) {
        return;
    }
    let (stage, address) = (stage(), free());
    let directives = format!("listen {address} ssl reuseport; ssl_protocols TLSv1.3;");
    let _first = Nginx::start(&stage, "first", address, &directives);
    let mut command = command(&stage, address, &["--precision", "0.0001"]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    while !std::fs::read_to_string(stage.path("load.journal")).unwrap_or_default().contains("\"batch\"") {
        std::thread::sleep(Duration::from_millis(20));
    }
    // From here on the kernel gives it half of the connections.
    let _second = Nginx::start(&stage, "second", address, &directives);
    let run: Run = child.wait_with_output().unwrap().into();
    let results = results(&stage, &run);
    assert_eq!(
        (run.code, results["measurements"][0]["outcome"]["is"].as_str()),
        (3, Some("failed")),
        "{results}"
    );
    assert!(message(&results).contains("started anew"), "{results}");
}

#[test]
fn d24_a_server_whose_processes_cannot_be_seen_is_measured_without_its_cost_and_says_why() {
    if !is_possible(false) {
        return;
    }
    let (stage, server) = (stage(), Answering::well(10));
    let (run, results) = measured(&stage, server.address, &[]);
    assert!(is_measured(&run, &results), "{results}");
    assert!(run.stderr.contains("CPU time is left out"), "{}", run.stderr);
    assert!(run.stdout.contains("--server-pid") && !run.stdout.contains("larger budget"), "{}", run.stdout);
    // What can be sharp is, long before the budget's end.
    assert!(results["measurements"][0]["outcome"]["batches"][0]["server_ns"].is_null(), "{results}");
}

#[test]
fn d25_what_a_tls_port_negotiates_is_measured_and_nothing_else() {
    if !is_possible(true) {
        return;
    }
    let stage = stage();
    let nginx = Nginx::tls(&stage, "TLSv1.2");
    let run = load(&stage, nginx.address, &["--list"]);
    assert_eq!((run.code, run.stdout.lines().count()), (0, 1), "{} {}", run.stdout, run.stderr);
    for part in ["TLSv1.2", "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256", "rsa-2048", "body-6"] {
        assert!(run.stdout.contains(part), "{}", run.stdout);
    }
    for part in ["TLSv1.2 (", "rsa-2048", "h2", "resumed by ticket", "answers GET / with 6 bytes"] {
        assert!(run.stderr.contains(part), "'{part}' is missing: {}", run.stderr);
    }
    // What the user names is measured, with what to do about it where it fails.
    let (run, results) = measured(&stage, nginx.address, &["--tls", "TLSv1.3"]);
    assert_eq!(run.code, 3, "{}", run.stderr);
    assert!(message(&results).contains("ProtocolVersion"), "{results}");
    assert!(message(&results).contains("--tls TLSv1.2"), "{results}");
}

#[test]
fn d25_tls_on_a_port_without_it_says_so() {
    if !is_possible(false) {
        return;
    }
    let (stage, server) = (stage(), Answering::well(10));
    let run = load(&stage, server.address, &["--list"]);
    assert!(run.stdout.contains("/load/http/") && run.stdout.lines().count() == 1, "{}", run.stdout);
    let (run, results) = measured(&stage, server.address, &["--no-plain", "--quiet"]);
    assert_eq!(run.code, 3, "{}", run.stderr);
    assert!(message(&results).contains("the port speaks plain HTTP"), "{results}");
}

#[test]
fn d26_uploads_to_a_server_are_sent_as_they_are_named() {
    if !is_possible(false) {
        return;
    }
    for (status, method) in [("204 No Content", "PUT"), ("201 Created", "POST")] {
        let head = format!("HTTP/1.1 {status}\r\nContent-Length: 0\r\n\r\n");
        let (stage, server) = (stage(), Answering::with(move |_| (head.clone(), 0)));
        let flags = ["--direction", "upload", "--body", "3000", "--method", method, "--path", "/in"];
        let (run, results) = measured(&stage, server.address, &flags);
        assert!(is_measured(&run, &results), "{results}");
        assert_eq!(results["measurements"][0]["case"]["body"], 3000, "{results}");
        let asked = server.asked.lock().unwrap().clone();
        let last = asked.last().unwrap();
        assert_eq!((last.line.as_str(), last.body), (format!("{method} /in HTTP/1.1").as_str(), 3000));
    }
}

#[test]
fn d26_a_download_of_anything_but_200_fails_with_the_status() {
    if !is_possible(false) {
        return;
    }
    for status in ["204 No Content", "304 Not Modified", "404 Not Found"] {
        let head = format!("HTTP/1.1 {status}\r\nContent-Length: 0\r\n\r\n");
        let (stage, server) = (stage(), Answering::with(move |_| (head.clone(), 0)));
        let (run, results) = measured(&stage, server.address, &[]);
        assert_eq!(run.code, 3, "{}", run.stderr);
        assert!(message(&results).contains(&format!("status {}", &status[..3])), "{results}");
        // Looking takes few connections, however little a server says.
        assert!(*server.connections.lock().unwrap() < 20);
    }
    let run = load(&stage(), free(), &["--body", "10"]);
    assert_eq!(run.code, 2, "{}", run.stderr);
    assert!(run.stderr.contains("--direction upload"), "{}", run.stderr);
}

#[test]
fn d07_the_size_of_the_answers_is_the_body_of_the_rows() {
    if !is_possible(false) {
        return;
    }
    let (stage, server) = (stage(), Answering::well(1_000_000));
    let (run, results) = measured(&stage, server.address, &["--path", "/big.bin"]);
    assert!(is_measured(&run, &results), "{results}");
    assert_eq!(results["measurements"][0]["case"]["body"], 1_000_000, "{results}");
    assert!(run.stdout.contains("bodies of 1 MB"), "{}", run.stdout);
    assert!(!run.stdout.contains("vary in size"), "{}", run.stdout);
}

#[test]
fn d07_answers_of_changing_size_are_said_to_change() {
    if !is_possible(false) {
        return;
    }
    let of = |size| (format!("HTTP/1.1 200 OK\r\nContent-Length: {size}\r\n\r\n"), size);
    let (stage, server) = (stage(), Answering::with(move |asked| of(100 * asked.connection)));
    let (run, results) = measured(&stage, server.address, &["--requests", "1"]);
    assert!(is_measured(&run, &results), "{results}");
    assert!(run.stderr.contains("the next time with another number"), "{}", run.stderr);
    assert!(run.stdout.contains("vary in size"), "{}", run.stdout);
}

#[test]
fn a_server_is_asked_by_the_name_and_for_the_path_that_are_given() {
    if !is_possible(false) {
        return;
    }
    // A server that closes after each response is asked for no more than one on a connection.
    let (stage, server) =
        (stage(), Answering::with(|_| ("HTTP/1.0 200 OK\r\nContent-Length: 5\r\n\r\n".to_owned(), 5)));
    let flags = ["--server-name", "www.example", "--path", "/x"];
    let (run, results) = measured(&stage, server.address, &flags);
    assert!(is_measured(&run, &results), "{results}");
    assert!(run.stderr.contains("closes the connection"), "{}", run.stderr);
    assert_eq!(results["measurements"][0]["case"]["requests_per_connection"], 1, "{results}");
    let asked = server.asked.lock().unwrap().clone();
    let is_so = |host: &str, line: &str| (host, line) == ("www.example", "GET /x HTTP/1.1");
    assert!(asked.iter().all(|one| is_so(&one.host, &one.line)), "{asked:?}");
}

#[test]
fn nothing_that_answers_is_told_before_anything_is_measured() {
    if !is_possible(false) {
        return;
    }
    let run = load(&stage(), free(), &[]);
    assert_eq!(run.code, 3, "{}", run.stderr);
    assert!(run.stderr.contains("check that the server runs"), "{}", run.stderr);
}

#[test]
fn d30_another_machine_is_neither_looked_at_nor_loaded_without_consent() {
    // A client that leaves a mark when it is started, at an address that is nobody's: RFC 5737.
    let stage = stage();
    let (client, mark) = (stage.path("client"), stage.path("mark"));
    std::fs::write(&client, format!("#!/bin/sh\ntouch {}\n", mark.display())).unwrap();
    registry(&stage, client.to_str().unwrap());
    let elsewhere: SocketAddr = "192.0.2.1:443".parse().unwrap();
    for (remote, words) in [
        (&[][..], "--remote 192.0.2.1:443"),
        (&["--remote", "yes"], "nothing was sent"),
        (&["--remote", "192.0.2.1"], "nothing was sent"),
    ] {
        let run = load(&stage, elsewhere, remote);
        assert_eq!(run.code, 2, "{}", run.stderr);
        assert!(run.stderr.contains(words), "{}", run.stderr);
    }
    assert!(!mark.exists());
}

#[test]
#[expect(clippy::print_stderr, reason = "whoever reads that a test passed has to know that it did nothing")]
fn d30_an_address_of_this_machine_is_loaded_without_consent() {
    if !is_possible(false) {
        return;
    }
    // Which one it has, a route to anywhere tells; nothing is sent.
    let socket = UdpSocket::bind("0.0.0.0:0").unwrap();
    if socket.connect("192.0.2.1:9").is_err() {
        eprintln!("not tested: this machine has no address but loopback");
        return;
    }
    let own = socket.local_addr().unwrap().ip();
    let head = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n";
    let (stage, server) = (stage(), Answering::at(own, move |_| (head.to_owned(), 5)));
    let (run, results) = measured(&stage, server.address, &[]);
    assert!(is_measured(&run, &results), "{results} {}", run.stderr);
}

#[test]
fn a_server_that_ends_connections_after_some_requests_is_connected_to_anew() {
    if !is_possible(true) {
        return;
    }
    let stage = stage();
    let address = free();
    let _nginx =
        Nginx::start(&stage, "limited", address, &format!("listen {address}; keepalive_requests 7;"));
    let (run, results) = measured(&stage, address, &["--path", "/index.html"]);
    assert!(is_measured(&run, &results), "{results}");
}

#[test]
fn what_would_be_more_than_a_path_or_a_name_is_refused_and_nothing_sent() {
    let stage = stage();
    let server = Answering::well(3);
    let hostile = [
        ["--path", "/ HTTP/1.1\r\nX-Evil: 1\r\nY:"],
        ["--path", "/x\ny"],
        ["--path", "index.html"],
        ["--server-name", "a\r\nX: y"],
        ["--server-name", ""],
    ];
    for flags in hostile {
        let run = load(&stage, server.address, &flags);
        assert!(run.code == 2 && run.stderr.contains(flags[0]), "{}", run.stderr);
    }
    let run = stage.run(&["load", "--server", "http://127.0.0.1:8443/"]);
    assert!(run.code == 2 && run.stderr.contains("write host:port"), "{}", run.stderr);
    assert_eq!(*server.connections.lock().unwrap(), 0);
}
