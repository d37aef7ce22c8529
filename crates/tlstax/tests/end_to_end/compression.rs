//! TLS compression: asked only of who has it, held against its proof, set beside the same without.

use serde_json::json;

use crate::run::{holds, measurement, outcome};
use crate::stage::Stage;

const STUDY: &str = "[[bulk]]\nversions = [\"TLSv1.2\"]\nsuites = [\"TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256\"]\n\
                     groups = [\"X25519\"]\nkeys = [\"ecdsa-p256\"]\ncompressions = [\"none\", \"deflate\"]\n";

/// 1000 ns for a buffer of 262144 bytes sent, and 33 times as much with compression.
fn script() -> serde_json::Value {
    json!({
        "hello": { "compressions": ["deflate"] },
        "costs": [
            { "case": "*/bulk/*/deflate/*", "client_ns": 8_650_752.0, "server_ns": 8_650_752.0 },
            { "case": "*/bulk/*", "client_ns": 262_144.0, "server_ns": 262_144.0 },
        ],
    })
}

#[test]
fn a_library_without_compression_is_not_asked_for_it() {
    let (run, results) = Stage::calm().measure("none", STUDY, "");
    run.ends(0).shows(["this build has no TLS compression"]);
    assert_eq!(outcome(&results, "/deflate/text"), "unsupported");
    assert_eq!(outcome(&results, "/buffer-262144"), "measured");
}

#[test]
fn what_compression_costs_stands_beside_the_same_suite_without() {
    let (run, results) = Stage::with(&[("mock", script())]).measure("both", STUDY, "");
    assert_eq!(measurement(&results, "/deflate/text")["outcome"]["proof"]["compression"], "deflate");
    run.ends(0).shows([
        "TLS compression beside the same suite without",
        "Sending text with TLS compression (deflate) costs 33x sending without (mock): 30.3",
        "1000",
        "33 % of the bytes go over the wire",
    ]);
}

#[test]
fn compression_that_was_not_negotiated_is_never_timed() {
    let mut script = script();
    script["faults"] = json!([{ "case": "*/bulk/*", "at": "prepare", "fault": "other-compression" }]);
    let (_, results) = Stage::with(&[("mock", script)]).measure("lies", STUDY, "");
    for (end, words) in [
        ("/deflate/text", "asked for TLS compression deflate, the library negotiated none"),
        ("/buffer-262144", "asked for TLS compression none, the library negotiated deflate"),
    ] {
        let found = &measurement(&results, end)["outcome"];
        assert_eq!((&found["is"], &found["stage"]), (&json!("failed"), &json!("proof")), "{found}");
        holds(&found["message"], [words]);
    }
}

#[test]
fn the_short_cut_takes_a_version_that_has_it() {
    let stage = Stage::calm();
    let list = stage.run("bulk --compression none,deflate --content text,zeros --list").ends(0).stdout;
    let ends: Vec<&str> =
        list.lines().filter_map(|line| line.split_once("/buffer-262144")).map(|(_, end)| end).collect();
    assert!(list.lines().all(|line| line.contains("/TLSv1.2/")), "{list}");
    // What is sent makes no difference without.
    assert_eq!(ends, ["", "/deflate/text", "/deflate/zeros"]);
    let refused = stage.run("bulk --compression deflate --tls TLSv1.3").ends(2);
    holds(json!(refused.stderr), ["TLSv1.3 has no compression, and --compression names deflate"]);
    let idle = stage.run("bulk --content random").ends(2);
    holds(json!(idle.stderr), ["--content matters to what is compressed only, and nothing is"]);
}

#[test]
fn check_names_who_would_compress() {
    let mut script = script();
    script["hello"]["compresses"] = json!(true);
    let found = Stage::with(&[("mock", script)]).run("check --json").ends(0).json();
    let findings = found["findings"].as_array().unwrap();
    let note = findings.iter().find(|note| note["what"].as_str().unwrap().contains("compresses"));
    let note = note.unwrap_or_else(|| panic!("nothing is said of compression: {found}"));
    holds(&note["what"], ["mock is script 1.0: it compresses (deflate) unless a program forbids it"]);
    holds(&note["remedy"], ["SSL_OP_NO_COMPRESSION"]);
    let calm = Stage::calm().run("check --json").ends(0).json();
    assert!(!calm["findings"].to_string().contains("compresses"), "{calm}");
}
