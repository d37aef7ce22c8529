//! `tlstax check`: what is said of the machine, in words and as data.

use serde_json::{Value, json};

use crate::run::holds;
use crate::stage::Stage;

#[test]
fn what_could_be_handed_off_is_said_in_words_and_as_data() {
    let stage = Stage::calm();
    let found = stage.run("check --json").ends(0).json();
    let offload = found["offload"].as_array().unwrap();
    let ids: Vec<_> = offload.iter().map(|means| means["id"].as_str().unwrap()).collect();
    assert_eq!(
        ids,
        ["kernel-tls", "nic-tls", "af-alg", "qat", "kernel-devices", "openssl-providers", "openssl-engines"]
    );
    for means in offload {
        let state = means["state"].as_str().unwrap();
        assert!(["present", "ready", "absent", "unknown"].contains(&state), "{means}");
        assert!(means["found"].as_str().is_some_and(|found| found.len() > 3), "{means}");
        assert!(means["remedy"].is_string(), "{means}");
        assert!(state != "ready" || means["remedy"] != "", "what is not ready has a remedy: {means}");
    }

    let words = stage.run("check").stdout;
    let section = words.split_once("\nOffload\n").unwrap().1;
    holds(section, offload.iter().map(|means| means["what"].as_str().unwrap()));
}

/// Slow for its first batches, as a virtual machine is that compiles as it goes; then AES is twice as fast as ChaCha20.
#[test]
fn d05_the_quick_look_is_of_a_process_that_is_warm() {
    let script = json!({
        "costs": [
            { "case": "*/aes-128-gcm/*", "ns": 0.0, "ns_per_byte": 0.25 },
            { "case": "*/chacha20-poly1305/*", "ns": 0.0, "ns_per_byte": 0.5 },
        ],
        "slowdowns": [{ "case": "*/aes-128-gcm/*", "factor": 80.0, "batches": 15 }],
    });
    let found = accelerations(script);
    let [aes, chacha] =
        ["aes_128_gcm_mb_s", "chacha20_poly1305_mb_s"].map(|name| found[name].as_f64().unwrap());
    assert!((aes / 4000.0 - 1.0).abs() < 0.01 && (chacha / 2000.0 - 1.0).abs() < 0.01, "{found}");
}

/// It becomes faster every few batches, and has not come to rest when the patience is over.
#[test]
fn d05_a_speed_that_still_rises_is_no_figure_and_no_finding() {
    let faster = |step: u32| json!({ "case": "*/aes-128-gcm/*", "factor": 1.2, "batches": 4 * step });
    let script = json!({
        "costs": [{ "case": "*", "ns": 0.0, "ns_per_byte": 0.25 }],
        "slowdowns": (1..=40).map(faster).collect::<Vec<_>>(),
    });
    let found = accelerations(script);
    assert!(found["aes_128_gcm_mb_s"].is_null(), "{found}");
    assert!(found["chacha20_poly1305_mb_s"].is_number(), "{found}");
}

/// What `check` says of the speed of a script, having made no finding of it.
fn accelerations(script: Value) -> Value {
    let mut found = Stage::with(&[("mock", script)]).run("check --json").ends(0).json();
    assert!(!found["findings"].to_string().contains("AES instructions"), "{}", found["findings"]);
    found["accelerations"][0].take()
}
