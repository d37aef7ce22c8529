//! The system's own OpenSSL: stripped, and with assembly that keeps the way back where only its unwind tables know.

use std::net::{TcpListener, TcpStream};
use std::time::Duration;

use tlstax_measure::process::{Launch, Worker};
use tlstax_measure::program;
use tlstax_observe::live::Target;

use super::observed::{is_permitted, observe};

fn start(arguments: &[&str]) -> Option<Worker> {
    let run = |arguments: &[&str]| Launch {
        arguments: arguments.iter().map(Into::into).collect(),
        ..Launch::new("openssl")
    };
    if let Err(error) = program::run(&run(&["version"]), Duration::from_secs(10)) {
        println!("left out: {error}");
        return None;
    }
    Some(run(arguments).spawn().unwrap())
}

/// Whether a stack of OpenSSL's libraries goes on to the function that the C library begins with.
fn is_whole(names: &[String]) -> bool {
    names
        .iter()
        .take(4)
        .any(|name| name.contains("`__libc_start_main") || name.contains("`__libc_start_call_main"))
}

fn is_in(names: &[String], library: &str) -> bool {
    names.iter().any(|name| name.starts_with(library))
}

#[test]
fn signing_is_followed_from_the_assembly_to_the_program() {
    if !is_permitted() {
        return;
    }
    for algorithm in ["rsa2048", "ecdsap256", "ed25519"] {
        let Some(speed) = start(&["speed", "-seconds", "60", algorithm]) else { return };
        let found = observe(Target::Processes(vec![speed.pid()]), 300);
        let whole = found.share(|names| is_in(names, "libcrypto.so") && is_whole(names));
        assert!(whole > 0.97, "{algorithm}: {whole} of {:?}", found.profile.captures[0].notes);
    }
}

/// A server and a client; both end with it.
fn handshakes() -> Option<(Worker, Worker)> {
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let address = format!("127.0.0.1:{port}");
    let pki = concat!(env!("CARGO_MANIFEST_DIR"), "/../../pki/rsa-2048");
    let (certificate, key) = (format!("{pki}/server-1.pem"), format!("{pki}/server.key"));
    let server = ["s_server", "-accept", &address, "-cert", &certificate, "-key", &key, "-quiet", "-www"];
    let server = start(&server)?;
    while TcpStream::connect(&address).is_err() {
        std::thread::sleep(Duration::from_millis(10));
    }
    let client = start(&["s_time", "-connect", &address, "-new", "-time", "90"])?;
    Some((server, client))
}

#[test]
fn handshakes_are_followed_through_both_libraries() {
    if !is_permitted() {
        return;
    }
    let Some((server, _client)) = handshakes() else { return };
    let found = observe(Target::Processes(vec![server.pid()]), 400);
    let tls = found.share(|names| is_in(names, "libssl.so") || is_in(names, "libcrypto.so"));
    let whole =
        found.share(|names| (is_in(names, "libssl.so") || is_in(names, "libcrypto.so")) && is_whole(names));
    assert!(tls > 0.5 && whole / tls > 0.97, "{whole} of {tls}: {:?}", found.profile.captures[0].notes);
    // The border between the libraries has names.
    let signs = found.share(|names| {
        let border = names
            .windows(2)
            .find(|two| two[0].starts_with("libssl.so") && two[1].starts_with("libcrypto.so"));
        border.is_some_and(|border| border[1].contains("`EVP_DigestSign"))
    });
    assert!(signs > 0.0, "{:?}", found.profile.frames);
}
