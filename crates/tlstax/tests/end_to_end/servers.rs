//! Real servers that go wrong: each costs its own case, says why in its own words, and leaves nothing behind.
//!
//! These need nginx and the worker of rustls-aws-lc; where one is missing they say so and do nothing.

use serde_json::Value;

use crate::site::{Site, is_allowed, is_possible};

/// What becomes of a load on a server with this fault.
fn load_on(fault: &str, more: &[&str]) -> Option<(Site, i32, Value)> {
    if !is_possible() {
        return None;
    }
    let site = Site::with(fault);
    let (run, results) = site.load(more);
    let outcome = results["measurements"][0]["outcome"].clone();
    assert!(!run.stderr.contains("panicked"), "{}", run.stderr);
    site.nothing_is_left();
    Some((site, run.code, outcome))
}

/// A failed row says this, with these words of the server's own, and there is no figure to exit well with.
#[track_caller]
fn fails(fault: &str, stage: &str, message: &[&str], own_words: &str) {
    let Some((_site, code, outcome)) = load_on(fault, &[]) else { return };
    assert_eq!(
        (outcome["is"].as_str(), outcome["stage"].as_str()),
        (Some("failed"), Some(stage)),
        "{outcome}"
    );
    for words in message {
        assert!(outcome["message"].as_str().unwrap().contains(words), "'{words}' is missing: {outcome}");
    }
    assert!(outcome["stderr"].as_str().unwrap_or_default().contains(own_words), "{outcome}");
    assert_eq!(code, 3, "{outcome}");
}

#[test]
fn a_server_without_a_fault_is_measured() {
    let Some((_site, code, outcome)) = load_on("none", &[]) else { return };
    assert_eq!((code, outcome["is"].as_str()), (0, Some("measured")), "{outcome}");
}

#[test]
fn a_module_that_is_missing_is_told_in_the_servers_words() {
    fails("missing-module", "start", &["ended when it was started"], "ngx_no_such_module.so");
}

#[test]
fn a_server_that_never_listens_is_given_up() {
    fails("silent", "start", &["did not listen"], "waiting for something that never comes");
}

#[test]
fn a_port_that_others_take_is_not_mistaken_for_the_server() {
    fails("port-taken", "start", &["taken by another program"], "");
    let Some((site, code, outcome)) = load_on("port-taken-once", &[]) else { return };
    assert!(site.path("faults/taken").exists(), "the fault never came");
    assert_eq!((code, outcome["is"].as_str()), (0, Some("measured")), "{outcome}");
}

#[test]
fn a_program_that_is_none_is_named() {
    if !is_possible() {
        return;
    }
    let site = Site::with("none");
    for (contents, words) in [
        ("#!/no/such/interpreter\n", "cannot run"),
        ("#!/bin/sh\necho 'error while loading shared libraries: libssl.so.9'; exit 127\n", "libssl.so.9"),
    ] {
        site.program("nginx", contents.as_bytes());
        let (run, results) = site.load(&[]);
        let outcome = &results["measurements"][0]["outcome"];
        assert_eq!((run.code, outcome["is"].as_str()), (3, Some("skipped")), "{outcome}");
        let why = outcome["why"].as_str().unwrap();
        assert!(why.contains(words) && why.contains("programs/nginx"), "{why}");
    }
    // What may not be executed is no program at all, and the next in PATH is taken.
    site.is_executable("nginx", false);
    let (run, _) = site.load(&[]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    site.nothing_is_left();
}

#[test]
fn a_server_that_dies_under_load_is_told_from_a_connection_that_breaks() {
    fails("dies", "run", &["the server ended under load"], "out of memory in a test");
    fails("resets", "run", &["reset"], "");
}

#[test]
fn a_server_that_stalls_is_given_up() {
    fails("stalls", "run", &["no connection moved"], "");
}

#[test]
fn an_error_page_is_no_answer() {
    fails("status-500", "prepare", &["500"], "rewrite or internal redirection cycle");
}

#[test]
fn another_certificate_is_refused() {
    fails("other-certificate", "prepare", &["certificate"], "");
    let Some((_site, code, outcome)) = load_on("other-certificate", &["--client", "curl"]) else { return };
    assert_eq!((code, outcome["is"].as_str()), (3, Some("failed")), "{outcome}");
    assert!(outcome["message"].as_str().unwrap().contains("certificate"), "{outcome}");
}

#[test]
fn a_suite_that_the_server_refuses_is_a_failed_handshake() {
    fails("other-suite", "prepare", &["HandshakeFailure"], "");
}

#[test]
fn an_end_without_close_notify_is_a_truncation() {
    fails("no-close-notify", "prepare", &["close_notify"], "");
}

#[test]
fn d11_a_worker_process_that_is_killed_takes_its_account_with_it() {
    if !is_possible() {
        return;
    }
    let site = Site::with("none");
    let mut run = site.start(&[]);
    site.kill_twice("worker process", &mut run);
    let (run, results) = site.end_of(run);
    let outcome = &results["measurements"][0]["outcome"];
    assert_eq!((run.code, outcome["is"].as_str()), (3, Some("failed")), "{outcome}");
    assert!(outcome["stderr"].as_str().unwrap().contains("exited on signal 9"), "{outcome}");
    assert!(outcome["message"].as_str().unwrap().contains("has lost 2 processes"), "{outcome}");
    site.nothing_is_left();
}

#[test]
fn d11_the_first_process_that_is_killed_takes_the_others_with_it() {
    if !is_possible() {
        return;
    }
    let site = Site::with("none");
    let mut run = site.start(&[]);
    site.kill_twice("nginx: master process", &mut run);
    let (run, results) = site.end_of(run);
    let outcome = &results["measurements"][0]["outcome"];
    assert_eq!((run.code, outcome["is"].as_str()), (3, Some("failed")), "{outcome}");
    let message = outcome["message"].as_str().unwrap();
    assert!(message.contains("ended under load") && message.contains("has lost 2 processes"), "{outcome}");
    site.nothing_is_left();
}

/// The server of a worker is made ready once, and counts on through all windows of a program that is started for each.
#[test]
fn a_client_program_loads_the_server_of_a_worker() {
    if !is_possible() {
        return;
    }
    let (run, results) = Site::with("none").load(&["--client", "curl", "-l", "rustls-aws-lc"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    for measurement in results["measurements"].as_array().unwrap() {
        assert_eq!(measurement["outcome"]["is"], "measured", "{measurement}");
    }
    assert!(results.to_string().contains("rustls-aws-lc/load/"), "{results}");
}

#[test]
fn an_interruption_ends_servers_and_clients() {
    if !is_possible() {
        return;
    }
    for (signal, client) in [("-INT", "rustls-aws-lc"), ("-TERM", "curl")] {
        let site = Site::with("none");
        let run = site.start(&["--client", client]);
        site.signal(signal, run.id());
        let (run, results) = site.end_of(run);
        assert_eq!(run.code, 130, "{client}: {}", run.stderr);
        assert_eq!(results["study"]["interrupted"], true);
        assert_ne!(results["measurements"][0]["outcome"]["is"], "failed", "{results}");
        site.nothing_is_left();
    }
}

#[test]
fn too_few_files_are_said_before_anything_is_started_and_once() {
    if !is_possible() {
        return;
    }
    let site = Site::with("silent");
    let few = ["prlimit", "--nofile=80:80"];
    let (run, results) = site.load_by(&few, &["--connections", "100", "--body", "0,1,2"]);
    for measurement in results["measurements"].as_array().unwrap() {
        let message = measurement["outcome"]["message"].as_str().unwrap();
        assert!(message.contains("need 200 open files") && message.contains("ulimit -Hn 200"), "{message}");
    }
    let told: Vec<_> = run.stderr.lines().filter(|line| line.contains("ulimit -Hn 200")).collect();
    assert_eq!(told.len(), 2, "once with its case, and once with the number of cases: {told:?}");
    assert!(told[1].starts_with("3 cases"), "{told:?}");
    assert_eq!(run.code, 3);
    site.nothing_is_left();
}

#[test]
fn too_few_ports_are_said_before_anything_is_started() {
    let narrow = "echo 40000 40050 >/proc/sys/net/ipv4/ip_local_port_range && exec \"$@\"";
    let few = ["unshare", "--map-root-user", "--net", "sh", "-c", narrow, "sh"];
    if !is_possible() || !is_allowed(&few) {
        return;
    }
    let site = Site::with("silent");
    let (run, results) = site.load_by(&few, &["--connections", "100"]);
    let message = results["measurements"][0]["outcome"]["message"].as_str().unwrap();
    assert!(message.contains("there are 51") && message.contains("sysctl"), "{message}");
    assert_eq!(run.code, 3);
    site.nothing_is_left();
}

#[test]
fn what_a_killed_run_leaves_is_found_and_removed() {
    if !is_possible() {
        return;
    }
    // One end of it ignores that it is told to go: only its marks tell whose it was.
    let site = Site::with("stubborn");
    let mut run = site.start(&[]);
    let id = run.id();
    run.kill().unwrap();
    run.wait().unwrap();
    let found = site.check(&["--json"]);
    let found: Value = serde_json::from_str(&found.stdout).unwrap();
    let left = site.own(&found["leftovers"], id);
    let kinds: Vec<_> = left.iter().map(|one| one["kind"].as_str().unwrap()).collect();
    assert!(kinds.contains(&"process") && kinds.contains(&"folder"), "{left:?}");
    for one in &left {
        assert!(one["remedy"].as_str().unwrap().len() > 5 && one["known_by"] != "", "{one}");
    }
    let words = site.check(&[]).stdout;
    let section = words.split_once("\nLeftovers\n").unwrap().1;
    assert!(section.contains("tlstax check --clean") && section.contains("kill -9"), "{section}");
    let cleaned = site.check(&["--clean"]);
    assert_eq!(cleaned.code, 0, "{}", cleaned.stderr);
    assert!(cleaned.stdout.contains("removed folder"), "{}", cleaned.stdout);
    site.nothing_is_left();
    let again: Value = serde_json::from_str(&site.check(&["--clean", "--json"]).stdout).unwrap();
    assert_eq!(site.own(&again["removed"], id), Vec::<&Value>::new());
}

#[test]
fn servers_end_with_a_killed_run_and_a_living_run_is_left_alone() {
    if !is_possible() {
        return;
    }
    let site = Site::with("none");
    let mut run = site.start(&["--page", "static,fastcgi"]);
    let id = run.id();
    let cleaned: Value = serde_json::from_str(&site.check(&["--clean", "--json"]).stdout).unwrap();
    assert_eq!(site.own(&cleaned["removed"], id), Vec::<&Value>::new());
    assert!(!site.processes().is_empty(), "a living run was cleaned away");
    run.kill().unwrap();
    run.wait().unwrap();
    site.nobody_is_left();
    assert_eq!(site.check(&["--clean"]).code, 0);
    site.nothing_is_left();
}
