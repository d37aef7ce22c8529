//! Two builds in one run: the same is let pass, and what became slower is found and named.

use serde_json::{Value, json};

use crate::run::Run;
use crate::stage::Stage;

const STUDY: &str = "[[primitive]]\nalgorithms = [\"sha256\", \"md5\"]\nsizes = [64, 1024]\n";

/// Two builds; the second does what this script says beside some jitter.
fn builds(more: &Value) -> Stage {
    let script = |seed: u64| json!({ "seed": seed, "noise": { "jitter": 0.004 } });
    let mut head = script(2);
    more.as_object().unwrap().iter().for_each(|(key, value)| head[key] = value.clone());
    Stage::with(&[("old", script(1)), ("new", head)])
}

fn gate(stage: &Stage, more: &str) -> Run {
    gate_with(stage, STUDY, more)
}

fn gate_with(stage: &Stage, study: &str, more: &str) -> Run {
    let file = stage.study("gated", study);
    stage.change(&file, "max_rounds = 24", "max_rounds = 40");
    stage.run(&format!("gate --study {file} --quiet --budget 20s --seed 1 -o gated {more}"))
}

fn slower(factor: f64) -> Value {
    json!({ "slowdowns": [{ "case": "*/sha256/*/1024", "factor": factor }] })
}

#[test]
fn builds_that_cost_the_same_pass_with_one_sentence() {
    let stage = builds(&json!({}));
    let run = gate(&stage, "--base old --head new").ends(0);
    assert_eq!(run.stdout, "Nothing became slower by more than 3 %, of 4 figures.\n", "{run}");
    let results: Value = serde_json::from_str(&stage.read("gated.json")).unwrap();
    assert_eq!(results["measurements"].as_array().unwrap().len(), 8, "both were measured in one run");
    let run = gate(&stage, "--base old --head new --format md").ends(0);
    assert!(run.stdout.contains("> Nothing became slower") && !run.stdout.contains('|'), "{run}");
}

#[test]
fn a_planted_slowdown_is_named_by_its_case() {
    let stage = builds(&slower(1.08));
    let run = gate(&stage, "--base old --head new --format md").ends(1);
    let slow = "new/primitive/sha256/digest/1024";
    let run = run.says([format!("regression: {slow} (cpu) is ")]);
    assert_eq!(run.stderr.matches("regression").count(), 1, "{run}");
    let run = run.shows(["**Slower: 1**", slow, "1 of 4 figures became slower by more than 3 %", "new ("]);
    assert!(!run.stdout.contains("Faster") && !run.stdout.contains("md5"), "{run}");
    // The other way round nothing is slower, and it is said what is faster.
    gate(&stage, "--base new --head old").ends(0).shows([
        "Faster: 1",
        "Nothing became slower",
        "1 became faster",
    ]);
    // What is allowed is allowed.
    gate(&stage, "--base old --head new --fail-above 12").ends(0);
    let json = gate(&stage, "--base old --head new --json").ends(1).json();
    let verdicts: Vec<&str> =
        json["figures"].as_array().unwrap().iter().filter_map(|one| one["verdict"].as_str()).collect();
    assert_eq!(verdicts.iter().filter(|verdict| **verdict == "slower").count(), 1, "{verdicts:?}");
}

#[test]
fn a_change_that_reaches_over_what_is_allowed_only_in_part_is_not_slower() {
    let run = gate(&builds(&slower(1.03)), "--base old --head new").ends(0);
    run.shows(["of 1 it cannot be told"]);
}

#[test]
fn a_library_can_be_held_against_itself() {
    let stage = builds(&json!({}));
    gate(&stage, "--base old --head old").ends(0).shows(["Nothing became slower"]);
    stage.register("[[library]]\nid = \"head\"\nabout = \"?\"\nprogram = [\"x\"]\n");
    gate(&stage, "--base old --head old").ends(2).says(["'head' is there already"]);
}

#[test]
fn a_case_with_a_figure_on_one_side_only_is_told_and_fails_where_it_was_lost() {
    let fault = json!({ "faults": [{ "case": "*/md5/*", "at": "prepare", "fault": "unsupported" }] });
    let stage = builds(&fault);
    let lost = gate(&stage, "--base old --head new").ends(1);
    lost.says(["2 cases have no figure any more", "new/primitive/md5/digest/64"])
        .shows(["a figure on one side only, none of new/primitive/md5/digest/64"]);
    let won = gate(&stage, "--base new --head old").ends(0);
    won.shows(["a figure on one side only, none of new/primitive/md5"]);
}

#[test]
fn nothing_passes_of_which_there_is_no_figure() {
    let fault = json!({ "faults": [{ "case": "*", "at": "prepare", "fault": "fail" }] });
    let run = gate(&builds(&fault), "--base old --head new").ends(2);
    let run = run.says(["no case has a figure of both new and old", "new/primitive/sha256"]);
    assert_eq!(run.stdout, "", "{run}");
}

#[test]
fn an_earlier_run_can_be_the_base_and_that_is_said() {
    let stage = builds(&slower(1.2));
    stage.measure("main", STUDY, "-l old --seed 1").0.ends(0);
    let earlier = |more: &str| {
        stage.run(&format!("gate --base main.json --quiet --budget 5s --precision 1 -o gated {more}"))
    };
    let run = earlier("--head new --format md").ends(1);
    run.shows(["was measured in another run", "old (", "widens the intervals"])
        .says(["regression: old/primitive/sha256/digest/1024"]);
    earlier("--head old").ends(0).shows(["Nothing became slower", "in another run"]);
    // A run of other cases, of counts, of several libraries, of none of them.
    let other = stage.study("other", "[[primitive]]\nalgorithms = [\"sha1\"]\nsizes = [64]\n");
    earlier(&format!("--head new --study {other}")).ends(2).says(["share no case"]);
    earlier("--head new --count instructions").ends(2).says(["main.json holds times", "--count"]);
    stage.measure("both", STUDY, "-l old,new").0.ends(0);
    stage.register("[[library]]\nid = \"third\"\nabout = \"?\"\nprogram = [\"x\"]\n");
    stage.refuses("gate --base both.json --head third", ["several libraries (new, old)", "none is third"]);
}

#[test]
fn sides_that_make_no_sense_are_refused() {
    let stage = builds(&json!({}));
    stage.write("results.json", "{}");
    for (line, words) in [
        ("gate --base old --head nonesuch", ["no library 'nonesuch'", "known:"]),
        ("gate --base ./nowhere --head new", ["--base ./nowhere is no folder", "include and lib"]),
        ("gate --base old --head results.json", ["results.json is a file", "--head is measured"]),
        ("gate --base results.json --head new", ["results.json", "schema"]),
        ("gate --base old --head new --library new", ["--base and --head", "--library"]),
        ("gate --base old --head new --fail-above -1", ["-1", "0 to 1000"]),
        ("gate --base nginx --head nginx", ["nginx is a server", "itself"]),
    ] {
        stage.refuses(line, words);
    }
}
