//! From a model whose costs are round numbers: what changes explain, what claims it answers, and whether it was right.

use serde_json::{Value, json};

use crate::stage::{ONE, Stage, root};

/// A stage with the model, and the two workloads of the small site.
fn stage() -> Stage {
    let stage = Stage::with(&[]).and_connections("mock").and_connections("lean");
    let copy = |from: &str, to: &str| stage.write(to, std::fs::read(root().join(from)).unwrap());
    copy("crates/plan/tests/model.json", "model.json");
    copy("docs/plan-explain-before.toml", "before.toml");
    copy("docs/plan-explain-after.toml", "after.toml");
    stage
}

const EXPLAIN: &str = "plan explain before.toml after.toml --model model.json";

#[test]
fn a_longer_key_explains_nothing_of_a_fivefold_rise_and_the_rest_is_left() {
    let stage = stage();
    stage.run(&format!("{EXPLAIN} --rise 5.5x")).ends(0).shows([
        "mock 1.0 on Test CPU",
        "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
        "all changes",
        "suite explains 0.0",
        "connections explains nothing of the rise: the change saves CPU time.",
        "are left, which no change of this traffic explains",
    ]);
    let measured = stage.run(&format!("{EXPLAIN} --before 0.5% --after 2.75%")).ends(0);
    measured.shows(["Of the 0.5", "% of a core that were measured before, the model finds"]);
    // What is written by hand and what was counted are the same.
    stage.run("traffic before.toml -q -o before.json").ends(0);
    let by_hand = stage.run(&format!("{EXPLAIN} --rise +450%")).ends(0);
    let counted = stage.run(&format!("{EXPLAIN} --rise 5.5x").replace("before.toml", "before.json")).ends(0);
    assert_eq!(by_hand.stdout.replace("before.toml", "before.json"), counted.stdout);
}

#[test]
fn the_parts_and_what_is_left_are_the_rise_in_every_format() {
    let stage = stage();
    let view = stage.run(&format!("{EXPLAIN} --rise 5.5x --json")).ends(0).json();
    let sections = view["sections"].as_array().unwrap();
    // The model is of another machine than any that runs this, which is said first.
    assert_eq!(sections[0]["id"], "doubts");
    let rows = sections[1]["blocks"][0]["rows"].as_array().unwrap();
    let cores = |name: &str| {
        let row = rows.iter().find(|row| row["cells"][0]["text"] == name).unwrap();
        row["cells"][3]["value"].as_f64().unwrap()
    };
    let parts: f64 = rows
        .iter()
        .filter(|row| row["role"] == "plain")
        .map(|row| row["cells"][3]["value"].as_f64().unwrap())
        .sum();
    assert!((parts - cores("all changes")).abs() < 1e-9);
    assert!((parts + cores("left") - cores("the rise")).abs() < 1e-9);
    for format in ["md", "csv", "html"] {
        stage.run(&format!("{EXPLAIN} --format {format}")).ends(0).shows(["suite"]);
    }
}

#[test]
fn what_did_not_change_is_said_and_what_cannot_be_is_refused() {
    let stage = stage();
    let same = stage.run("plan explain before.toml before.toml --model model.json --rise 5.5x").ends(0);
    same.shows(["do not differ in anything", "which no change of this traffic explains"]);
    for rise in [
        "--rise=-2x",
        "--rise=0",
        "--rise=much",
        "--before=-1% --after=2%",
        "--before=0% --after=2%",
        "--before=1%",
    ] {
        stage.refuses(&format!("{EXPLAIN} {rise}"), ["error"]);
    }
    stage.write("empty.json", {
        stage.run("traffic before.toml -q -o counted.json").ends(0);
        let mut workload: Value = serde_json::from_str(&stage.read("counted.json")).unwrap();
        workload["shares"] = json!([]);
        workload.to_string()
    });
    let nothing = ["the workload has neither connections nor requests"];
    stage.refuses("plan explain empty.json after.toml --model model.json", nothing);
    stage.refuses("plan explain before.toml after.toml --model before.toml", ["before.toml"]);
    stage.write("bad.toml", "requests_per_second = -5\n");
    stage.refuses("plan explain bad.toml after.toml --model model.json", ["bad.toml"]);
}

#[test]
fn a_model_answers_claims() {
    let stage = stage();
    let said = stage
        .run("claims S0-small-is-handshake S1-bulk-outweighs S1-cannot-be-aes256 --from model.json")
        .ends(0);
    said.shows(["Of 3 claims 2 hold on this machine, 1 does not.", "S1-bulk-outweighs does not hold"]);
    let without = stage.run("plan explain before.toml after.toml --model model.json").ends(0);
    assert!(!without.stdout.contains("left"), "{without}");
}

#[test]
fn a_prediction_is_held_against_results_that_exist() {
    let stage = stage();
    let matrices = "[[load]]\nversions = [\"TLSv1.3\"]\nsuites = [\"TLS_AES_128_GCM_SHA256\"]\ngroups = [\"X25519\"]\n\
                    keys = [\"ecdsa-p256\"]\nclients = [\"lean\"]\nrequests_per_connection = [4]\nbodies = [1024, 4096]\n";
    let file = stage.study("loads", matrices);
    stage.run(&format!("measure {file} --quiet -o loads -l mock")).ends(0);
    let told = stage.run("plan --model model.json --check-results loads.json --format json").ends(0).json();
    let rows = told["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 2, "{told}");
    for row in rows {
        assert!(row["case"].as_str().unwrap().starts_with("mock/load/"), "{row}");
        for of in ["predicted", "measured"] {
            assert!(
                row[of]["low"].as_f64() <= row[of]["value"].as_f64() && row[of]["value"].as_f64() > Some(0.0),
                "{row}"
            );
        }
    }
    let shown = stage.run("plan --model model.json --check-results loads.json").ends(0);
    shown.shows(["with another CPU (Test CPU)", "Of 2 predictions that were checked the median error was"]);
    // A model of another server says nothing of them.
    stage.write(
        "other.json",
        stage.read("model.json").replace("\"server\": \"mock\"", "\"server\": \"nginx\""),
    );
    let other = stage.run("plan --model other.json --check-results loads.json").ends(0);
    other.shows(["it is of mock, and the model of nginx", "No load could be checked."]);
}

#[test]
fn what_cannot_be_offered_is_a_row_with_its_reason() {
    let stage = stage();
    let check = "plan --workload after.toml --model model.json --check --check-budget 20s";
    // The control is no client of an open loop.
    stage
        .run(check)
        .ends(3)
        .shows(["unsupported: as a client, lean does not do this", "No load could be checked."]);
    let model: Value = serde_json::from_str(&stage.read("model.json")).unwrap();
    assert_eq!(model.get("checked"), None, "nothing is kept");
    stage.refuses("plan --check-results loads.json", ["--model"]);
    for flag in ["-o plan.json", "--what-if resumed=80%", "--nic 1G", "--keep-alive 5", "--cpus 2"] {
        stage.refuses(&format!("{check} {flag}"), ["cannot be used with"]);
        let results = format!("plan --model model.json --check-results loads.json {flag}");
        stage.refuses(&results, ["cannot be used with"]);
    }
    stage.refuses("plan --model model.json --check", ["--workload"]);
    stage.refuses("plan --model model.json --check --check-results loads.json", ["cannot be used with"]);
    // The control has no hashes: a hole, and no load.
    stage.run(&format!("measure {} --quiet -o none -l mock", stage.study("none", ONE))).ends(3);
    stage.refuses("plan --model model.json --check-results none.json", ["have no loads"]);
}
