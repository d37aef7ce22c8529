//! Runs that may use one of the machine's CPUs only.

use serde_json::Value;
use tlstax_measure::pin;

use crate::stage::Stage;

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
    let study = "[[handshake]]\nversions = [\"TLSv1.3\"]\nsuites = [\"TLS_AES_128_GCM_SHA256\"]\ngroups = [\"X25519\"]\n\
                 keys = [\"ecdsa-p256\"]\nthreads = [1, 2]\n";
    let (run, results) = on_one_cpu(|| stage.measure("mask", study, &[]));
    assert_eq!(run.code, 0, "{}", run.stderr);
    let row = run.stdout.lines().find(|line| line.contains("taking turns"));
    assert!(row.is_some_and(|row| !row.contains("lost")), "{}", run.stdout);
    assert!(!run.stdout.contains("contended"), "{}", run.stdout);
    let host = &results["host"];
    assert_eq!(host["allowed"]["threads"], 1, "{host}");
    let all = host["topology"]["threads"].as_u64().unwrap_or_default();
    assert_eq!(says_so(&results["notes"]), all > 1, "{}", results["notes"]);
}

#[test]
fn d06_the_check_speaks_of_the_mask() {
    let stage = Stage::calm();
    let run = on_one_cpu(|| stage.run(&["check", "--json"]));
    let found: Value = serde_json::from_str(&run.stdout).unwrap();
    let all = found["host"]["topology"]["threads"].as_u64().unwrap_or_default();
    assert_eq!(found["host"]["allowed"]["threads"], 1, "{}", found["host"]);
    assert_eq!(says_so(&found["findings"]), all > 1, "{}", found["findings"]);
}

fn says_so(notes: &Value) -> bool {
    notes.to_string().contains("the affinity mask allows one of the")
}
