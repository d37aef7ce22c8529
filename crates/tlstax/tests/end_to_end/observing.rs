//! `tlstax observe`: profiles of others, running processes, and what becomes of their documents.

use std::io::Read;
use std::process::{Child, Command, Stdio};

use serde_json::Value;

use crate::stage::{Stage, root};

/// A profile that another program has taken.
fn input(name: &str) -> String {
    root().join("crates/observe/tests/inputs").join(name).display().to_string()
}

/// The profile of an input, written to NAME.json.
fn observed(stage: &Stage, name: &str, input_name: &str, more: &str) -> Value {
    let words = format!("observe {} -q --json -o {name}.json {more}", input(input_name));
    stage.run(&words).ends(0);
    serde_json::from_str(&stage.read(&format!("{name}.json"))).unwrap()
}

fn weight(profile: &Value) -> u64 {
    profile["stacks"].as_array().unwrap().iter().map(|stack| stack["weight"].as_u64().unwrap()).sum()
}

#[test]
fn a_profile_of_others_is_answered_in_a_sentence_first() {
    let stage = Stage::with(&[]);
    let run = stage.run(&format!("observe {}", input("perf-script-frame-pointers.txt"))).ends(0);
    let sentence = run.stdout.find("TLS takes ").unwrap();
    assert!(sentence < run.stdout.find("what for").unwrap(), "{run}");
    run.shows(["AES-GCM", "record protection", "HOW SURE THAT IS"]);
    // Nothing is written that nobody asked for.
    assert!(!stage.has("results"));
}

#[test]
fn what_is_kept_is_a_document_a_page_and_a_picture() {
    let stage = Stage::with(&[]);
    let profile = observed(&stage, "kept", "stackcollapse.txt", "--requests 100");
    assert_eq!(profile["document"], "profile");
    assert_eq!(profile["captures"][0]["work"]["requests"], 100);
    assert!(stage.read("kept.html").contains("<svg") && stage.read("kept.svg").starts_with("<svg"));
    stage.run("report kept.json").ends(0).shows(["What of a server's CPU time is TLS", "stackcollapse.txt"]);
}

#[test]
fn profiles_merge_stand_side_by_side_and_are_compared() {
    let stage = Stage::with(&[]);
    let a = observed(&stage, "a", "stackcollapse.txt", "");
    let b = observed(&stage, "b", "stackcollapse-pid.txt", "");
    stage.run("observe merge a.json b.json -o ab.json").ends(0);
    stage.run("observe merge b.json a.json -o ba.json").ends(0);
    assert_eq!(stage.read("ab.json"), stage.read("ba.json"));
    let merged: Value = serde_json::from_str(&stage.read("ab.json")).unwrap();
    assert_eq!(weight(&merged), weight(&a) + weight(&b));
    stage.run("report a.json b.json").ends(0).shows(["Profiles".to_uppercase().as_str(), "what for"]);
    stage.run("compare a.json b.json").ends(0).shows(["Two profiles", "verdict"]);
    stage.run("compare a.json b.json --fail-above 3").ends(2).says(["profiles have no gate"]);
    stage.run("claims S3-rsa-half --from a.json").ends(0).shows(["no sample"]);
}

#[test]
fn what_is_no_profile_says_so_and_what_to_do() {
    let stage = Stage::with(&[]);
    stage.write("empty", "");
    stage.write("prose", "it was the best of times\n");
    stage.write("cut.json", "{\"schema\":{\"major\":1,\"minor\":0},\"document\":\"profile\",\"tool\":");
    stage.write("rules.toml", "nonsense = 3\n");
    stage.run("observe empty").ends(2).says(["empty has no samples"]);
    stage.run("observe prose").ends(2).says(["prose is no profile", "perf.data"]);
    stage.run("observe missing").ends(2).says(["cannot read missing"]);
    stage.run("observe .").ends(2).says(["is a folder"]);
    stage.run("report cut.json").ends(2).says(["no complete profile document", "cut off"]);
    stage.run("observe merge cut.json").ends(2).says(["cut off"]);
    stage.run("observe").ends(2).says(["--pid NUMBER", "--name PROGRAM"]);
    stage.run("observe --pid 1 --system").ends(2);
    stage.run(&format!("observe {} --as pprof", input("stackcollapse.txt"))).ends(2).says(["no pprof"]);
    let with_rules = format!("observe {} --rules rules.toml", input("stackcollapse.txt"));
    stage.run(&with_rules).ends(2).says(["rules.toml"]);
}

#[test]
fn whom_nobody_knows_is_told_before_anything_is_sampled() {
    let stage = Stage::with(&[]);
    stage.run("observe --pid 999999999 --for 1s").ends(2);
    stage
        .run("observe --name no-such-program --for 1s")
        .ends(2)
        .says(["no process is called no-such-program"]);
    stage.run("observe --cgroup /no/such/group --for 1s").ends(2).says(["no control group"]);
}

/// A process that is busy until it is dropped.
struct Busy(Child);

impl Busy {
    fn start() -> Self {
        let mut child = Command::new("sh")
            .args(["-c", "echo on; while :; do :; done"])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        // It has begun when it says so.
        child.stdout.as_mut().unwrap().read_exact(&mut [0; 3]).unwrap();
        Self(child)
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn a_running_process_is_observed_or_the_kernels_reason_is_told() {
    let (stage, busy) = (Stage::with(&[]), Busy::start());
    let run = stage.run(&format!("observe --pid {} --for 1s -q --json -o live.json", busy.0.id()));
    if run.code == 3 {
        // Where the kernel gives no samples, it says which setting does.
        run.says(["perf"]);
        return;
    }
    run.ends(0);
    let profile: Value = serde_json::from_str(&stage.read("live.json")).unwrap();
    let capture = &profile["captures"][0];
    assert_eq!(capture["origin"]["format"], "live");
    assert_eq!(capture["processes"][0]["name"], "sh");
    assert!(weight(&profile) > 0 && capture["own"]["cpu_ns"].as_u64().unwrap() > 0);
}
