//! Processes that are lost on the way: each costs the batch in hand, and whose process it was is to blame.

use serde_json::{Value, json};

use crate::stage::{Run, Stage, measurement, outcome};

const STUDY: &str = "[[primitive]]\nalgorithms = [\"md5\", \"sha256\"]\nsizes = [64]\n";

/// A run of two cases of which one loses processes.
fn with_loss(fault: &str, from: u32) -> (Run, Value) {
    let faults =
        json!([{ "case": "*/sha256/*", "from": from, "fault": fault, "stderr": "killed in line 5" }]);
    Stage::with(&[("mock", json!({ "faults": faults }))]).measure("losses", STUDY, &[])
}

/// The rounds in which a case got its batches.
fn rounds(results: &Value, end: &str) -> Vec<u64> {
    let batches = measurement(results, end)["outcome"]["batches"].as_array().unwrap();
    let round = |batch: &Value| &results["slices"][batch["slice"].as_u64().unwrap() as usize]["round"];
    batches.iter().map(|batch| round(batch).as_u64().unwrap()).collect()
}

/// After two trials the fourth batch is that of round 2. No later process runs so many: the next takes over in the middle of
/// a sitting, which is three rounds long.
#[test]
fn d11_a_process_lost_once_costs_one_batch_and_leaves_a_note() {
    for fault in ["die", "die-in-answer"] {
        let (run, results) = with_loss(fault, 4);
        assert_eq!(outcome(&results, "sha256/digest/64"), "measured", "{fault}: {results}");
        assert_eq!(
            rounds(&results, "sha256/digest/64")[..3],
            [1, 3, 4],
            "{fault}: all batches but one are kept"
        );
        let notes = measurement(&results, "sha256/digest/64")["notes"].to_string();
        for words in ["lost a process once (run): the worker ended", "killed in line 5"] {
            assert!(notes.contains(words), "{fault}: {notes}");
        }
        assert!(
            run.stderr.contains("mock/primitive/sha256/digest/64: lost a process once"),
            "{}",
            run.stderr
        );
        assert!(run.stdout.contains("lost a process once"), "{}", run.stdout);
    }
}

#[test]
fn d11_a_process_that_falls_silent_once_costs_one_batch() {
    let (_, results) = with_loss("hang", 4);
    assert_eq!(outcome(&results, "sha256/digest/64"), "measured", "{results}");
    let notes = measurement(&results, "sha256/digest/64")["notes"].to_string();
    assert!(notes.contains("lost a process once (run): the worker did not answer"), "{notes}");
}

/// The third batch comes in each sitting.
#[test]
fn d11_a_case_that_keeps_losing_its_process_is_a_failure_that_says_so() {
    let (_, results) = with_loss("die", 3);
    let found = &measurement(&results, "sha256/digest/64")["outcome"];
    assert_eq!(found["is"], "failed", "{found}");
    let message = found["message"].as_str().unwrap();
    assert!(message.contains("the worker ended") && message.contains("has lost 2 processes"), "{message}");
    assert_eq!(outcome(&results, "md5/digest/64"), "measured", "{results}");
}

#[test]
fn d11_what_was_lost_is_in_the_journal_and_known_to_the_run_that_goes_on_with_it() {
    let faults = json!([{ "case": "*/sha256/*", "from": 4, "fault": "die" }]);
    let stage = Stage::with(&[("mock", json!({ "faults": faults }))]);
    // Results that cannot be written leave the journal.
    std::fs::create_dir(stage.path("kept.json")).unwrap();
    let file = stage.study("kept", STUDY);
    let run = stage.run(&["measure", file.to_str().unwrap(), "--quiet", "-o", "kept"]);
    assert_eq!(run.code, 3, "{}", run.stderr);
    std::fs::remove_dir(stage.path("kept.json")).unwrap();
    let run = stage.run(&["measure", "--resume", "kept.journal", "--quiet"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let results: Value = serde_json::from_slice(&std::fs::read(stage.path("kept.json")).unwrap()).unwrap();
    assert_eq!(outcome(&results, "sha256/digest/64"), "measured", "{results}");
    let notes = measurement(&results, "sha256/digest/64")["notes"].to_string();
    assert!(notes.contains("lost a process once"), "{notes}");
}

/// One server with two clients of which one dies whenever it is to get a load ready.
#[test]
fn a_client_that_keeps_crashing_is_given_up_and_the_server_goes_on() {
    let script = json!({
        "hello": { "loads": ["keep-alive"] },
        "faults": [{ "at": "prepare", "case": "*/load/*", "fault": "die" }]
    });
    let stage = Stage::with(&[("crashing", script)]).and_connections("sound");
    let bodies: Vec<String> = (1..=7).map(|body| body.to_string()).collect();
    let output = stage.path("clients");
    let run = stage.run(&[
        "load",
        "--library",
        "sound",
        "--client",
        "crashing,sound",
        "--body",
        &bodies.join(","),
        "--no-plain",
        "--tls",
        "TLSv1.3",
        "--connections",
        "2",
        "--precision",
        "50",
        "--budget",
        "30s",
        "--quiet",
        "-o",
        output.to_str().unwrap(),
    ]);
    let text = std::fs::read(output.with_extension("json")).unwrap_or_else(|_| panic!("{}", run.stderr));
    let results: Value = serde_json::from_slice(&text).unwrap();
    let mut given_up = 0;
    for found in results["measurements"].as_array().unwrap() {
        let (id, outcome) = (found["id"].as_str().unwrap(), &found["outcome"]);
        if id.contains("crashing") {
            assert_eq!(outcome["is"], "failed", "{id}: {outcome}");
            let message = outcome["message"].as_str().unwrap();
            assert!(!message.contains("given up: sound"), "{id}: {message}");
            given_up += usize::from(message.contains("given up: crashing as a client"));
        } else {
            assert_ne!(outcome["is"], "failed", "{id}: {outcome}");
        }
    }
    assert!(given_up > 0, "the client was never given up: {results}");
}
