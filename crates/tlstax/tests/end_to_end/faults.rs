//! Workers that die, hang, talk rubbish or lie: each costs its own case and nothing else.

use serde_json::{Value, json};

use crate::run::{holds, measurement, outcome};
use crate::stage::{HANDSHAKES, Stage};

const STUDY: &str = "[[primitive]]\nalgorithms = [\"md5\", \"sha256\", \"sha384\"]\nsizes = [64]\n";

/// How the one case fails that has a fault in its batches from this one on; the others are measured.
#[track_caller]
fn failure(fault: &str, from: u32) -> Value {
    let fault = json!({
        "case": "*/sha256/*", "from": from, "fault": fault, "stderr": "out of memory in line 5"
    });
    let results = Stage::with(&[("mock", json!({ "faults": [fault] }))]).measured("faults", STUDY);
    for other in ["md5/digest/64", "sha384/digest/64"] {
        assert_eq!(outcome(&results, other), "measured", "{results}");
    }
    let found = &measurement(&results, "sha256/digest/64")["outcome"];
    assert_eq!(found["is"], "failed", "{found}");
    found.clone()
}

#[test]
fn a_worker_that_dies_again_and_again_leaves_a_row_with_its_last_words() {
    let failure = failure("die", 3);
    holds(&failure["message"], ["ended"]);
    holds(&failure["stderr"], ["out of memory in line 5"]);
}

#[test]
fn silence_rubbish_floods_and_answers_for_another_case_are_no_figures() {
    for (fault, from, words) in [
        ("hang", 1, "did not answer"),
        ("rubbish", 4, "not a message"),
        ("flood", 4, "not a message"),
        ("wrong-kind", 4, "not asked"),
        ("other-slot", 4, "answered about"),
        ("fail", 4, "as the script wants it"),
        // An answer that changes is no proof.
        ("wrong-answer", 4, "at first"),
    ] {
        holds(&failure(fault, from)["message"], [words]);
    }
}

#[test]
fn a_lie_is_a_failure_of_the_proof() {
    for (fault, words) in [("no-proof", "proved nothing"), ("fewer-iterations", "iterations")] {
        let failure = failure(fault, 3);
        assert_eq!(failure["stage"], "proof", "{fault}");
        holds(&failure["message"], [words]);
    }
}

#[test]
fn another_suite_or_a_resumption_that_did_not_happen_is_never_timed() {
    let study = format!("{HANDSHAKES}keys = [\"ecdsa-p256\"]\nresumptions = [\"full\", \"psk\"]\n");
    let script = json!({ "faults": [
        { "case": "*/full", "from": 4, "fault": "other-suite" },
        { "case": "*/psk", "from": 4, "fault": "other-resumption" }
    ] });
    let (_, results) = Stage::with(&[("mock", script)]).measure("lies", &study, "");
    for (end, words) in [("/full", "asked for suite"), ("/psk", "resumed")] {
        let found = &measurement(&results, end)["outcome"];
        assert_eq!(found["is"], "failed");
        holds(&found["message"], [words]);
    }
}

#[test]
fn the_library_that_computes_something_else_is_the_odd_one_out() {
    let lie = |at: &str| json!({ "case": "*/sha256/*", "at": at, "fault": "wrong-answer" });
    let liar = json!({ "faults": [lie("prepare"), lie("run")] });
    let stage = Stage::with(&[("honest", json!({})), ("liar", liar)]);
    let (_, results) = stage.measure("answers", STUDY, "");
    assert_eq!(outcome(&results, "honest/primitive/sha256/digest/64"), "measured");
    let found = &measurement(&results, "liar/primitive/sha256/digest/64")["outcome"];
    assert_eq!(found["is"], "failed");
    holds(&found["message"], ["from the same input"]);
}

/// The batches and notes of a case that was measured by a script.
fn measured_by(script: Value) -> (Vec<Value>, Vec<Value>) {
    let results = Stage::with(&[("mock", script)]).measured("parts", STUDY);
    let found = measurement(&results, "sha256/digest/64");
    assert_eq!(found["outcome"]["is"], "measured", "{found}");
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    (list(&found["outcome"]["batches"]), list(&found["notes"]))
}

#[test]
fn parts_that_are_not_those_asked_for_cost_the_parts_and_not_the_figure() {
    let (honest, notes) = measured_by(json!({}));
    assert!(honest.iter().all(|batch| batch["parts_ns"].is_array()), "{honest:?}");
    assert_eq!(notes, [] as [Value; 0]);
    for (fault, words) in [
        ("fewer-parts", "parts of a batch, the worker told"),
        ("more-parts", "parts of a batch, the worker told"),
        ("parts-do-not-add-up", "the parts of a batch add up to"),
    ] {
        let fault = json!({ "case": "*/sha256/*", "fault": fault });
        let (batches, notes) = measured_by(json!({ "faults": [fault] }));
        assert!(batches.iter().all(|batch| batch.get("parts_ns").is_none()), "{batches:?}");
        let wholes = |batches: &[Value]| -> Vec<Value> {
            batches.iter().map(|batch| batch["cpu_ns"].clone()).take(3).collect()
        };
        assert_eq!(wholes(&batches), wholes(&honest), "{fault}");
        assert_eq!(notes.len(), 1, "said once: {notes:?}");
        holds(&notes[0]["what"], [words, "counts as a whole"]);
    }
}

#[test]
fn a_worker_of_protocol_1_is_served_without_parts() {
    // It would be caught if it were asked for parts: what it tells of them is wrong.
    let script =
        json!({ "protocol": 1, "faults": [{ "case": "*/sha256/*", "fault": "parts-do-not-add-up" }] });
    let (batches, notes) = measured_by(script);
    assert!(!batches.is_empty() && batches.iter().all(|batch| batch.get("parts_ns").is_none()));
    assert_eq!(notes, [] as [Value; 0]);
}

#[test]
fn workers_of_other_protocols_are_refused_and_the_message_says_which_side_is_older() {
    for (protocol, words) in [(0, "the worker is older than tlstax"), (3, "the worker is newer than tlstax")]
    {
        let stage = Stage::with(&[("other", json!({ "protocol": protocol }))]);
        let file = stage.study("alone", STUDY);
        let speaks = format!("speaks protocol {protocol}, this tlstax 1 to 2");
        stage.run(&format!("measure {file}")).ends(3).says([speaks.as_str(), words, "remedy"]);
    }
}

#[test]
fn a_library_that_does_not_start_takes_no_part_and_the_others_do() {
    let stage = Stage::with(&[("mock", json!({})), ("old", json!({ "protocol": 99 }))]);
    let (run, results) = stage.measure("versions", STUDY, "");
    run.ends(0).says(["protocol 99"]);
    assert_eq!(outcome(&results, "mock/primitive/sha256/digest/64"), "measured");
    assert_eq!(outcome(&results, "old/primitive/sha256/digest/64"), "skipped");

    let alone = Stage::with(&[("old", json!({ "faults": [{ "at": "hello", "fault": "die" }] }))]);
    let file = alone.study("alone", STUDY);
    alone.run(&format!("measure {file}")).ends(3).says(["no library can be measured"]);
}
