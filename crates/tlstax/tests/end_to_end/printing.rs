//! What is printed without measuring: lists for programs, man pages.

use serde_json::{Value, json};

use crate::stage::Stage;

#[test]
fn lists_are_json_for_those_who_ask() {
    let stage = Stage::calm();
    let file = stage.study("list", "[[primitive]]\nalgorithms = [\"sha256\"]\nsizes = [64, 1024]\n");
    for form in [&["--json"][..], &["--format", "json"]] {
        let run = stage.run(&[&["measure", file.to_str().unwrap(), "--list"], form].concat());
        let cases: Value = serde_json::from_str(&run.stdout).unwrap();
        assert_eq!(cases, json!(["mock/primitive/sha256/digest/64", "mock/primitive/sha256/digest/1024"]));
    }
    let run = stage.run(&["measure", "--json"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let studies: Value = serde_json::from_str(&run.stdout).unwrap();
    let quick = studies.as_array().unwrap().iter().find(|study| study["name"] == "quick").unwrap();
    assert!(quick["question"].as_str().unwrap().len() > 10, "{quick}");
    let lines = stage.run(&["measure"]).stdout;
    assert_eq!(lines.lines().count(), studies.as_array().unwrap().len(), "{lines}");
}

#[test]
fn every_subcommand_has_a_man_page() {
    let stage = Stage::calm();
    let folder = stage.path("man");
    let run = stage.run(&["generate", "man", folder.to_str().unwrap()]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    for (name, words) in [
        ("tlstax", "measure"),
        ("tlstax-measure", "\\-\\-resume"),
        ("tlstax-libraries-build", "\\-\\-strict"),
        ("tlstax-generate-schemas", "\\-\\-check"),
    ] {
        let page = std::fs::read_to_string(folder.join(format!("{name}.1"))).unwrap();
        assert!(page.contains(words), "{name}: {page}");
    }
}
