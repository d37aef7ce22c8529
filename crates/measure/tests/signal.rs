//! The flag that SIGINT and SIGTERM set. Signals are for the whole process, so each test has one of its own.

#![allow(clippy::unwrap_used)]

use std::path::PathBuf;
use std::time::Duration;

use tlstax_measure::process::{Launch, Worker, WorkerError};
use tlstax_measure::signal;

const PATIENCE: Duration = Duration::from_secs(20);

#[test]
fn a_signal_sets_the_flag_and_ends_waiting() {
    let mut child = myself("child_that_waits_for_a_line");
    expect_line(&mut child, "Interrupted");
}

#[test]
fn the_second_signal_ends_the_process() {
    let mut child = myself("child_that_ignores_the_flag");
    for _ in 0..2 {
        expect_line(&mut child, "ready");
        send_term(&child);
    }
    let error = loop {
        match child.receive_line(PATIENCE) {
            Ok(_) => {}
            Err(error) => break error.to_string(),
        }
    };
    assert!(error.contains("signal: 15"), "{error}");
}

#[test]
#[ignore = "run by a test above, in a process of its own"]
fn child_that_waits_for_a_line() {
    signal::install().unwrap();
    assert!(!signal::interrupted());
    // The shell sends the signal while we wait for its line, so nothing depends on who is faster.
    let mut worker = shell("kill -TERM $PPID; exec sleep 1000");
    let error = worker.receive_line(PATIENCE).unwrap_err();
    assert!(matches!(error, WorkerError::Interrupted) && signal::interrupted());
    // Before the parent hears of it and kills us, which would leave nobody to end the shell's own child.
    drop(worker);
    say("Interrupted");
}

#[test]
#[ignore = "run by a test above, in a process of its own"]
fn child_that_ignores_the_flag() {
    signal::install().unwrap();
    signal::install().unwrap();
    say("ready");
    while !signal::interrupted() {
        std::thread::sleep(Duration::from_millis(1));
    }
    say("ready");
    std::thread::sleep(PATIENCE);
}

/// This test program again, to run one of its ignored tests.
fn myself(test: &str) -> Worker {
    started(std::env::current_exe().unwrap(), &["--exact", test, "--ignored", "--nocapture"])
}

fn shell(script: &str) -> Worker {
    started("sh".into(), &["-c", script])
}

fn started(program: PathBuf, arguments: &[&str]) -> Worker {
    let arguments = arguments.iter().map(Into::into).collect();
    Launch { arguments, ..Launch::new(program) }.spawn().unwrap()
}

#[allow(clippy::print_stdout, reason = "the parent reads it")]
fn say(word: &str) {
    // On a line of its own: the test runner does not end the line that names the test.
    println!("\n{word}");
}

fn expect_line(child: &mut Worker, word: &str) {
    while child.receive_line(PATIENCE).unwrap() != word {}
}

fn send_term(child: &Worker) {
    assert!(shell(&format!("kill -TERM {}", child.pid())).finish(PATIENCE).unwrap().status.success());
}
