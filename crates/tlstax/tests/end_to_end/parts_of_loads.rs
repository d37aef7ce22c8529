//! Windows of loads are told in parts by both ends, by real processes over real sockets.

use serde_json::Value;

use crate::stage::Stage;

/// What a process reads and writes beside a window, and of all else the share by which parts may miss the whole.
const CONVERSATION_NS: u64 = 300_000;
const SHARE: u64 = 50;

#[test]
fn both_ends_of_a_load_tell_parts_that_add_up() {
    let stage = Stage::with(&[]).and_connections("sound");
    let run = stage.run("load -l sound --client sound -c 4 -n 0,1 -b 1k --budget 8s --quiet -o load");
    let (run, results) = stage.with_results(run, "load");
    run.ends(0);
    let measured: Vec<&Value> = results["measurements"].as_array().unwrap().iter().collect();
    assert_eq!(measured.len(), 4, "with and without TLS, on new connections and on those that are kept");
    for one in measured {
        assert!(one["notes"].is_null(), "{}", one["notes"]);
        let batches = one["outcome"]["batches"].as_array().unwrap();
        assert!(batches.len() >= 6, "{}", one["outcome"]);
        batches.iter().for_each(adds_up);
    }
}

#[track_caller]
fn adds_up(batch: &Value) {
    let [client, server] = ["client", "server"].map(|side| {
        let parts = batch[format!("{side}_parts_ns")].as_array().unwrap();
        let sum: u64 = parts.iter().map(|part| part.as_u64().unwrap()).sum();
        let whole = batch[format!("{side}_ns")].as_u64().unwrap();
        assert!(
            sum.abs_diff(whole) <= whole / SHARE + CONVERSATION_NS,
            "{side}: {sum} of {whole} in {batch}"
        );
        parts.len() as u64
    });
    assert!(client >= 3 && client == server, "{client} parts of the client, {server} of the server");
    assert_eq!(batch["iterations"].as_u64().unwrap() % client, 0, "parts of unequal numbers of requests");
}
