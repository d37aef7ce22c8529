//! Counting instructions: under callgrind, where it is installed, and what is said where it is not.

use std::path::Path;

use serde_json::{Value, json};

use crate::needs::are_there;
use crate::run::Run;
use crate::stage::{HANDSHAKES, ONE, Stage, plain};

const VALGRIND: &str = "/usr/bin/valgrind";

/// A stage with the control adapter as a library that is measured, and a handshake of it.
fn counted() -> (Stage, String) {
    let stage = Stage::with(&[("mock", json!({}))]).and_connections("bare");
    let study = stage.study("counted", &format!("{HANDSHAKES}keys = [\"ecdsa-p256\"]\n"));
    (stage, study)
}

fn instructions(results: &Value, library: &str) -> Vec<(u64, u64, u64)> {
    let measurements = results["measurements"].as_array().unwrap();
    let of = |one: &&Value| one["case"]["library"] == library;
    let batches = measurements.iter().find(of).unwrap()["outcome"]["batches"].as_array().unwrap().clone();
    let number = |batch: &Value, name: &str| batch[name].as_u64().unwrap();
    let sides = |batch: &Value| {
        let [whole, client, server] =
            ["instructions", "client_instructions", "server_instructions"].map(|name| number(batch, name));
        (whole, client, server)
    };
    batches.iter().map(sides).collect()
}

#[test]
fn sides_of_handshakes_are_counted_the_same_each_time_and_compare_finds_nothing() {
    if !are_there(&[Path::new(VALGRIND)]) {
        return;
    }
    let (stage, study) = counted();
    for name in ["once", "again"] {
        let run = format!("measure {study} -l bare --count callgrind -o {name}");
        stage.run(&run).ends(0).shows(["INSTRUCTIONS", "under callgrind", "client", "server"]);
    }
    let results: Value = serde_json::from_str(&stage.read("once.json")).unwrap();
    assert_eq!(results["counted"]["by"], "callgrind");
    let counts = instructions(&results, "bare");
    assert!(counts.len() >= 3, "{counts:?}");
    for (whole, client, server) in counts {
        assert!(client > 0 && server > 0 && whole == client + server, "{whole} {client} {server}");
    }
    stage
        .run("compare once.json again.json --fail-above 0.1")
        .ends(0)
        .shows(["0 became slower and 0 faster; 2 are the same"]);
}

#[test]
fn a_worker_that_counts_nothing_is_a_row() {
    if !are_there(&[Path::new(VALGRIND)]) {
        return;
    }
    let stage = Stage::calm();
    let study = stage.study("uncounted", ONE);
    let results = stage.run(&format!("measure {study} --count callgrind -o uncounted"));
    let reason = "the worker of mock does not count instructions";
    results.ends(3).shows([reason]);
    let results: Value = serde_json::from_str(&stage.read("uncounted.json")).unwrap();
    assert_eq!(results["measurements"][0]["outcome"], json!({ "is": "unsupported", "reason": reason }));
}

#[test]
fn where_there_is_no_valgrind_it_is_said_how_to_get_it() {
    let (stage, study) = counted();
    let nowhere = stage.path("nowhere");
    let mut command =
        stage.command(format!("measure {study} -l bare --count callgrind -o none").split_whitespace());
    let run = Run::of(command.env("PATH", nowhere));
    run.ends(3).says(["instructions cannot be counted", "apt-get install valgrind"]);
    assert!(!stage.has("none.json"));
}

#[test]
fn times_and_counts_are_not_compared() {
    if !are_there(&[Path::new(VALGRIND)]) {
        return;
    }
    let (stage, study) = counted();
    stage.run(&format!("measure {study} -l bare --count callgrind -q -o counts")).ends(0);
    stage.run(&format!("measure {study} -l bare -q -o times")).ends(0);
    stage
        .run("compare times.json counts.json")
        .ends(0)
        .shows(["another measure: time before, instructions", "Of 0 figures"]);
    // A gate that had nothing to hold against each other must not pass.
    stage
        .run("compare times.json counts.json --fail-above 1")
        .ends(2)
        .says(["no figure to hold against each other"]);
}

#[test]
fn the_flag_teaches_what_it_is_for() {
    plain("speed --help").ends(0).shows(["--count", "callgrind", "0.1 %"]);
}
