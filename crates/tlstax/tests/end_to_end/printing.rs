//! What is printed without measuring: lists for programs, man pages.

use serde_json::json;

use crate::run::holds;
use crate::stage::Stage;

#[test]
fn lists_are_json_for_those_who_ask() {
    let stage = Stage::calm();
    let file = stage.study("list", "[[primitive]]\nalgorithms = [\"sha256\"]\nsizes = [64, 1024]\n");
    for form in ["--json", "--format json"] {
        let cases = stage.run(&format!("measure {file} --list {form}")).json();
        assert_eq!(cases, json!(["mock/primitive/sha256/digest/64", "mock/primitive/sha256/digest/1024"]));
    }
    let studies = stage.run("measure --json").ends(0).json();
    let quick = studies.as_array().unwrap().iter().find(|study| study["name"] == "quick").unwrap();
    assert!(quick["question"].as_str().unwrap().len() > 10, "{quick}");
    let lines = stage.run("measure").stdout;
    assert_eq!(lines.lines().count(), studies.as_array().unwrap().len(), "{lines}");
}

#[test]
fn every_subcommand_has_a_man_page() {
    let stage = Stage::calm();
    stage.run("generate man man").ends(0);
    for (name, words) in [
        ("tlstax", "measure"),
        ("tlstax-measure", "\\-\\-resume"),
        ("tlstax-libraries-build", "\\-\\-strict"),
        ("tlstax-generate-schemas", "\\-\\-check"),
    ] {
        holds(stage.read(&format!("man/{name}.1")), [words]);
    }
}
