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
