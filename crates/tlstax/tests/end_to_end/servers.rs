//! Real servers that go wrong: each costs its own case, says why in its own words, and leaves nothing behind.
//!
//! These need nginx and the worker of rustls-aws-lc; where one is missing they say so and do nothing.

use serde_json::Value;

use crate::needs::is_allowed;
use crate::processes::{nobody_is_left, signal};
use crate::run::holds;
use crate::site::Site;
use crate::stage::allow;

/// What becomes of the first row of a load on a server with this fault, with the exit code.
fn load_on(fault: &str, more: &str) -> Option<(Site, i32, Value)> {
    let site = Site::with(fault)?;
    let (run, results) = site.load(more);
    assert!(!run.stderr.contains("panicked"), "{run}");
    site.nothing_is_left();
    Some((site, run.code, results["measurements"][0]["outcome"].clone()))
}

/// Rows that fail at a stage: each says this, with these words of the server's own, and there is no figure to exit well with.
#[track_caller]
fn fail(stage: &str, faults: &[(&str, &str, &str)]) {
    for (fault, message, own_words) in faults {
        let Some((_site, code, outcome)) = load_on(fault, "") else { return };
        let found = (code, outcome["is"].as_str(), outcome["stage"].as_str());
        assert_eq!(found, (3, Some("failed"), Some(stage)), "{fault}: {outcome}");
        holds(&outcome["message"], [message]);
        holds(outcome["stderr"].as_str().unwrap_or_default(), [own_words]);
    }
}

#[test]
fn a_server_without_a_fault_is_measured() {
    let Some((_site, code, outcome)) = load_on("none", "") else { return };
    assert_eq!((code, outcome["is"].as_str()), (0, Some("measured")), "{outcome}");
}

#[test]
fn a_server_that_does_not_start_is_told_in_its_words() {
    fail(
        "start",
        &[
            ("missing-module", "ended when it was started", "ngx_no_such_module.so"),
            ("silent", "did not listen", "waiting for something that never comes"),
            ("port-taken", "taken by another program", ""),
        ],
    );
}

#[test]
fn a_port_that_another_takes_once_is_not_mistaken_for_the_server() {
    let Some((site, code, outcome)) = load_on("port-taken-once", "") else { return };
    assert!(site.path("faults/taken").exists(), "the fault never came");
    assert_eq!((code, outcome["is"].as_str()), (0, Some("measured")), "{outcome}");
}

#[test]
fn a_program_that_is_none_is_named() {
    let Some(site) = Site::with("none") else { return };
    for (contents, words) in [
        ("#!/no/such/interpreter\n", "cannot run"),
        ("#!/bin/sh\necho 'error while loading shared libraries: libssl.so.9'; exit 127\n", "libssl.so.9"),
    ] {
        site.stage.program("programs/nginx", contents);
        let (run, results) = site.load("");
        let outcome = &results["measurements"][0]["outcome"];
        assert_eq!((run.code, outcome["is"].as_str()), (3, Some("skipped")), "{outcome}");
        holds(&outcome["why"], [words, "programs/nginx"]);
    }
    // What may not be executed is no program at all, and the next in PATH is taken.
    allow(&site.path("programs/nginx"), 0o644);
    site.load("").0.ends(0);
    site.nothing_is_left();
}

#[test]
fn a_server_that_dies_under_load_is_told_from_a_connection_that_breaks_or_stalls() {
    fail(
        "run",
        &[
            ("dies", "the server ended under load", "out of memory in a test"),
            ("resets", "reset", ""),
            ("stalls", "no connection moved", ""),
        ],
    );
}

/// An error page, another certificate, a suite that the server refuses, and an end without close_notify, which is a truncation.
#[test]
fn what_is_no_answer_is_never_timed() {
    fail(
        "prepare",
        &[
            ("status-500", "500", "rewrite or internal redirection cycle"),
            ("other-certificate", "certificate", ""),
            ("other-suite", "HandshakeFailure", ""),
            ("no-close-notify", "close_notify", ""),
        ],
    );
}

#[test]
fn another_certificate_is_refused_by_a_program_too() {
    let Some((_site, code, outcome)) = load_on("other-certificate", "--client curl") else { return };
    assert_eq!((code, outcome["is"].as_str()), (3, Some("failed")), "{outcome}");
    holds(&outcome["message"], ["certificate"]);
}

/// A worker process takes its account with it, and the first process takes the others.
#[test]
fn d11_a_server_that_keeps_losing_processes_is_a_failure_that_says_so() {
    for (process, message, own_words) in [
        ("worker process", "has lost 2 processes", "exited on signal 9"),
        ("nginx: master process", "ended under load", ""),
    ] {
        let Some(site) = Site::with("none") else { return };
        let mut run = site.start("");
        site.kill_twice(process, &mut run);
        let (run, results) = site.end_of(run);
        let outcome = &results["measurements"][0]["outcome"];
        assert_eq!((run.code, outcome["is"].as_str()), (3, Some("failed")), "{process}: {outcome}");
        holds(&outcome["message"], [message, "has lost 2 processes"]);
        holds(&outcome["stderr"], [own_words]);
        site.nothing_is_left();
    }
}

/// The server of a worker is made ready once, and counts on through all windows of a program that is started for each.
#[test]
fn a_client_program_loads_the_server_of_a_worker() {
    let Some(site) = Site::with("none") else { return };
    let (run, results) = site.load("--client curl -l rustls-aws-lc");
    run.ends(0);
    for measurement in results["measurements"].as_array().unwrap() {
        assert_eq!(measurement["outcome"]["is"], "measured", "{measurement}");
    }
    holds(&results, ["rustls-aws-lc/load/"]);
}

#[test]
fn an_interruption_ends_servers_and_clients() {
    for (name, client) in [("-INT", "rustls-aws-lc"), ("-TERM", "curl")] {
        let Some(site) = Site::with("none") else { return };
        let run = site.start(&format!("--client {client}"));
        signal(name, run.id());
        let (run, results) = site.end_of(run);
        run.ends(130);
        assert_eq!(results["study"]["interrupted"], true);
        assert_ne!(results["measurements"][0]["outcome"]["is"], "failed", "{client}: {results}");
        site.nothing_is_left();
    }
}

#[test]
fn too_few_files_are_said_before_anything_is_started_and_once() {
    let Some(site) = Site::with("silent") else { return };
    let few = ["prlimit", "--nofile=80:80"];
    let (run, results) = site.load_by(&few, "--connections 100 --body 0,1,2");
    for measurement in results["measurements"].as_array().unwrap() {
        holds(&measurement["outcome"]["message"], ["need 200 open files", "ulimit -Hn 200"]);
    }
    let run = run.ends(3);
    let told: Vec<_> = run.stderr.lines().filter(|line| line.contains("ulimit -Hn 200")).collect();
    assert_eq!(told.len(), 2, "once with its case, and once with the number of cases: {told:?}");
    assert!(told[1].starts_with("3 cases"), "{told:?}");
    site.nothing_is_left();
}

#[test]
fn too_few_ports_are_said_before_anything_is_started() {
    let narrow = "echo 40000 40050 >/proc/sys/net/ipv4/ip_local_port_range && exec \"$@\"";
    let few = ["unshare", "--map-root-user", "--net", "sh", "-c", narrow, "sh"];
    let Some(site) = Site::with("silent").filter(|_| is_allowed(&few)) else { return };
    let (run, results) = site.load_by(&few, "--connections 100");
    holds(&results["measurements"][0]["outcome"]["message"], ["there are 51", "sysctl"]);
    run.ends(3);
    site.nothing_is_left();
}

#[test]
fn what_a_killed_run_leaves_is_found_and_removed() {
    // One end of it ignores that it is told to go: only its marks tell whose it was.
    let Some(site) = Site::with("stubborn") else { return };
    let mut run = site.start("");
    let id = run.id();
    run.kill().unwrap();
    run.wait().unwrap();
    let found = site.check("--json").json();
    let left = site.own(&found["leftovers"], id);
    let kinds: Vec<_> = left.iter().map(|one| one["kind"].as_str().unwrap()).collect();
    assert!(kinds.contains(&"process") && kinds.contains(&"folder"), "{left:?}");
    for one in &left {
        assert!(one["remedy"].as_str().unwrap().len() > 5 && one["known_by"] != "", "{one}");
    }
    let words = site.check("").stdout;
    let section = words.split_once("\nLeftovers\n").unwrap().1;
    holds(section, ["tlstax check --clean", "kill -9"]);
    site.check("--clean").ends(0).shows(["removed folder"]);
    site.nothing_is_left();
    let again = site.check("--clean --json").json();
    assert_eq!(site.own(&again["removed"], id), Vec::<&Value>::new());
}

#[test]
fn servers_end_with_a_killed_run_and_a_living_run_is_left_alone() {
    let Some(site) = Site::with("none") else { return };
    let mut run = site.start("--page static,fastcgi");
    let cleaned = site.check("--clean --json").json();
    assert_eq!(site.own(&cleaned["removed"], run.id()), Vec::<&Value>::new());
    assert!(!site.processes().is_empty(), "a living run was cleaned away");
    run.kill().unwrap();
    run.wait().unwrap();
    nobody_is_left(&site.path("temporary"));
    site.check("--clean").ends(0);
    site.nothing_is_left();
}
