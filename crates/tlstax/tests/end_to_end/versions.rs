//! Documents of other versions: what can be understood is shown, and what cannot is said.

use serde_json::Value;

use crate::stage::Stage;

const ONE: &str = "[[primitive]]\nalgorithms = [\"sha256\"]\nsizes = [64]\n";

fn report(stage: &Stage, results: &Value) -> crate::stage::Run {
    let path = stage.path("newer.json");
    std::fs::write(&path, results.to_string()).unwrap();
    stage.run(&["report", path.to_str().unwrap()])
}

#[test]
fn d33_what_a_newer_minor_version_measured_is_shown_but_for_what_is_not_known() {
    let stage = Stage::calm();
    let (_, mut results) = stage.measure("newer", ONE, &[]);
    results["schema"]["minor"] = 900.into();
    let mut unknown = results["measurements"][0].clone();
    unknown["id"] = "mock/primitive/sha512-of-tomorrow/digest/64".into();
    unknown["case"]["algorithm"] = "sha512-of-tomorrow".into();
    results["measurements"].as_array_mut().unwrap().push(unknown);
    let run = report(&stage, &results);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let text = run.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    for words in ["sha256", "newer tlstax", "1.900", "sha512-of-tomorrow"] {
        assert!(text.contains(words), "no '{words}' in {}", run.stdout);
    }
}

#[test]
fn d33_a_newer_minor_version_that_is_not_understood_is_told_from_a_damaged_file() {
    let stage = Stage::calm();
    let (_, mut results) = stage.measure("newer", ONE, &[]);
    results["libraries"] = "of another form".into();
    let run = report(&stage, &results);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("no complete results document"), "{}", run.stderr);
    results["schema"]["minor"] = 900.into();
    let run = report(&stage, &results);
    assert_eq!(run.code, 2);
    for words in ["newer.json", "1.900", "or a newer one"] {
        assert!(run.stderr.contains(words), "no '{words}' in {}", run.stderr);
    }
}
