//! Processes that are lost on the way: each costs the batch in hand, and whose process it was is to blame.

use serde_json::{Value, json};

use crate::run::{Run, holds, measurement, outcome};
use crate::stage::Stage;

const STUDY: &str = "[[primitive]]\nalgorithms = [\"md5\", \"sha256\"]\nsizes = [64]\n";

/// The case that loses processes.
const LOSING: &str = "sha256/digest/64";

/// A library that loses processes over one of two cases.
fn losing(fault: &str, from: u32) -> Stage {
    let faults =
        json!([{ "case": "*/sha256/*", "from": from, "fault": fault, "stderr": "killed in line 5" }]);
    Stage::with(&[("mock", json!({ "faults": faults }))])
}

fn with_loss(fault: &str, from: u32) -> (Run, Value) {
    losing(fault, from).measure("losses", STUDY, "")
}

/// That the case is measured all the same, and has a note of its loss.
#[track_caller]
fn is_noted<'a>(results: &Value, words: impl IntoIterator<Item = &'a str>) {
    assert_eq!(outcome(results, LOSING), "measured", "{results}");
    holds(&measurement(results, LOSING)["notes"], words);
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
        is_noted(&results, ["lost a process once (run): the worker ended", "killed in line 5"]);
        assert_eq!(rounds(&results, LOSING)[..3], [1, 3, 4], "{fault}: all batches but one are kept");
        run.says(["mock/primitive/sha256/digest/64: lost a process once"]).shows(["lost a process once"]);
    }
}

#[test]
fn d11_a_process_that_falls_silent_once_costs_one_batch() {
    let (_, results) = with_loss("hang", 4);
    is_noted(&results, ["lost a process once (run): the worker did not answer"]);
}

/// The third batch comes in each sitting.
#[test]
fn d11_a_case_that_keeps_losing_its_process_is_a_failure_that_says_so() {
    let (_, results) = with_loss("die", 3);
    let found = &measurement(&results, LOSING)["outcome"];
    assert_eq!(found["is"], "failed", "{found}");
    holds(&found["message"], ["the worker ended", "has lost 2 processes"]);
    assert_eq!(outcome(&results, "md5/digest/64"), "measured", "{results}");
}

#[test]
fn d11_what_was_lost_is_in_the_journal_and_known_to_the_run_that_goes_on_with_it() {
    let stage = losing("die", 4);
    // Results that cannot be written leave the journal.
    std::fs::create_dir(stage.path("kept.json")).unwrap();
    let file = stage.study("kept", STUDY);
    stage.run(&format!("measure {file} --quiet -o kept")).ends(3);
    std::fs::remove_dir(stage.path("kept.json")).unwrap();
    let run = stage.run("measure --resume kept.journal --quiet").ends(0);
    is_noted(&stage.results(&run, "kept"), ["lost a process once"]);
}

/// One server with two clients of which one dies whenever it is to get a load ready.
#[test]
fn a_client_that_keeps_crashing_is_given_up_and_the_server_goes_on() {
    let script = json!({
        "hello": { "loads": ["keep-alive"] },
        "faults": [{ "at": "prepare", "case": "*/load/*", "fault": "die" }]
    });
    let stage = Stage::with(&[("crashing", script)]).and_connections("sound");
    let run = stage.run(
        "load --library sound --client crashing,sound --body 1,2,3,4,5,6,7 --no-plain --tls TLSv1.3 \
         --connections 2 --precision 50 --budget 30s --quiet -o clients",
    );
    let results = stage.results(&run, "clients");
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
