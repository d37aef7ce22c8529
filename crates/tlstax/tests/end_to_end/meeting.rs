//! Runs that meet on one machine: the later one waits, refuses or goes on beside the other, as it was told.
//!
//! Other tests measure at the same time, so these runs have a network namespace of their own, in which CPUs are held anew.

use std::process::Command;

use crate::interruption::{LONG, restless};
use crate::needs::is_allowed;
use crate::run::{Run, holds};
use crate::stage::Stage;

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

/// Runs a script in a namespace of its own; what it runs measures for long on this stage. None where there can be none.
fn in_a_namespace(script: &str) -> Option<(Stage, Run)> {
    if !is_allowed(&NAMESPACE) {
        return None;
    }
    let stage = restless();
    let measure = stage.command(["measure", &stage.endless("long", LONG), "-q"]);
    let mut command = Command::new(NAMESPACE[0]);
    command.args(&NAMESPACE[1..]).args(["sh", "-c", script, "sh"]);
    command.arg(measure.get_program()).args(measure.get_args()).current_dir(stage.path(""));
    let run = Run::of(command.env("NO_COLOR", "1").env_remove("TLSTAX_IF_BUSY"));
    Some((stage, run))
}

#[test]
fn a_second_run_waits_refuses_or_says_that_it_went_beside() {
    let Some((stage, run)) = in_a_namespace(SCRIPT) else { return };
    let told = run.stdout.lines().collect::<Vec<_>>();
    let first = told
        .iter()
        .find_map(|line| line.strip_prefix("first 130 was process "))
        .unwrap_or_else(|| panic!("{run}"));
    for end in ["refused 3", "beside 0", "waiting 0"] {
        assert!(told.contains(&end), "{run}");
    }
    assert!(told.contains(&"0"), "it measured before the other had ended: {run}");

    let refused = format!("process {first} of user 0 for ");
    holds(stage.read("refused.err"), [&refused, "tlstax measure", "--if-busy wait"]);
    assert!(!stage.has("refused.journal") && !stage.has("refused.json"));

    holds(stage.read("beside.err"), ["both are disturbed"]);
    let notes = |name| stage.results(&run, name)["notes"].to_string();
    let has_met = |name| notes(name).contains("another one measured");
    assert_eq!(["beside", "waiting", "first"].map(has_met), [true, false, false]);
    assert!(!notes("beside").contains(first), "results name a process");
}

#[test]
fn what_measures_nothing_waits_for_nobody() {
    let script = SCRIPT.split_once("\"$@\" --if-busy refuse").unwrap().0.to_owned()
        + "for flag in --list --verify; do \"$@\" $flag --if-busy refuse >/dev/null || exit 8; done; kill -TERM $first; wait $first; exit 0";
    let Some((_stage, run)) = in_a_namespace(&script) else { return };
    run.ends(0);
}
