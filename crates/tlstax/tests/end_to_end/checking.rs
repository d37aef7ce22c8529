//! `tlstax check`: what is said of the machine, in words and as data.

use serde_json::{Value, json};

use crate::stage::Stage;

#[test]
fn what_could_be_handed_off_is_said_in_words_and_as_data() {
    let stage = Stage::with(&[("mock", json!({}))]);
    let run = stage.run(&["check", "--json"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let found: Value = serde_json::from_str(&run.stdout).unwrap();
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

    let words = stage.run(&["check"]).stdout;
    let section = words.split_once("\nOffload\n").unwrap().1;
    for means in offload {
        assert!(section.contains(means["what"].as_str().unwrap()), "{section}");
    }
}
