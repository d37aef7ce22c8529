//! The control worker as a process: what the orchestrator and `make test` see of it.
#![allow(clippy::unwrap_used)]

use std::io::Write;
use std::process::{Command, Output, Stdio};

use tlstax_spec::wire::{Answer, PROTOCOL, Request};

#[expect(clippy::disallowed_methods, reason = "a test of a worker stands where the orchestrator would")]
fn control(arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_tlstax-worker-mock"))
        .arg("control")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

#[test]
fn a_transcript_as_another_language_would_write_it() {
    let input = [
        r#"{"do":"hello","protocol":1,"pki":"pki"}"#,
        r#"{"do":"prepare","slot":4,"library":"control","kind":"handshake","version":"TLSv1.3","suite":"TLS_AES_128_GCM_SHA256","group":"X25519","key":"rsa-2048","chain":2,"resumption":"psk","mutual":false}"#,
        r#"{"do":"run","slot":4,"iterations":5,"warmup":1}"#,
        "",
        "rubbish",
        r#"{"do":"release","slot":4}"#,
        r#"{"do":"bye"}"#,
        r#"{"do":"usage","slot":4}"#,
    ];
    let output = control(&[], &input.join("\n"));
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).unwrap();
    let answers: Vec<Answer> = text.lines().map(|line| Answer::decode(line).unwrap()).collect();
    assert!(
        matches!(&answers[0], Answer::Hello(hello) if hello.protocol == PROTOCOL && hello.family == "control")
    );
    assert!(matches!(&answers[1], Answer::Ready { slot: 4, proof, .. } if proof.resumed == 1));
    assert!(matches!(&answers[2], Answer::Sampled { slot: 4, sample, proof }
        if sample.iterations == 5 && proof.resumed == 5));
    assert!(matches!(&answers[3], Answer::Failed { slot: 0, .. }));
    assert_eq!(answers[4..], [Answer::Released { slot: 4 }]);
}

#[test]
fn the_end_of_the_input_ends_the_worker() {
    let output = control(&[], &Request::Usage { slot: 1, part: 0 }.encode());
    assert!(output.status.success());
    assert_eq!(String::from_utf8(output.stdout).unwrap().lines().count(), 1);
}

#[test]
fn the_conformance_suite_is_a_command() {
    let output = control(&["--conformance", concat!(env!("CARGO_MANIFEST_DIR"), "/../../pki")], "");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{text}");
    assert!(text.lines().last().unwrap().contains(" 0 failed, "), "{text}");
}

#[test]
fn unknown_arguments_are_a_usage_error() {
    let output = control(&["--fast"], "");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stderr).unwrap().contains("--conformance PKI_DIR"));
}
