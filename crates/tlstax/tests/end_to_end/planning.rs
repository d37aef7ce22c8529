//! From traffic and a model to a plan: what is said, what is written, and what is refused.

use crate::stage::{Stage, root};

fn stage() -> Stage {
    let stage = Stage::with(&[]);
    for (name, path) in [
        ("traffic.toml", "docs/traffic-by-hand.toml"),
        ("short.toml", "docs/traffic-by-hand-short.toml"),
        ("model.json", "crates/plan/tests/fixtures/model.json"),
    ] {
        stage.write(name, std::fs::read(root().join(path)).unwrap());
    }
    stage
}

#[test]
fn a_plan_says_cores_and_what_changes_would_do() {
    let stage = stage();
    let plan = "plan --workload traffic.toml --model model.json --what-if cert=ecdsa-p256 --what-if resumed=95% -o plan.json";
    let printed = stage.run(plan).ends(0);
    let printed =
        printed.shows(["another CPU", "2,000 requests/s", "of nginx/1.26.3 with OpenSSL", "full handshakes"]);
    printed.shows(["cert=ecdsa-p256 resumed=95%", "ssl_certificate", "ssl_session_tickets on;"]);
    let document = stage.read("plan.json");
    assert!(document.contains("\"document\": \"plan\""), "{document}");
    // What was counted is planned for as what was written.
    stage.run("traffic traffic.toml -q -o workload.json").ends(0);
    stage.run("plan -w workload.json -m model.json --rate 500").ends(0).shows(["500 requests/s"]);
}

#[test]
fn a_plan_says_what_is_used_up_first() {
    let stage = stage();
    let machine = "--nic 1G --memory 1G --connection-memory 40k --baseline 1% --credits 30 --price 0.05 --watts-per-core 6";
    let printed = stage.run(&format!("plan -w short.toml -m model.json {machine}")).ends(0);
    printed.shows([
        "It does not fit: memory",
        "credits last",
        "network",
        "a vCPU hour",
        "this machine does not tell",
    ]);
}

#[test]
fn advice_keeps_the_floor() {
    let stage = stage();
    let modern = stage.run("plan advise -w traffic.toml -m model.json --floor modern --json").ends(0);
    let modern = modern.shows(["\"cert=ecdsa-p256\""]);
    assert!(!modern.stdout.contains("\"version=TLSv1.2\""));
}

#[test]
fn what_cannot_be_planned_is_refused_with_what_to_do() {
    let stage = stage();
    stage.write("empty.json", r#"{"schema": {"major": 1, "minor": 0}, "document": "model"}"#);
    for (words, says) in [
        ("", "--workload names a file"),
        ("-w short.toml", "--model names a file that tlstax calibrate wrote"),
        ("-w short.toml -m empty.json", "empty.json"),
        ("-w model.json -m model.json", "model.json"),
        ("-w short.toml -m short.toml", "short.toml"),
        ("-w short.toml -m model.json --rate -5", "write a number above 0"),
        ("-w short.toml -m model.json --rate nan", "write a number above 0"),
        ("-w short.toml -m model.json --baseline 120% --credits 5", "is no share"),
        ("-w short.toml -m model.json --nic fast", "1G or 10G"),
        ("-w short.toml -m model.json --memory 8G", "--connection-memory"),
        ("-w short.toml -m model.json --what-if cert=x", "unknown certificate key"),
        ("-w short.toml -m model.json --what-if tickets=off --what-if resumed=80%", "contradict each other"),
        ("-w short.toml -m model.json --what-if library=openssl-9", "--model OTHER"),
    ] {
        stage.run(&format!("plan {words}")).ends(2).says([says]);
    }
}
