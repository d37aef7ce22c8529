//! `tlstax libraries check`: libraries meet over loopback, each in every role that it has.

use std::path::PathBuf;

use serde_json::{Value, json};

use crate::stage::{Run, Stage, root};

fn worker(id: &str) -> PathBuf {
    root().join("target/workers/bin").join(id)
}

/// A stage with workers that speak TLS, or the control's likeness of it: id, program, and more of the block.
fn stage(libraries: &[(&str, Value, &str)]) -> Stage {
    let stage = Stage::calm();
    let block = |(id, program, more): &(&str, Value, &str)| {
        format!("[[library]]\nid = \"{id}\"\nabout = \"?\"\nprogram = {program}\n{more}\n")
    };
    std::fs::write(stage.path("registry.toml"), libraries.iter().map(block).collect::<String>()).unwrap();
    stage
}

fn control() -> Value {
    json!([worker("control"), "control"])
}

fn answer(run: &Run) -> &str {
    run.stdout.lines().next().unwrap_or_default()
}

#[test]
#[expect(clippy::print_stderr, reason = "whoever reads that a test passed has to know that it did nothing")]
fn d20_go_proves_in_every_window_what_kept_connections_have_negotiated() {
    if !worker("go").is_file() {
        eprintln!("not tested: the worker of Go is not built; scripts/test.sh builds it");
        return;
    }
    let stage = stage(&[("go", json!([worker("go")]), "")]);
    let load = stage.run(&[
        "load",
        "-l",
        "go",
        "--client",
        "go",
        "--requests",
        "0",
        "-b",
        "1024",
        "--verify",
        "--quiet",
    ]);
    assert_eq!(load.code, 0, "{}{}", load.stdout, load.stderr);
    assert!(load.stdout.contains("TLSv1.3") && !load.stdout.contains("failed"), "{}", load.stdout);
}

#[test]
fn d20_new_connections_and_kept_ones_are_tried_in_both_versions() {
    let stage = stage(&[("one", control(), "")]);
    let run = stage.run(&["libraries", "check", "one", "--against", "one", "--json"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let tried: Vec<Value> = serde_json::from_str(&run.stdout).unwrap();
    for version in ["TLSv1.2", "TLSv1.3"] {
        for requests in [0, 1] {
            let fits = |one: &&Value| {
                let case = &one["case"];
                case["version"] == version && case["requests_per_connection"] == requests
            };
            let outcomes: Vec<_> = tried.iter().filter(fits).map(|one| &one["outcome"]["is"]).collect();
            assert!(!outcomes.is_empty(), "{version} with {requests} requests on a connection was not tried");
            assert!(outcomes.iter().all(|is| *is == "measured"), "{outcomes:?}");
        }
    }
}

#[test]
fn d21_who_is_a_client_alone_is_tried_as_no_server_and_the_answer_comes_first() {
    let stage = stage(&[
        ("one", control(), ""),
        ("with-a-long-name-of-two", control(), ""),
        ("alone", control(), "client = true"),
        ("bare", control(), "control = true"),
    ]);
    let run =
        stage.run(&["libraries", "check", "one", "with-a-long-name-of-two", "alone", "--against", "one"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(answer(&run).starts_with("all 5 pairs understand each other: "), "{}", run.stdout);
    let lines: Vec<&str> = run.stdout.lines().skip(2).collect();
    assert!(lines[0].starts_with("server \\ client"), "{}", run.stdout);
    assert!(lines[0].contains("alone") && lines[0].contains("with-a-long-name-of-two"), "{}", run.stdout);
    assert!(!run.stdout.lines().any(|line| line.starts_with("alone ")), "{}", run.stdout);
    let refused = stage.run(&["libraries", "check", "bare"]);
    assert_eq!(refused.code, 2, "{}", refused.stderr);
    assert!(refused.stderr.contains("no TLS library"), "{}", refused.stderr);
}

#[test]
fn d21_holes_are_told_once_for_each_reason() {
    let faults = json!({ "faults": [
        { "case": "*TLSv1.3*", "at": "prepare", "fault": "fail" },
        { "case": "*TLSv1.2*", "at": "prepare", "fault": "unsupported" },
    ]});
    let run = Stage::with(&[("mock", faults)]).run(&["libraries", "check", "mock", "--against", "mock"]);
    assert_eq!(run.code, 3, "{}{}", run.stdout, run.stderr);
    assert!(
        answer(&run).starts_with("1 of 1 pairs does not understand each other: mock with the client mock"),
        "{}",
        run.stdout
    );
    for reason in ["as the script wants it", "the script has no such thing"] {
        let lines: Vec<_> = run.stdout.lines().filter(|line| line.contains(reason)).collect();
        assert!(lines.len() == 1 && lines[0].contains(" combinations: "), "{}", run.stdout);
    }
    let failed = run.stdout.find("as the script").unwrap();
    assert!(failed < run.stdout.find("has no such thing").unwrap(), "failures come first: {}", run.stdout);
}
