//! Runs that are stopped: what was found is kept, nothing is left behind, and the run can be gone on with.

use std::process::Child;

use serde_json::{Value, json};

use crate::processes::{nobody_is_left, processes, signal, within};
use crate::run::Run;
use crate::stage::{Stage, begin, block};

/// Rounds enough to be interrupted in.
pub const LONG: &str =
    "[[primitive]]\nalgorithms = [\"sha256\", \"md5\", \"sha1\"]\nsizes = [64, 256, 1024, 16384]\n";

/// Figures that never become sharp.
pub fn restless() -> Stage {
    Stage::with(&[("mock", json!({ "noise": { "jitter": 0.1 } }))])
}

/// Begins to measure into long.json, until the journal holds a good number of batches.
pub fn start(stage: &Stage) -> Child {
    let file = stage.endless("long", LONG);
    let child = begin(&mut stage.command(["measure", &file, "-q", "-o", "long"]));
    let batches = || stage.read("long.journal").matches("\"batch\"").count();
    assert!(within(60, || stage.has("long.journal") && batches() > 200), "the run never began");
    child
}

const RESUME: &str = "measure --resume long.journal --budget 6s -q";

fn batches(results: &Value) -> usize {
    let all = results["measurements"].as_array().unwrap();
    all.iter().map(|one| one["outcome"]["batches"].as_array().map_or(0, Vec::len)).sum()
}

#[test]
fn ctrl_c_keeps_what_was_found_and_the_run_can_be_gone_on_with() {
    for name in ["-INT", "-TERM"] {
        let stage = restless();
        let child = start(&stage);
        signal(name, child.id());
        let run = Run::end_of(child).ends(130).says(["--resume"]);
        nobody_is_left(&stage.path(""));
        let results = stage.results(&run, "long");
        assert_eq!(results["study"]["interrupted"], true);
        assert!(batches(&results) > 100, "{name}: {}", batches(&results));

        let resumed = stage.run(RESUME).ends(0);
        assert!(batches(&stage.results(&resumed, "long")) > batches(&results), "nothing was added");
        assert!(!stage.has("long.journal"));
    }
}

#[test]
fn a_killed_run_leaves_no_worker_and_a_journal_to_go_on_with() {
    let stage = restless();
    let mut child = start(&stage);
    child.kill().unwrap();
    child.wait().unwrap();
    nobody_is_left(&stage.path(""));
    stage.run(RESUME).ends(0);
    assert!(stage.has("long.json"));
}

#[test]
fn a_build_that_is_interrupted_ends_with_all_it_has_started() {
    for name in ["-INT", "-TERM"] {
        // A project of its own, so that the log of the build lies in it, too.
        let stage = Stage::project();
        let script = format!("echo > {0}; tail -f {0} & wait", stage.path("begun").display());
        let build = format!("program = [\"none\"]\nbuild = {}", json!(["sh", "-c", script]));
        let blocks = ["first", "second", "third"].map(|id| block(id, &build));
        stage.write("workers/workers.toml", blocks.concat());
        let child = begin(&mut stage.command(["libraries", "build", "all"]));
        let is_begun = || processes(&stage.path("")).iter().any(|(_, words)| words.starts_with("tail"));
        assert!(within(20, is_begun) && stage.has("begun"), "the build never began");
        signal(name, child.id());
        let run = Run::end_of(child).ends(130).says(["interrupted while building first"]);
        // Two are built at a time.
        assert!(!run.stderr.contains("third"), "it went on: {run}");
        nobody_is_left(&stage.path(""));
    }
}
