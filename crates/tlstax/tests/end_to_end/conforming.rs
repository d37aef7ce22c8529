//! The conformance suite over the bridge: an honest worker passes, and each lie is found.

use crate::project::{WORKER, project};
use crate::run::{Run, holds};
use crate::stage::{Stage, block, control, root};

/// A project of one library, whose worker is a script that may not be there.
fn with_script() -> Stage {
    let project = project(&block("fake", "control = true\nprogram = [\"worker.sh\"]"), "");
    std::fs::remove_dir(project.path("pki")).unwrap();
    std::os::unix::fs::symlink(root().join("pki"), project.path("pki")).unwrap();
    project
}

/// Runs the suite on a worker that is a script.
fn conform(worker: &str) -> Run {
    let project = with_script();
    project.program("worker.sh", worker);
    project.run("libraries conform fake --short")
}

/// The control, which claims little, so that the suite is short, and whose answers are edited on their way by sed.
fn edited(edit: &str) -> Run {
    let claims = [
        ("versions", "\"TLSv1.3\""),
        ("suites", "\"TLS_AES_128_GCM_SHA256\""),
        ("groups", "\"X25519\""),
        ("keys", "\"rsa-2048\""),
        ("resumptions", "\"full\",\"psk\""),
    ]
    .map(|(field, names)| format!("/\"is\":\"hello\"/s/\"{field}\":\\[[^]]*]/\"{field}\":[{names}]/"));
    let (control, claims) = (control(), claims.join(";"));
    conform(&format!("#!/bin/sh\n'{}' control | sed -u -e '{claims}' -e '{edit}'\n", control.display()))
}

#[track_caller]
fn fails(run: &Run, check: &str, why: &str) {
    assert_eq!(run.code, 3, "{run}");
    let is_it = |line: &str| line.starts_with("FAIL") && line.contains(check) && line.contains(why);
    assert!(run.stdout.lines().any(is_it), "no '{check}: {why}' in {run}");
}

#[test]
fn honest_workers_pass() {
    for run in [conform(WORKER), edited("")] {
        run.ends(0).shows([" 0 failed"]);
    }
}

#[test]
fn ids_are_read_as_for_a_build_and_a_worker_that_is_not_there_is_no_mistake_of_ours() {
    let project = with_script();
    project.run("libraries conform Fake").ends(3).says(["fake is not built"]);
    project.run("libraries conform fake fale").ends(2).says(["'fale'"]);
    project.program("worker.sh", WORKER);
    let run = project.run("libraries conform FAKE fake --short").ends(0);
    assert_eq!(run.stdout.matches("fake: ").count(), 1, "{run}");
    // A log that cannot be written is named.
    std::fs::remove_dir_all(project.path("target/workers/log")).unwrap();
    std::fs::write(project.path("target/workers/log"), "").unwrap();
    project.run("libraries conform fake").ends(3).says(["fake-conformance.log"]);
}

#[test]
fn a_wrong_known_answer_is_found() {
    let run = conform(&WORKER.replace("61) answer=", "61) answer=f"));
    fails(&run, "known answer sha256:digest", "sha256:digest of 61 bytes ends in f");
    assert!(!run.stdout.contains("FAIL  runs"), "{run}");
}

#[test]
fn an_answer_that_changes_and_what_is_there_and_not_claimed_are_found() {
    let run = conform(&WORKER.replace("    if [ \"$ready\" ]", "    answer=f$answer; if [ \"$ready\" ]"));
    fails(&run, "runs sha256:digest tls", "ends in f");
    let run = conform(&WORKER.replace("\"sha256:digest\"", "\"sha1:digest\""));
    fails(&run, "unclaimed sha256:digest", "does not claim it");
}

/// Another suite than was asked for, other requests than the client has counted, a certificate that is not sent, and a word of
/// no vocabulary.
#[test]
fn lies_about_connections_are_found() {
    for (edit, check, why) in [
        (
            "/\"is\":\"sampled\"/s/TLS_AES_128_GCM_SHA256/TLS_AES_256_GCM_SHA384/",
            "handshake TLSv1.3",
            "asked for suite TLS_AES_128_GCM_SHA256",
        ),
        (
            "/\"is\":\"usage\"/s/\"requests\":\\([1-9]\\)/\"requests\":1\\1/",
            "load TLSv1.3 full",
            "the client counts 40 requests, the server",
        ),
        ("s/\"server_bytes\":[0-9]*/\"server_bytes\":1000/", "chain-2", "one certificate more"),
        ("/\"is\":\"hello\"/s/X25519/X52519/", "claims", "X52519"),
    ] {
        fails(&edited(edit), check, why);
    }
}

#[test]
fn a_resumption_that_did_not_happen_is_found() {
    let run = edited("/\"is\":\"sampled\"/s/\"resumed\":[0-9]*/\"resumed\":0/");
    fails(&run, " psk", "handshakes were resumed");
    let others = run.stdout.lines().filter(|line| line.starts_with("FAIL") && !line.contains(" psk"));
    assert_eq!(others.count(), 0, "{run}");
}

#[test]
fn d20_a_client_that_forgets_what_its_kept_connections_negotiated_is_found() {
    let run = edited("/\"is\":\"sampled\".*\"handshakes\":0,/s/\"suite\":\"[^\"]*\",//");
    fails(&run, "load TLSv1.3 full 0 requests", "negotiated none");
    assert!(!run.stdout.contains("1 requests on a connection"), "{run}");
}

#[test]
fn parts_that_are_not_those_asked_for_are_found() {
    for (edit, check, why) in [
        (
            "s/,\"parts_ns\":\\[[0-9]*,/,\"parts_ns\":[/",
            "parts of a primitive",
            "asked for 8 parts of a batch, the worker told 7",
        ),
        ("s/\"client_parts_ns\":\\[/&1,/", "parts of handshakes", "the worker told 9"),
        ("s/\"client_parts_ns\":\\[/&9/", "parts of bulk", "add up to"),
        ("s/\"server_parts_ns\":\\[[^]]*],//", "parts of bulk", "of both sides"),
        ("s/\"server_parts_ns\"/\"parts_ns\"/", "parts of handshakes", "of both sides"),
        ("s/\"bytes\"/\"parts_ns\":[1],&/", "parts of handshakes", "not asked for in parts"),
    ] {
        fails(&edited(&format!("/\"is\":\"sampled\"/{edit}")), check, why);
    }
    // Whoever speaks protocol 1 is not asked, and whoever cannot tell parts leaves them out.
    for (worker, why) in [
        (WORKER.to_owned(), "its worker speaks protocol 1"),
        (WORKER.replace("\"protocol\":1", "\"protocol\":2"), "it tells no parts"),
    ] {
        let project = with_script();
        project.program("worker.sh", &worker);
        project.run("libraries conform fake --short").ends(0);
        holds(
            project.read("target/workers/log/fake-conformance.log"),
            [format!("skip  parts of a primitive: {why}")],
        );
    }
}

#[test]
fn a_worker_that_writes_rubbish_or_ends_is_given_up() {
    for (instead, why) in [("echo rubbish; : &&", "not a message"), ("exit 7; : &&", "exit status: 7")] {
        let any_case = "*'\"do\":\"prepare\"'*) ";
        let run = conform(&WORKER.replace(any_case, &format!("{any_case}{instead} ")));
        fails(&run, "conversation", why);
        fails(&run, "the suite to its end", "lost again and again");
    }
}

#[test]
fn a_worker_that_hangs_is_given_up() {
    let run = conform(&WORKER.replace("    if [ \"$ready\" ]", "    sleep 1000; if [ \"$ready\" ]"));
    fails(&run, "conversation", "did not answer");
    fails(&run, "runs sha256:digest tls", "did not answer");
}
