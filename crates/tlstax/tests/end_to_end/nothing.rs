//! Runs without a figure: the first thing that is said is that there is none, and why.

use serde_json::{Value, json};

use crate::stage::Stage;

const STUDY: &str = "[[primitive]]\nalgorithms = [\"md5\", \"sha256\"]\nsizes = [64, 256, 1024]\n";

fn faulty(faults: &Value) -> Stage {
    Stage::with(&[("mock", json!({ "faults": faults }))])
}

#[test]
fn d37_a_run_without_figures_does_not_blame_the_machine() {
    let stage = faulty(&json!([{ "at": "prepare", "fault": "fail" }]));
    let (run, results) = stage.measure("none", STUDY, "");
    let run = run.ends(3);
    assert!(!results["notes"].to_string().contains("quiet"), "{}", results["notes"]);
    assert!(!run.stdout.contains("quiet"), "{run}");
}

/// Handshakes of the harness alone, whose time is real: more cases than a second holds rounds of.
#[test]
fn d39_a_budget_that_holds_nothing_is_said_once_with_the_seconds_that_would_do() {
    let stage = Stage::with(&[]).and_connections("sound");
    let study = "[[handshake]]\nversions = [\"TLSv1.3\"]\nsuites = [\"TLS_AES_128_GCM_SHA256\", \"TLS_AES_256_GCM_SHA384\"]\nresumptions = [\"full\"]\n\
                 groups = [\"X25519\", \"secp256r1\", \"secp384r1\"]\nkeys = [\"rsa-2048\", \"rsa-3072\", \"ecdsa-p256\", \"ecdsa-p384\"]\n\
                 contexts = [\"shared\", \"per-thread\"]\nthreads = [1, 2, 3, 4]\n";
    let (run, results) = stage.measure("short", study, "-l sound --budget 1s");
    let cases = results["measurements"].as_array().unwrap();
    let nothing = cases.iter().all(|case| case["outcome"]["is"] != "measured");
    assert!(nothing, "a second held all of {}", cases.len());
    let run = run.ends(3);
    assert_eq!(run.stdout.matches("this needs about").count(), 1, "{run}");
    assert_eq!(run.stdout.matches("--budget").count(), 1, "{run}");
    let head = run.stdout.lines().position(|line| line == "NOTHING WAS MEASURED");
    let machine = run.stdout.lines().position(|line| line == "MACHINE");
    assert!(head.is_some() && head < machine, "{run}");
    assert!(run.stdout.lines().count() < 60, "{run}");
}

#[test]
fn d39_reasons_of_a_run_without_figures_are_grouped_and_counted() {
    let stage = faulty(&json!([
        { "at": "prepare", "case": "*/md5/*", "fault": "unsupported" },
        { "at": "prepare", "case": "*/sha256/*", "fault": "fail" }
    ]));
    let (run, _) = stage.measure("reasons", STUDY, "");
    let run = run.shows([
        "3 of 6  unsupported: the script has no such thing",
        "3 of 6  failed (run): as the script wants it",
    ]);
    assert!(!run.stdout.contains("CIPHERS AND HASHES"), "{run}");
}

#[test]
fn d39_a_run_says_at_its_start_how_long_it_takes_unless_it_is_quiet() {
    let stage = Stage::calm();
    let file = stage.study("start", STUDY);
    let run = stage.run(&format!("measure {file} -o start"));
    run.says(["6 cases of 1 library: about ", ", at most 20 s"]);
    let quiet = stage.run(&format!("measure {file} -o again --quiet"));
    // Of another test's run it speaks all the same.
    let mut lines = quiet.stderr.lines();
    assert!(lines.all(|line| line.starts_with("another run measures")), "{quiet}");
}

/// Loads take windows of 40 ms and more: a hundred of them do not fit into a second.
#[test]
fn d39_a_budget_that_cannot_hold_the_cases_is_said_before_they_are_measured() {
    let stage = Stage::with(&[]).and_connections("sound");
    let bodies: Vec<String> = (1..=50).map(|body| body.to_string()).collect();
    let bodies = bodies.join(",");
    let run = stage.run(&format!("load -l sound -b {bodies} --tls TLSv1.3 --budget 1s -o load"));
    let expected =
        run.stderr.lines().find(|line| line.starts_with("100 cases of 1 library: this needs about "));
    let line = expected.unwrap_or_else(|| panic!("{run}"));
    let needed: u64 = line.rsplit_once("--budget ").unwrap().1.trim_end_matches('s').parse().unwrap();
    assert!(needed > 50, "{line}");
}
