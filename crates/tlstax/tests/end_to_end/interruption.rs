//! Runs that are stopped: what was found is kept, nothing is left behind, and the run can be gone on with.

use std::process::{Child, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

use crate::stage::{Run, Stage};

/// Rounds enough to be interrupted in.
pub const LONG: &str =
    "[[primitive]]\nalgorithms = [\"sha256\", \"md5\", \"sha1\"]\nsizes = [64, 256, 1024, 16384]\n";

/// Figures that never become sharp.
pub fn restless() -> Stage {
    Stage::with(&[("mock", json!({ "noise": { "jitter": 0.1 } }))])
}

pub fn start(stage: &Stage) -> Child {
    let file = stage.endless("long", LONG);
    let output = stage.path("long");
    let mut command =
        stage.command(&["measure", file.to_str().unwrap(), "-q", "-o", output.to_str().unwrap()]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    wait_for_rounds(stage);
    child
}

/// Until the journal holds a good number of batches.
fn wait_for_rounds(stage: &Stage) {
    let journal = stage.path("long.journal");
    for _ in 0..1000 {
        std::thread::sleep(Duration::from_millis(20));
        if std::fs::read_to_string(&journal).is_ok_and(|text| text.matches("\"batch\"").count() > 200) {
            return;
        }
    }
    panic!("the run never began");
}

/// Processes whose command line names this stage.
fn processes(stage: &Stage) -> Vec<String> {
    let folder = stage.path("").to_str().unwrap().to_owned();
    let entries = std::fs::read_dir("/proc").unwrap().filter_map(Result::ok);
    entries
        .filter_map(|entry| std::fs::read(entry.path().join("cmdline")).ok())
        .map(|words| String::from_utf8_lossy(&words).replace('\0', " "))
        .filter(|words| words.contains(&folder))
        .collect()
}

fn nobody_is_left(stage: &Stage) {
    for _ in 0..100 {
        if processes(stage).is_empty() {
            return;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    panic!("left behind: {:?}", processes(stage));
}

fn signal(child: &Child, name: &str) {
    let status = std::process::Command::new("kill").args([name, &child.id().to_string()]).status().unwrap();
    assert!(status.success());
}

#[test]
fn ctrl_c_keeps_what_was_found_and_the_run_can_be_gone_on_with() {
    for name in ["-INT", "-TERM"] {
        let stage = restless();
        let child = start(&stage);
        signal(&child, name);
        let run: Run = child.wait_with_output().unwrap().into();
        assert_eq!(run.code, 130, "{}", run.stderr);
        nobody_is_left(&stage);
        let results: Value =
            serde_json::from_str(&std::fs::read_to_string(stage.path("long.json")).unwrap()).unwrap();
        assert_eq!(results["study"]["interrupted"], true);
        let batches = |results: &Value| {
            let all = results["measurements"].as_array().unwrap();
            all.iter().map(|one| one["outcome"]["batches"].as_array().map_or(0, Vec::len)).sum::<usize>()
        };
        assert!(batches(&results) > 100, "{name}: {}", batches(&results));
        assert!(run.stderr.contains("--resume"), "{}", run.stderr);

        let journal = stage.path("long.journal");
        let resumed = stage.run(&["measure", "--resume", journal.to_str().unwrap(), "--budget", "6s", "-q"]);
        assert_eq!(resumed.code, 0, "{}", resumed.stderr);
        let after: Value =
            serde_json::from_str(&std::fs::read_to_string(stage.path("long.json")).unwrap()).unwrap();
        assert!(batches(&after) > batches(&results), "nothing was added");
        assert!(!journal.exists());
    }
}

#[test]
fn a_killed_run_leaves_no_worker_and_a_journal_to_go_on_with() {
    let stage = restless();
    let mut child = start(&stage);
    child.kill().unwrap();
    child.wait().unwrap();
    nobody_is_left(&stage);
    let journal = stage.path("long.journal");
    let resumed = stage.run(&["measure", "--resume", journal.to_str().unwrap(), "--budget", "6s", "-q"]);
    assert_eq!(resumed.code, 0, "{}", resumed.stderr);
    assert!(stage.path("long.json").is_file());
}

#[test]
fn a_build_that_is_interrupted_ends_with_all_it_has_started() {
    for name in ["-INT", "-TERM"] {
        let stage = Stage::calm();
        // A project of its own, so that the log of the build lies in it, too.
        let log = stage.path("begun");
        let begin = format!("echo > {0}; tail -f {0} & wait", log.display());
        let entry = |id: &str| {
            let build = json!(["sh", "-c", begin]);
            format!("[[library]]\nid = \"{id}\"\nabout = \"?\"\nprogram = [\"none\"]\nbuild = {build}\n")
        };
        std::fs::create_dir(stage.path("workers")).unwrap();
        std::fs::write(
            stage.path("workers/workers.toml"),
            entry("first") + &entry("second") + &entry("third"),
        )
        .unwrap();
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_tlstax"));
        command.args(["libraries", "build", "all", "--home"]).arg(stage.path(""));
        let child =
            command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        for _ in 0..1000 {
            if processes(&stage).iter().any(|words| words.starts_with("tail")) {
                break;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        assert!(log.exists(), "the build never began");
        signal(&child, name);
        let run: Run = child.wait_with_output().unwrap().into();
        assert_eq!(run.code, 130, "{}", run.stderr);
        assert!(run.stderr.contains("interrupted while building first"), "{}", run.stderr);
        // Two are built at a time.
        assert!(!run.stderr.contains("third"), "it went on: {}", run.stderr);
        nobody_is_left(&stage);
    }
}
