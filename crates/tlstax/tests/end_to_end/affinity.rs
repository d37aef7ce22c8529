//! Runs that may use one of the machine's CPUs only.

use serde_json::Value;
use tlstax_measure::pin;

use crate::stage::{HANDSHAKES, Stage};

/// Does something on a thread that may use one CPU; programs that it starts may use no other.
fn on_one_cpu<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    let cpu = *pin::available().last().unwrap();
    std::thread::scope(|scope| {
        let pinned = scope.spawn(move || {
            pin::pin_thread(cpu).unwrap();
            work()
        });
        pinned.join().unwrap()
    })
}

#[test]
fn d06_threads_on_one_allowed_cpu_take_turns() {
    let stage = Stage::calm();
    let study = format!("{HANDSHAKES}keys = [\"ecdsa-p256\"]\nthreads = [1, 2]\n");
    let (run, results) = on_one_cpu(|| stage.measure("mask", &study, ""));
    let run = run.ends(0);
    let row = run.stdout.lines().find(|line| line.contains("taking turns"));
    assert!(row.is_some_and(|row| !row.contains("lost")), "{run}");
    assert!(!run.stdout.contains("contended"), "{run}");
    speaks_of_the_mask(&results["host"], &results["notes"]);
}

#[test]
fn d06_the_check_speaks_of_the_mask() {
    let stage = Stage::calm();
    let found = on_one_cpu(|| stage.run("check --json")).json();
    speaks_of_the_mask(&found["host"], &found["findings"]);
}

#[track_caller]
fn speaks_of_the_mask(host: &Value, notes: &Value) {
    assert_eq!(host["allowed"]["threads"], 1, "{host}");
    let all = host["topology"]["threads"].as_u64().unwrap_or_default();
    let says_so = notes.to_string().contains("the affinity mask allows one of the");
    assert_eq!(says_so, all > 1, "{notes}");
}
