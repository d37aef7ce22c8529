//! Workers that die, hang, talk rubbish or lie: each costs its own case and nothing else.

use serde_json::{Value, json};

use crate::stage::{Stage, measurement, outcome};

const STUDY: &str = "[[primitive]]\nalgorithms = [\"md5\", \"sha256\", \"sha384\"]\nsizes = [64]\n";

fn with_fault(fault: Value) -> (Stage, Value) {
    let stage = Stage::with(&[("mock", json!({ "faults": [fault] }))]);
    let (run, results) = stage.measure("faults", STUDY, &[]);
    assert_eq!(run.code, 0, "the others were measured: {}", run.stderr);
    for other in ["md5/digest/64", "sha384/digest/64"] {
        assert_eq!(outcome(&results, other), "measured", "{results}");
    }
    (stage, results)
}

fn failure(results: &Value) -> &Value {
    let found = &measurement(results, "sha256/digest/64")["outcome"];
    assert_eq!(found["is"], "failed", "{found}");
    found
}

#[test]
fn a_worker_that_dies_again_and_again_leaves_a_row_with_its_last_words() {
    let (_stage, results) = with_fault(json!({
        "case": "*/sha256/*", "from": 3, "fault": "die", "stderr": "out of memory in line 5"
    }));
    let failure = failure(&results);
    assert!(failure["message"].as_str().unwrap().contains("ended"), "{failure}");
    assert!(failure["stderr"].as_str().unwrap().contains("out of memory in line 5"), "{failure}");
}

#[test]
fn a_worker_that_hangs_is_given_up() {
    let (_stage, results) = with_fault(json!({ "case": "*/sha256/*", "fault": "hang" }));
    assert!(failure(&results)["message"].as_str().unwrap().contains("did not answer"));
}

#[test]
fn rubbish_floods_and_answers_for_another_case_are_no_figures() {
    for (fault, words) in [
        ("rubbish", "not a message"),
        ("flood", "not a message"),
        ("wrong-kind", "not asked"),
        ("other-slot", "answered about"),
        ("fail", "as the script wants it"),
    ] {
        let (_stage, results) = with_fault(json!({ "case": "*/sha256/*", "from": 4, "fault": fault }));
        let message = failure(&results)["message"].as_str().unwrap().to_owned();
        assert!(message.contains(words), "{fault}: {message}");
    }
}

#[test]
fn a_lie_is_a_failure_of_the_proof() {
    for (fault, words) in [("no-proof", "proved nothing"), ("fewer-iterations", "iterations")] {
        let (_stage, results) = with_fault(json!({ "case": "*/sha256/*", "from": 3, "fault": fault }));
        let failure = failure(&results);
        assert_eq!(failure["stage"], "proof", "{fault}");
        assert!(failure["message"].as_str().unwrap().contains(words), "{failure}");
    }
}

#[test]
fn another_suite_or_a_resumption_that_did_not_happen_is_never_timed() {
    let study = "[[handshake]]\nversions = [\"TLSv1.3\"]\nsuites = [\"TLS_AES_128_GCM_SHA256\"]\ngroups = [\"X25519\"]\n\
                 keys = [\"ecdsa-p256\"]\nresumptions = [\"full\", \"psk\"]\n";
    let script = json!({ "faults": [
        { "case": "*/full", "from": 4, "fault": "other-suite" },
        { "case": "*/psk", "from": 4, "fault": "other-resumption" }
    ] });
    let stage = Stage::with(&[("mock", script)]);
    let (_, results) = stage.measure("lies", study, &[]);
    for (end, words) in [("/full", "asked for suite"), ("/psk", "resumed")] {
        let found = &measurement(&results, end)["outcome"];
        assert_eq!(found["is"], "failed");
        assert!(found["message"].as_str().unwrap().contains(words), "{found}");
    }
}

#[test]
fn the_library_that_computes_something_else_is_the_odd_one_out() {
    let lie = |at: &str| json!({ "case": "*/sha256/*", "at": at, "fault": "wrong-answer" });
    let liar = json!({ "faults": [lie("prepare"), lie("run")] });
    let stage = Stage::with(&[("honest", json!({})), ("liar", liar)]);
    let (_, results) = stage.measure("answers", STUDY, &[]);
    assert_eq!(outcome(&results, "honest/primitive/sha256/digest/64"), "measured");
    let found = &measurement(&results, "liar/primitive/sha256/digest/64")["outcome"];
    assert_eq!(found["is"], "failed");
    assert!(found["message"].as_str().unwrap().contains("from the same input"), "{found}");
}

#[test]
fn an_answer_that_changes_is_no_proof() {
    let (_stage, results) = with_fault(json!({ "case": "*/sha256/*", "from": 4, "fault": "wrong-answer" }));
    assert!(failure(&results)["message"].as_str().unwrap().contains("at first"));
}

#[test]
fn a_library_that_does_not_start_takes_no_part_and_the_others_do() {
    let stage = Stage::with(&[("mock", json!({})), ("old", json!({ "protocol": 99 }))]);
    let (run, results) = stage.measure("versions", STUDY, &[]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stderr.contains("protocol 99"), "{}", run.stderr);
    assert_eq!(outcome(&results, "mock/primitive/sha256/digest/64"), "measured");
    assert_eq!(outcome(&results, "old/primitive/sha256/digest/64"), "skipped");

    let alone = Stage::with(&[("old", json!({ "faults": [{ "at": "hello", "fault": "die" }] }))]);
    let file = alone.study("alone", STUDY);
    let run = alone.run(&["measure", file.to_str().unwrap()]);
    assert_eq!(run.code, 3, "{}", run.stderr);
    assert!(run.stderr.contains("no library can be measured"), "{}", run.stderr);
}
