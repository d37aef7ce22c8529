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

/// What a page computes at a resumed share above that of now: the sum over terms, in the mixture of now and all.
fn by_the_page(slider: &Value, share: f64) -> f64 {
    let number = |value: &Value| value.as_f64().unwrap();
    let now = number(&slider["share"]);
    let part = (share - now) / (1.0 - now);
    let cost = |term: &Value| {
        let times = number(&term["now"]) * (1.0 - part) + number(&term["resumed"]) * part;
        number(&term["ns"]) * times
    };
    slider["terms"].as_array().unwrap().iter().map(cost).sum::<f64>() / 1e9
}

#[test]
fn a_page_computes_another_resumed_share_as_the_program_does() {
    let stage = stage();
    let traffic = "connections_per_second = 500\nrequests_per_connection = 4\nresumed = 80\n\
                   suites = \"TLS_AES_128_GCM_SHA256\"\ngroups = \"X25519\"\nkeys = \"ecdsa-p256\"\nresponse = \"3k\"\n";
    stage.write("traffic.toml", traffic);
    stage.run("plan -m model.json -w traffic.toml --what-if resumed=95% -o new.json").ends(0);
    let plan: Value = serde_json::from_str(&stage.read("new.json")).unwrap();
    let view = stage.run("report new.json --json").ends(0).json();
    let blocks =
        view["sections"].as_array().unwrap().iter().flat_map(|one| one["blocks"].as_array().unwrap());
    let slider = blocks.into_iter().find(|block| block["is"] == "slider").expect("the page has a slider");
    let said = plan["scenarios"][0]["prediction"]["cores"]["value"].as_f64().unwrap();
    let computed = by_the_page(slider, 0.95);
    assert!((computed / said - 1.0).abs() < 1e-9, "{computed} by the page, {said} by the program");
}
