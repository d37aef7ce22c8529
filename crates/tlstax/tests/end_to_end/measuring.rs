//! What a run that goes well leaves behind.

use serde_json::{Value, json};

use crate::run::{measurement, outcome};
use crate::stage::{HANDSHAKES, Stage};

const TWO_HASHES: &str = "[[primitive]]\nalgorithms = [\"sha256\"]\nsizes = [64, 1024]\n";

#[test]
fn scripted_costs_come_out_as_they_were_put_in() {
    let script = json!({ "costs": [{ "case": "*/sha256/*", "ns": 100.0, "ns_per_byte": 2.0 }] });
    let stage = Stage::with(&[("mock", script)]);
    let (run, results) = stage.measure("costs", TWO_HASHES, "--format csv");
    run.ends(0).shows(["mock/primitive/sha256/digest/64", "mock/primitive/sha256/digest/1024"]);
    for (size, cost) in [(64, 228.0), (1024, 2148.0)] {
        let found = measurement(&results, &format!("/{size}"));
        for batch in found["outcome"]["batches"].as_array().unwrap() {
            let each = batch["cpu_ns"].as_f64().unwrap() / batch["iterations"].as_f64().unwrap();
            assert!((each / cost - 1.0).abs() < 0.001, "{each} instead of {cost}");
        }
    }
    assert!(stage.path("costs.html").is_file());
    assert!(!stage.has("costs.journal"), "the journal of a finished run was kept");
}

/// The cases of the first six rounds in the order in which they were measured: only the journal has it, because the
/// slices of the results depend on the time that passes.
fn order(stage: &Stage, name: &str, seed: &str) -> Vec<u64> {
    let study = "[[primitive]]\nalgorithms = [\"sha256\", \"md5\", \"sha1\"]\nsizes = [64, 256, 1024]\n";
    let file = stage.study(name, study);
    // Results that cannot be written leave the journal.
    std::fs::create_dir(stage.path(&format!("{name}.json"))).unwrap();
    stage.run(&format!("measure {file} -q --seed {seed} -o {name}")).ends(3);
    let journal = stage.read(&format!("{name}.journal"));
    let lines = journal.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    lines.filter_map(|line| line["batch"][0].as_u64()).take(6 * 9).collect()
}

#[test]
fn batches_of_all_cases_are_interleaved_and_shuffled_by_the_seed() {
    let stage = Stage::calm();
    let first = order(&stage, "first", "7");
    assert_eq!(first, order(&stage, "again", "7"), "the same seed gave another order");
    assert_ne!(first, order(&stage, "other", "8"), "another seed gave the same order");
    assert_eq!(first.len(), 6 * 9);
    let rounds: Vec<&[u64]> = first.chunks(9).collect();
    for round in &rounds {
        let mut cases = round.to_vec();
        cases.sort_unstable();
        assert_eq!(cases, (0..9).collect::<Vec<_>>(), "a round is not one batch of each case");
    }
    assert!(rounds.iter().any(|round| round != &rounds[0]), "every round has the same order");
}

#[test]
fn sides_of_a_handshake_are_told_apart_and_proved() {
    let study = format!("{HANDSHAKES}keys = [\"ecdsa-p256\"]\nresumptions = [\"full\", \"psk\"]\n");
    let (run, results) = Stage::calm().measure("sides", &study, "");
    let run = run.ends(0);
    let full = measurement(&results, "/full");
    assert_eq!(full["outcome"]["proof"]["resumed"], 0);
    let psk = measurement(&results, "/psk");
    assert_eq!(psk["outcome"]["proof"]["resumed"], psk["outcome"]["proof"]["handshakes"]);
    let batch = &full["outcome"]["batches"][0];
    assert!(batch["client_ns"].as_u64().unwrap() > batch["server_ns"].as_u64().unwrap());
    assert!(run.stdout.to_lowercase().contains("handshakes"), "{run}");
}

#[test]
fn what_the_library_cannot_do_is_a_row_with_its_reason() {
    let script = json!({ "faults": [{ "case": "*/md5/*", "at": "prepare", "fault": "unsupported" }] });
    let study = "[[primitive]]\nalgorithms = [\"md5\", \"sha256\"]\nsizes = [64]\n";
    let (run, results) = Stage::with(&[("mock", script)]).measure("holes", study, "");
    run.ends(0).shows(["the script has no such thing"]);
    assert_eq!(outcome(&results, "md5/digest/64"), "unsupported");
    assert_eq!(outcome(&results, "sha256/digest/64"), "measured");
}

#[test]
fn a_list_names_every_case_and_a_verification_tries_each_once() {
    let stage = Stage::calm();
    let file = stage.study("list", TWO_HASHES);
    let list = stage.run(&format!("measure {file} --list"));
    assert_eq!(list.stdout, "mock/primitive/sha256/digest/64\nmock/primitive/sha256/digest/1024\n");
    let verified = stage.run(&format!("measure {file} --verify --quiet")).ends(0);
    assert!(verified.stdout.lines().all(|line| line.ends_with(": works")), "{verified}");
    assert!(!stage.has("results"), "a verification wrote results");
}

#[test]
fn a_short_cut_goes_the_same_way_as_a_study() {
    let stage = Stage::calm();
    let run = stage.run("speed sha256 --size 64 --budget 2s --quiet --json -o short").ends(0);
    assert!(!run.json()["figures"].as_array().unwrap().is_empty());
    let again = stage.run("report short.json --json");
    assert_eq!(again.stdout, run.stdout, "report does not print what the run printed");
}
