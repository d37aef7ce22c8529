//! The system's own OpenSSL: stripped, and with assembly that keeps the way back where only its unwind tables know.

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

#[test]
fn signing_is_followed_from_the_assembly_to_the_program() {
    if !is_permitted() {
        return;
    }
    for algorithm in ["rsa2048", "ecdsap256", "ed25519"] {
        let Some(speed) = start(&["speed", "-seconds", "60", algorithm]) else { return };
        let found = observe(Target::Processes(vec![speed.pid()]), 300);
        let is_libcrypto = |name: &String| name.starts_with("libcrypto.so");
        let is_first =
            |name: &String| name.ends_with("`__libc_start_main") || name.contains("`__libc_start_call_main");
        let whole = found.share(|names| {
            names.iter().any(is_libcrypto) && names[..4.min(names.len())].iter().any(is_first)
        });
        assert!(whole > 0.97, "{algorithm}: {whole} of {:?}", found.profile.captures[0].notes);
    }
}
