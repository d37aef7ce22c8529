//! `tlstax libraries check`: libraries meet over loopback, each in every role that it has.

use serde_json::json;

use crate::needs::are_there;
use crate::run::Run;
use crate::stage::{Stage, block, control, worker};

/// A stage with likenesses of TLS libraries, which are the control: ids, and more of their blocks.
fn stage(libraries: &[(&str, &str)]) -> Stage {
    let stage = Stage::with(&[]);
    let program = json!([control(), "control"]);
    for (id, more) in libraries {
        stage.register(&block(id, &format!("program = {program}\n{more}")));
    }
    stage
}

fn answer(run: &Run) -> &str {
    run.stdout.lines().next().unwrap_or_default()
}

#[test]
fn d20_go_proves_in_every_window_what_kept_connections_have_negotiated() {
    if !are_there(&[&worker("go")]) {
        return;
    }
    let stage = stage(&[]);
    stage.register(&block("go", &format!("program = {}", json!([worker("go")]))));
    let load = stage.run("load -l go --client go --requests 0 -b 1024 --verify --quiet");
    let load = load.ends(0).shows(["TLSv1.3"]);
    assert!(!load.stdout.contains("failed"), "{load}");
}

#[test]
fn d20_new_connections_and_kept_ones_are_tried_in_both_versions() {
    let run = stage(&[("one", "")]).run("libraries check one --against one --json").ends(0);
    let tried = run.json();
    for version in ["TLSv1.2", "TLSv1.3"] {
        for requests in [0, 1] {
            let tried = tried.as_array().unwrap().iter().filter(|one| {
                one["case"]["version"] == version && one["case"]["requests_per_connection"] == requests
            });
            let outcomes: Vec<_> = tried.map(|one| &one["outcome"]["is"]).collect();
            assert!(!outcomes.is_empty(), "{version} with {requests} requests on a connection was not tried");
            assert!(outcomes.iter().all(|is| *is == "measured"), "{outcomes:?}");
        }
    }
}

#[test]
fn d21_who_is_a_client_alone_is_tried_as_no_server_and_the_answer_comes_first() {
    let stage = stage(&[
        ("one", ""),
        ("with-a-long-name-of-two", ""),
        ("alone", "client = true"),
        ("bare", "control = true"),
    ]);
    let run = stage.run("libraries check one with-a-long-name-of-two alone --against one").ends(0);
    assert!(answer(&run).starts_with("all 5 pairs understand each other: "), "{run}");
    let lines: Vec<&str> = run.stdout.lines().skip(2).collect();
    assert!(lines[0].starts_with("server \\ client"), "{run}");
    assert!(lines[0].contains("alone") && lines[0].contains("with-a-long-name-of-two"), "{run}");
    assert!(!run.stdout.lines().any(|line| line.starts_with("alone ")), "{run}");
    stage.refuses("libraries check bare", ["no TLS library"]);
}

#[test]
fn d21_holes_are_told_once_for_each_reason() {
    let faults = json!({ "faults": [
        { "case": "*TLSv1.3*", "at": "prepare", "fault": "fail" },
        { "case": "*TLSv1.2*", "at": "prepare", "fault": "unsupported" },
    ]});
    let run = Stage::with(&[("mock", faults)]).run("libraries check mock --against mock").ends(3);
    let expected = "1 of 1 pairs does not understand each other: mock with the client mock";
    assert!(answer(&run).starts_with(expected), "{run}");
    for reason in ["as the script wants it", "the script has no such thing"] {
        let lines: Vec<_> = run.stdout.lines().filter(|line| line.contains(reason)).collect();
        assert!(lines.len() == 1 && lines[0].contains(" combinations: "), "{run}");
    }
    let failed = run.stdout.find("as the script").unwrap();
    assert!(failed < run.stdout.find("has no such thing").unwrap(), "failures come first: {run}");
}
