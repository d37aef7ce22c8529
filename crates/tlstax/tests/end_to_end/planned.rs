//! Models and plans that were written earlier, as `tlstax report` shows them.

use serde_json::{Value, json};

use crate::showing::is_harmless;
use crate::stage::{Stage, root};

const FORMATS: [&str; 5] = ["text", "markdown", "csv", "json", "html"];

/// What a terminal would obey, and what a page would.
const HOSTILE: &str = "\u{1b}[2J\u{202e}<script>alert(1)</script>";

/// A stage with the documents that the tests of the report are made with.
fn stage() -> Stage {
    let stage = Stage::calm();
    for name in ["model.json", "plan.json"] {
        stage.write(name, std::fs::read_to_string(kept(name)).unwrap());
    }
    stage
}

fn kept(name: &str) -> std::path::PathBuf {
    root().join("crates/report/tests/golden").join(name)
}

fn document(name: &str) -> Value {
    serde_json::from_str(&std::fs::read_to_string(kept(name)).unwrap()).unwrap()
}

#[test]
fn a_model_and_a_plan_are_shown_in_every_format() {
    let stage = stage();
    stage
        .run("report model.json --full")
        .ends(0)
        .shows(["full handshake, TLSv1.3, ecdsa-p256", "HOW RIGHT IT WAS"]);
    stage.run("report plan.json --full").ends(0).shows(["This traffic needs 0.366 cores [0.348, 0.384]"]);
    for format in FORMATS {
        for name in ["model.json", "plan.json"] {
            assert!(!stage.run(&format!("report {name} --format {format}")).ends(0).stdout.is_empty());
        }
    }
}

#[test]
fn a_plan_moves_no_cursor_and_runs_no_script() {
    let stage = stage();
    let mut plan = document("plan.json");
    for place in [
        "/basis/server",
        "/basis/machine",
        "/basis/rate",
        "/now/rows/0/kind",
        "/now/suites/0/of",
        "/resources/0/what",
    ] {
        *plan.pointer_mut(place).unwrap() = json!(HOSTILE);
    }
    plan["scenarios"][0]["changes"] = json!([HOSTILE]);
    plan["scenarios"][0]["configuration"] = json!([HOSTILE]);
    plan["scenarios"][0]["elsewhere"]["said"] = json!([HOSTILE]);
    plan["assumed"] = json!([HOSTILE]);
    stage.write("plan.json", plan.to_string());
    for format in FORMATS {
        let shown = stage.run(&format!("report plan.json --format {format}")).ends(0).stdout;
        is_harmless(format, &shown);
        assert!(format != "html" || !shown.contains("<script>alert"), "a script in the page");
    }
}

#[test]
fn what_is_shown_alone_says_so() {
    let stage = stage();
    stage.run("report plan.json model.json").ends(2).says(["plan.json", "one at a time"]);
    stage.run("compare plan.json model.json").ends(2).says(["one at a time"]);
    stage.run("report plan.json --claims").ends(2).says(["claims"]);
    let mut newer = document("plan.json");
    newer["schema"]["major"] = json!(2);
    stage.write("newer.json", newer.to_string());
    stage.run("report newer.json").ends(2).says(["newer.json"]);
    stage.write("cut.json", document("model.json").to_string().split_at(400).0);
    stage.run("report cut.json").ends(2).says(["cut.json"]);
}
