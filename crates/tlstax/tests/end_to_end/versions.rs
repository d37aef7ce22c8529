//! Documents of other versions: what can be understood is shown, and what cannot is said.

use crate::run::holds;
use crate::stage::{ONE, Stage};

#[test]
fn d33_what_a_newer_minor_version_measured_is_shown_but_for_what_is_not_known() {
    let stage = Stage::calm();
    let (_, mut results) = stage.measure("newer", ONE, "");
    results["schema"]["minor"] = 900.into();
    let mut unknown = results["measurements"][0].clone();
    unknown["id"] = "mock/primitive/sha512-of-tomorrow/digest/64".into();
    unknown["case"]["algorithm"] = "sha512-of-tomorrow".into();
    results["measurements"].as_array_mut().unwrap().push(unknown);
    stage.write("newer.json", results.to_string());
    let run = stage.run("report newer.json").ends(0);
    let text = run.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    holds(text, ["sha256", "newer tlstax", "1.900", "sha512-of-tomorrow"]);
}

#[test]
fn d33_a_newer_minor_version_that_is_not_understood_is_told_from_a_damaged_file() {
    let stage = Stage::calm();
    let (_, mut results) = stage.measure("newer", ONE, "");
    results["libraries"] = "of another form".into();
    stage.write("newer.json", results.to_string());
    stage.refuses("report newer.json", ["no complete results document"]);
    results["schema"]["minor"] = 900.into();
    stage.write("newer.json", results.to_string());
    stage.refuses("report newer.json", ["newer.json", "1.900", "or a newer one"]);
}
