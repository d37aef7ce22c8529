//! Two runs: the same is the same, and a planted slowdown is found.

use serde_json::{Value, json};

use crate::run::Run;
use crate::stage::Stage;

fn noise() -> Value {
    json!({ "jitter": 0.004, "drift": 0.05, "busy": 0.3, "busy_slowdown": 0.4, "busy_length": 40 })
}

fn measure(stage: &Stage, name: &str) {
    let study = "[[primitive]]\nalgorithms = [\"sha256\", \"aes-128-gcm\", \"x25519\"]\nsizes = [64, 1024]\n";
    let file = stage.study(name, study);
    stage.change(&file, "max_rounds = 24", "max_rounds = 60\nprecision = 0.0001");
    stage.run(&format!("measure {file} -q --seed 1 -o {name}")).ends(0);
}

fn compare(stage: &Stage, old: &str, new: &str) -> Run {
    stage.run(&format!("compare {old}.json {new}.json --fail-above 1"))
}

/// That there is this regression, and no other.
#[track_caller]
fn is_the_regression(run: Run, words: &str) -> Run {
    let run = run.ends(1).says([format!("regression: {words}")]);
    assert_eq!(run.stderr.matches("regression:").count(), 1, "{run}");
    run
}

#[test]
fn a_planted_slowdown_fails_the_gate_and_the_same_build_does_not() {
    let stage = Stage::with(&[("mock", json!({ "seed": 1, "noise": noise() }))]);
    measure(&stage, "before");
    stage.script("mock", &json!({ "seed": 2, "noise": noise() }));
    measure(&stage, "same");
    let slowdown = json!({ "case": "*/sha256/*/1024", "factor": 1.05 });
    stage.script("mock", &json!({ "seed": 3, "noise": noise(), "slowdowns": [slowdown] }));
    measure(&stage, "slower");

    compare(&stage, "before", "same").ends(0);
    is_the_regression(compare(&stage, "before", "slower"), "mock/primitive/sha256/digest/1024");
}

#[test]
fn percentages_without_sense_are_refused() {
    let stage = Stage::calm();
    for flag in ["--fail-above", "--floor"] {
        for value in ["-1", "NaN", "inf", "1001", "soon"] {
            stage.refuses(&format!("compare a.json b.json {flag} {value}"), ["0 to 1000"]);
        }
    }
}

/// Both libraries do the same; the control row of the first run shares its cases with that of the second.
fn two_libraries() -> Stage {
    let stage = Stage::with(&[("mock", json!({})), ("other", json!({})), ("control", json!({}))]);
    // The last block goes on.
    stage.register("control = true\n");
    stage
}

fn measure_hashes(stage: &Stage, name: &str, hashes: &[&str], libraries: &str) {
    let study = format!("[[primitive]]\nalgorithms = {hashes:?}\nsizes = [64]\n");
    stage.measure(name, &study, &format!("-l {libraries}")).0.ends(0);
}

#[test]
fn runs_without_a_case_in_common_are_not_compared() {
    let stage = two_libraries();
    measure_hashes(&stage, "one", &["md5"], "mock");
    measure_hashes(&stage, "two", &["sha1"], "mock");
    for run in [stage.run("compare one.json two.json"), compare(&stage, "one", "two")] {
        run.ends(2).says(["two.json have no case of a library in common"]);
    }
    // The control alone decides nothing, so a gate must not let it pass.
    measure_hashes(&stage, "mock", &["md5"], "mock,control");
    measure_hashes(&stage, "other", &["md5"], "other,control");
    compare(&stage, "mock", "other").ends(2);
    stage.run("compare mock.json other.json").ends(0);
}

#[test]
fn a_figure_that_is_gone_is_a_regression_and_the_control_never_is() {
    let stage = two_libraries();
    let libraries = "mock,other,control";
    let hashes = ["md5", "sha256"];
    measure_hashes(&stage, "before", &hashes, libraries);
    let mut script = json!({ "faults": [{ "case": "*/md5/*", "at": "prepare", "fault": "unsupported" }] });
    stage.script("mock", &script);
    script["slowdowns"] = json!([{ "case": "*/sha256/*", "factor": 1.5 }]);
    stage.script("control", &script);
    measure_hashes(&stage, "after", &hashes, libraries);

    let lost = "mock/primitive/md5/digest/64 has no figure any more: unsupported";
    let run = is_the_regression(compare(&stage, "before", "after"), lost);
    run.shows(["control/primitive/sha256"]);
    // A figure that came is no regression.
    compare(&stage, "after", "before").ends(0);
}

#[test]
fn d27_cases_that_a_later_run_does_not_have_fail_the_gate() {
    let stage = two_libraries();
    measure_hashes(&stage, "all", &["md5", "sha1", "sha256"], "mock,other,control");
    measure_hashes(&stage, "one", &["md5"], "mock,control");
    let run = compare(&stage, "all", "one").ends(1).says([
        "regression: 5 cases have no figure any more: it is not in this run\n",
        "\n  mock/primitive/sha1/digest/64",
        "\n  mock/primitive/sha256/digest/64",
        "\n  other/primitive/md5/digest/64",
    ]);
    assert!(!run.stderr.contains("control"), "the control is no library: {run}");
    // One is said in one line; and a run that was meant to be smaller may be.
    measure_hashes(&stage, "two", &["md5", "sha1"], "mock");
    let line = "regression: mock/primitive/sha1/digest/64 has no figure any more";
    compare(&stage, "two", "one").ends(1).says([line]);
    let compare = |more: &str| stage.run(&format!("compare all.json one.json {more}"));
    compare("--fail-above 900 --subset").ends(0);
    // Without a gate nothing fails, and nothing can be left out of it.
    compare("").ends(0);
    compare("--subset").ends(2);
}
