//! Two runs: the same is the same, and a planted slowdown is found.

use serde_json::{Value, json};

use crate::stage::{Run, Stage};

fn noise() -> Value {
    json!({ "jitter": 0.004, "drift": 0.05, "busy": 0.3, "busy_slowdown": 0.4, "busy_length": 40 })
}

fn measure(stage: &Stage, name: &str) {
    let study = "[[primitive]]\nalgorithms = [\"sha256\", \"aes-128-gcm\", \"x25519\"]\nsizes = [64, 1024]\n";
    let file = stage.study(name, study);
    let text = std::fs::read_to_string(&file)
        .unwrap()
        .replace("max_rounds = 24", "max_rounds = 60\nprecision = 0.0001");
    std::fs::write(&file, text).unwrap();
    let run = stage.run(&[
        "measure",
        file.to_str().unwrap(),
        "-q",
        "--seed",
        "1",
        "-o",
        stage.path(name).to_str().unwrap(),
    ]);
    assert_eq!(run.code, 0, "{}", run.stderr);
}

fn compare(stage: &Stage, old: &str, new: &str) -> Run {
    let path = |name: &str| stage.path(&format!("{name}.json")).to_str().unwrap().to_owned();
    stage.run(&["compare", &path(old), &path(new), "--fail-above", "1"])
}

#[test]
fn a_planted_slowdown_fails_the_gate_and_the_same_build_does_not() {
    let stage = Stage::with(&[("mock", json!({ "seed": 1, "noise": noise() }))]);
    measure(&stage, "before");
    let rewrite = |script: Value| std::fs::write(stage.path("mock.script.json"), script.to_string()).unwrap();
    rewrite(json!({ "seed": 2, "noise": noise() }));
    measure(&stage, "same");
    rewrite(
        json!({ "seed": 3, "noise": noise(), "slowdowns": [{ "case": "*/sha256/*/1024", "factor": 1.05 }] }),
    );
    measure(&stage, "slower");

    let same = compare(&stage, "before", "same");
    assert_eq!(same.code, 0, "{}{}", same.stdout, same.stderr);
    let slower = compare(&stage, "before", "slower");
    assert_eq!(slower.code, 1, "{}{}", slower.stdout, slower.stderr);
    assert!(slower.stderr.contains("regression: mock/primitive/sha256/digest/1024"), "{}", slower.stderr);
    assert_eq!(slower.stderr.matches("regression:").count(), 1, "{}", slower.stderr);
}

#[test]
fn percentages_without_sense_are_refused() {
    let stage = Stage::calm();
    for flag in ["--fail-above", "--floor"] {
        for value in ["-1", "NaN", "inf", "1001", "soon"] {
            let run = stage.run(&["compare", "a.json", "b.json", flag, value]);
            assert_eq!(run.code, 2, "{flag} {value}: {}", run.stderr);
            assert!(run.stderr.contains("0 to 1000"), "{flag} {value}: {}", run.stderr);
        }
    }
}

/// Both libraries do the same; the control row of the first run shares its cases with that of the second.
fn two_libraries() -> Stage {
    let stage = Stage::with(&[("mock", json!({})), ("other", json!({})), ("control", json!({}))]);
    let file = stage.path("registry.toml");
    // The last block goes on.
    let registry = std::fs::read_to_string(&file).unwrap() + "control = true\n";
    std::fs::write(file, registry).unwrap();
    stage
}

fn measure_hashes(stage: &Stage, name: &str, hashes: &str, libraries: &str) {
    let study = format!("[[primitive]]\nalgorithms = [{hashes}]\nsizes = [64]\n");
    let (run, _) = stage.measure(name, &study, &["-l", libraries]);
    assert_eq!(run.code, 0, "{}", run.stderr);
}

#[test]
fn runs_without_a_case_in_common_are_not_compared() {
    let stage = two_libraries();
    measure_hashes(&stage, "one", "\"md5\"", "mock");
    measure_hashes(&stage, "two", "\"sha1\"", "mock");
    let plain = stage.run(&["compare", "one.json", "two.json"]);
    for run in [plain, compare(&stage, "one", "two")] {
        assert_eq!(run.code, 2, "{}{}", run.stdout, run.stderr);
        assert!(run.stderr.contains("two.json have no case of a library in common"), "{}", run.stderr);
    }
    // The control alone decides nothing, so a gate must not let it pass.
    measure_hashes(&stage, "mock", "\"md5\"", "mock,control");
    measure_hashes(&stage, "other", "\"md5\"", "other,control");
    assert_eq!(compare(&stage, "mock", "other").code, 2);
    assert_eq!(stage.run(&["compare", "mock.json", "other.json"]).code, 0);
}

#[test]
fn a_figure_that_is_gone_is_a_regression_and_the_control_never_is() {
    let stage = two_libraries();
    let libraries = "mock,other,control";
    let hashes = "\"md5\", \"sha256\"";
    measure_hashes(&stage, "before", hashes, libraries);
    let gone = json!({ "faults": [{ "case": "*/md5/*", "at": "prepare", "fault": "unsupported" }] });
    std::fs::write(stage.path("mock.script.json"), gone.to_string()).unwrap();
    let mut slow = gone;
    slow["slowdowns"] = json!([{ "case": "*/sha256/*", "factor": 1.5 }]);
    std::fs::write(stage.path("control.script.json"), slow.to_string()).unwrap();
    measure_hashes(&stage, "after", hashes, libraries);

    let run = compare(&stage, "before", "after");
    assert_eq!(run.code, 1, "{}{}", run.stdout, run.stderr);
    assert!(run.stdout.contains("control/primitive/sha256"), "the control is shown: {}", run.stdout);
    let lost = "regression: mock/primitive/md5/digest/64 has no figure any more: unsupported";
    assert!(run.stderr.contains(lost), "{}", run.stderr);
    assert_eq!(run.stderr.matches("regression:").count(), 1, "{}", run.stderr);
    assert_eq!(compare(&stage, "after", "before").code, 0, "a figure that came is no regression");
}

#[test]
fn d27_cases_that_a_later_run_does_not_have_fail_the_gate() {
    let stage = two_libraries();
    measure_hashes(&stage, "all", "\"md5\", \"sha1\", \"sha256\"", "mock,other,control");
    measure_hashes(&stage, "one", "\"md5\"", "mock,control");
    let run = compare(&stage, "all", "one");
    assert_eq!(run.code, 1, "{}{}", run.stdout, run.stderr);
    let head = "regression: 5 cases have no figure any more: it is not in this run\n";
    assert!(run.stderr.contains(head), "{}", run.stderr);
    for id in ["mock/primitive/sha1", "mock/primitive/sha256", "other/primitive/md5"] {
        assert!(run.stderr.contains(&format!("\n  {id}/digest/64")), "{id}: {}", run.stderr);
    }
    assert!(!run.stderr.contains("control"), "the control is no library: {}", run.stderr);
    // One is said in one line; and a run that was meant to be smaller may be.
    measure_hashes(&stage, "two", "\"md5\", \"sha1\"", "mock");
    let run = compare(&stage, "two", "one");
    assert_eq!(run.code, 1, "{}", run.stderr);
    assert!(
        run.stderr.contains("regression: mock/primitive/sha1/digest/64 has no figure any more"),
        "{}",
        run.stderr
    );
    let subset = stage.run(&["compare", "all.json", "one.json", "--fail-above", "900", "--subset"]);
    assert_eq!(subset.code, 0, "{}", subset.stderr);
    assert_eq!(stage.run(&["compare", "all.json", "one.json"]).code, 0, "without a gate nothing fails");
    assert_eq!(stage.run(&["compare", "all.json", "one.json", "--subset"]).code, 2, "of a gate alone");
}
