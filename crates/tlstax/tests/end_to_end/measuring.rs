//! What a run that goes well leaves behind.

use serde_json::{Value, json};

use crate::stage::{Stage, measurement, outcome};

const TWO_HASHES: &str = "[[primitive]]\nalgorithms = [\"sha256\"]\nsizes = [64, 1024]\n";

#[test]
fn scripted_costs_come_out_as_they_were_put_in() {
    let script = json!({ "costs": [{ "case": "*/sha256/*", "ns": 100.0, "ns_per_byte": 2.0 }] });
    let stage = Stage::with(&[("mock", script)]);
    let (run, results) = stage.measure("costs", TWO_HASHES, &["--format", "csv"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    for (size, cost) in [(64, 228.0), (1024, 2148.0)] {
        let found = measurement(&results, &format!("/{size}"));
        for batch in found["outcome"]["batches"].as_array().unwrap() {
            let each = batch["cpu_ns"].as_f64().unwrap() / batch["iterations"].as_f64().unwrap();
            assert!((each / cost - 1.0).abs() < 0.001, "{each} instead of {cost}");
        }
        assert!(run.stdout.contains(&format!("mock/primitive/sha256/digest/{size}")), "{}", run.stdout);
    }
    assert!(stage.path("costs.html").is_file());
    assert!(!stage.path("costs.journal").exists(), "the journal of a finished run was kept");
}

#[test]
fn batches_of_all_cases_are_interleaved_and_shuffled_by_the_seed() {
    let study = "[[primitive]]\nalgorithms = [\"sha256\", \"md5\", \"sha1\"]\nsizes = [64, 256, 1024]\n";
    let order = |results: &Value| {
        let mut all: Vec<(u64, String, u64)> = Vec::new();
        for found in results["measurements"].as_array().unwrap() {
            for batch in found["outcome"]["batches"].as_array().unwrap() {
                let slice = batch["slice"].as_u64().unwrap();
                all.push((
                    slice,
                    found["id"].as_str().unwrap().to_owned(),
                    batch["iterations"].as_u64().unwrap(),
                ));
            }
        }
        all.sort();
        all
    };
    let stage = Stage::calm();
    let (_, first) = stage.measure("first", study, &["--seed", "7"]);
    let (_, again) = stage.measure("again", study, &["--seed", "7"]);
    let (_, other) = stage.measure("other", study, &["--seed", "8"]);
    assert_eq!(order(&first), order(&again), "the same seed gave another order");
    assert_ne!(order(&first), order(&other), "another seed gave the same order");
    let rounds =
        first["slices"].as_array().unwrap().iter().map(|slice| slice["round"].as_u64().unwrap()).max();
    assert!(rounds >= Some(6), "{rounds:?}");
}

#[test]
fn sides_of_a_handshake_are_told_apart_and_proved() {
    let study = "[[handshake]]\nversions = [\"TLSv1.3\"]\nsuites = [\"TLS_AES_128_GCM_SHA256\"]\ngroups = [\"X25519\"]\n\
                 keys = [\"ecdsa-p256\"]\nresumptions = [\"full\", \"psk\"]\n";
    let stage = Stage::calm();
    let (run, results) = stage.measure("sides", study, &[]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let full = measurement(&results, "/full");
    assert_eq!(full["outcome"]["proof"]["resumed"], 0);
    let psk = measurement(&results, "/psk");
    assert_eq!(psk["outcome"]["proof"]["resumed"], psk["outcome"]["proof"]["handshakes"]);
    let batch = &full["outcome"]["batches"][0];
    assert!(batch["client_ns"].as_u64().unwrap() > batch["server_ns"].as_u64().unwrap());
    assert!(run.stdout.to_lowercase().contains("handshakes"), "{}", run.stdout);
}

#[test]
fn what_the_library_cannot_do_is_a_row_with_its_reason() {
    let script = json!({ "faults": [{ "case": "*/md5/*", "at": "prepare", "fault": "unsupported" }] });
    let stage = Stage::with(&[("mock", script)]);
    let study = "[[primitive]]\nalgorithms = [\"md5\", \"sha256\"]\nsizes = [64]\n";
    let (run, results) = stage.measure("holes", study, &[]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert_eq!(outcome(&results, "md5/digest/64"), "unsupported");
    assert_eq!(outcome(&results, "sha256/digest/64"), "measured");
    assert!(run.stdout.contains("the script has no such thing"), "{}", run.stdout);
}

#[test]
fn a_list_names_every_case_and_a_verification_tries_each_once() {
    let stage = Stage::calm();
    let file = stage.study("list", TWO_HASHES);
    let file = file.to_str().unwrap();
    let list = stage.run(&["measure", file, "--list"]);
    assert_eq!(list.stdout, "mock/primitive/sha256/digest/64\nmock/primitive/sha256/digest/1024\n");
    let verified = stage.run(&["measure", file, "--verify", "--quiet"]);
    assert_eq!(verified.code, 0, "{}", verified.stderr);
    assert!(verified.stdout.lines().all(|line| line.ends_with(": works")), "{}", verified.stdout);
    assert!(!stage.path("results").exists(), "a verification wrote results");
}

#[test]
fn a_short_cut_goes_the_same_way_as_a_study() {
    let stage = Stage::calm();
    let output = stage.path("short");
    let run = stage.run(&[
        "speed",
        "sha256",
        "--size",
        "64",
        "--budget",
        "2s",
        "--quiet",
        "--json",
        "-o",
        output.to_str().unwrap(),
    ]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let view: Value = serde_json::from_str(&run.stdout).unwrap();
    assert!(!view["figures"].as_array().unwrap().is_empty());
    let again = stage.run(&["report", output.with_extension("json").to_str().unwrap(), "--json"]);
    assert_eq!(again.stdout, run.stdout, "report does not print what the run printed");
}
