//! Runs that meet on one machine: the later one waits, refuses or goes on beside the other, as it was told.
//!
//! Other tests measure at the same time, so these runs have a network namespace of their own, in which CPUs are held anew.

use std::process::Command;

use serde_json::Value;

use crate::interruption::{LONG, restless};
use crate::site::is_allowed;
use crate::stage::{Run, Stage};

const NAMESPACE: [&str; 3] = ["unshare", "--map-root-user", "--net"];

/// One long run, and three that begin while it goes on. What each came to is printed. Every wait has its end.
const SCRIPT: &str = r#"
until_found() {
    for step in $(seq 1200); do grep -q "$1" "$2" 2>/dev/null && return; sleep 0.05; done
    echo "no $1 in $2"; cat *.err; exit 9
}
"$@" --budget 90s -o first 2>first.err & first=$!
until_found '"batch"' first.journal
"$@" --if-busy refuse -o refused 2>refused.err; echo "refused $?"
"$@" --budget 10s --if-busy go -o beside >beside.out 2>beside.err; echo "beside $?"
"$@" --budget 10s -o waiting >waiting.out 2>waiting.err & waiting=$!
until_found 'waiting for its end' waiting.err
grep -c batch waiting.journal
kill -TERM $first; wait $first; echo "first $? was process $first"
wait $waiting; echo "waiting $?"
"#;

fn read(stage: &Stage, name: &str) -> String {
    std::fs::read_to_string(stage.path(name)).unwrap()
}

fn notes(stage: &Stage, name: &str) -> String {
    serde_json::from_str::<Value>(&read(stage, name)).unwrap()["notes"].to_string()
}

#[test]
fn a_second_run_waits_refuses_or_says_that_it_went_beside() {
    if !is_allowed(&NAMESPACE) {
        return;
    }
    let stage = restless();
    let file = stage.endless("long", LONG);
    let measure = stage.command(&["measure", file.to_str().unwrap(), "-q"]);
    let mut command = Command::new(NAMESPACE[0]);
    command.args(&NAMESPACE[1..]).args(["sh", "-c", SCRIPT, "sh"]);
    command.arg(measure.get_program()).args(measure.get_args()).current_dir(stage.path(""));
    let run: Run = command.env("NO_COLOR", "1").env_remove("TLSTAX_IF_BUSY").output().unwrap().into();

    let told = run.stdout.lines().collect::<Vec<_>>();
    let first = told
        .iter()
        .find_map(|line| line.strip_prefix("first 130 was process "))
        .unwrap_or_else(|| panic!("{run:?}"));
    assert!(
        told.contains(&"refused 3") && told.contains(&"beside 0") && told.contains(&"waiting 0"),
        "{run:?}"
    );
    assert!(told.contains(&"0"), "it measured before the other had ended: {run:?}");

    let refused = read(&stage, "refused.err");
    for words in [&format!("process {first} of user 0 for "), "tlstax measure", "--if-busy wait"] {
        assert!(refused.contains(words), "'{words}' is missing: {refused}");
    }
    assert!(!stage.path("refused.journal").exists() && !stage.path("refused.json").exists());

    assert!(read(&stage, "beside.err").contains("both are disturbed"), "{}", read(&stage, "beside.err"));
    let has_met = |name| notes(&stage, name).contains("another one measured");
    assert_eq!(["beside.json", "waiting.json", "first.json"].map(has_met), [true, false, false]);
    assert!(!notes(&stage, "beside.json").contains(first), "results name a process");
}

#[test]
fn what_measures_nothing_waits_for_nobody() {
    if !is_allowed(&NAMESPACE) {
        return;
    }
    let stage = restless();
    let file = stage.endless("long", LONG);
    let script = SCRIPT.split_once("\"$@\" --if-busy refuse").unwrap().0.to_owned()
        + "for flag in --list --verify; do \"$@\" $flag --if-busy refuse >/dev/null || exit 8; done; kill -TERM $first; wait $first; exit 0";
    let measure = stage.command(&["measure", file.to_str().unwrap(), "-q"]);
    let mut command = Command::new(NAMESPACE[0]);
    command.args(&NAMESPACE[1..]).args(["sh", "-c", &script, "sh"]);
    command.arg(measure.get_program()).args(measure.get_args()).current_dir(stage.path(""));
    let run: Run = command.output().unwrap().into();
    assert_eq!(run.code, 0, "{run:?}");
}
