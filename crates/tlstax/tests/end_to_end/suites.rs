//! `tlstax suites`: cipher strings that scripted libraries expand, and what is printed, measured and refused.

use serde_json::{Value, json};

use crate::run::{Run, holds};
use crate::stage::Stage;

const GCM: [&str; 2] = ["TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384", "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256"];
const ECDSA: &str = "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256";
const UNKNOWN: &str = "TLS_ECDHE_ECDSA_WITH_AES_256_CCM";
const OLD: &str = "TLS_RSA_WITH_3DES_EDE_CBC_SHA";

/// A library with words: HIGH is two suites, LOW an old one, CCM one that is not in our vocabulary.
fn with_words(faults: Value) -> Value {
    json!({
        "hello": {"family": "openssl"},
        "expand": {
            "HIGH": GCM,
            "LOW": [OLD],
            "CCM": [UNKNOWN],
            "HIGH:CCM:LOW": [GCM[0], GCM[1], UNKNOWN, OLD],
            "HIGH:FOO:!MD5": GCM,
            "RSA:ECDSA": [GCM[1], ECDSA],
        },
        "costs": [
            {"case": "*/handshake/*AES_*_GCM*", "client_ns": 300_000, "server_ns": 200_000},
            {"case": "*/bulk/*AES_256*", "ns_per_byte": 0.55},
            {"case": "*/bulk/*AES_128*", "ns_per_byte": 0.5},
        ],
        "faults": faults,
    })
}

fn stage() -> Stage {
    Stage::with(&[("mock", with_words(json!([])))])
}

/// What a string means, as a view.
#[track_caller]
fn meaning(stage: &Stage, string: &str) -> Value {
    stage.run(&format!("suites {string} --no-measure --json")).ends(0).json()
}

/// What the suites of a string cost with a key, measured into costs.json.
#[track_caller]
fn cost(stage: &Stage, string: &str, key: &str) -> Run {
    stage.run(&format!("suites {string} --key {key} --budget 20s --json -q -o costs")).ends(0)
}

fn section<'a>(view: &'a Value, id: &str) -> &'a Value {
    let all = view["sections"].as_array().unwrap();
    all.iter().find(|one| one["id"] == format!("suites-{id}")).unwrap_or_else(|| panic!("{id} in {view}"))
}

/// The cells of a table of a section as text; numbers by their value, holes by their reason.
fn rows(section: &Value, table: usize) -> Vec<Vec<String>> {
    let tables: Vec<&Value> =
        section["blocks"].as_array().unwrap().iter().filter(|block| block["is"] == "table").collect();
    let cell = |cell: &Value| match cell["is"].as_str().unwrap() {
        "text" => cell["text"].as_str().unwrap().to_owned(),
        "quantity" => format!("{:.2}", cell["value"].as_f64().unwrap()),
        "hole" => format!("hole: {}", cell["reason"].as_str().unwrap()),
        _ => String::new(),
    };
    let row = |row: &Value| row["cells"].as_array().unwrap().iter().map(cell).collect();
    tables[table]["rows"].as_array().unwrap().iter().map(row).collect()
}

fn notes(section: &Value) -> String {
    let blocks = section["blocks"].as_array().unwrap();
    blocks.iter().filter(|block| block["is"] == "notes").map(Value::to_string).collect()
}

#[test]
fn a_string_is_expanded_in_the_librarys_order_with_what_each_suite_is() {
    let view = meaning(&stage(), "HIGH:CCM:LOW");
    let rows = rows(section(&view, "mock"), 0);
    let told: Vec<String> = rows.iter().map(|row| row.join("|")).collect();
    assert_eq!(
        told,
        [
            "1|TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384|ECDHE-RSA-AES256-GCM-SHA384|1.2|ECDHE|RSA|yes|AES-256-GCM|AEAD|",
            "2|TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256|ECDHE-RSA-AES128-GCM-SHA256|1.2|ECDHE|RSA|yes|AES-128-GCM|AEAD|",
            "3|TLS_ECDHE_ECDSA_WITH_AES_256_CCM|ECDHE-ECDSA-AES256-CCM|1.2|ECDHE|ECDSA|yes|AES-256-CCM|AEAD|",
            "4|TLS_RSA_WITH_3DES_EDE_CBC_SHA|DES-CBC3-SHA|1.2|RSA|RSA|no|3DES-EDE-CBC|HMAC-SHA1|3DES, no FS, CBC, SHA-1",
        ]
    );
    holds(notes(section(&view, "mock")), ["Sweet32", "server's key later"]);
}

#[test]
fn words_that_do_nothing_are_named() {
    let view = meaning(&stage(), "HIGH:FOO:!MD5");
    let notes = notes(section(&view, "mock"));
    holds(&notes, ["the word 'FOO' selects nothing", "the word '!MD5' takes nothing away"]);
    assert!(!notes.contains("'HIGH'"), "{notes}");
}

#[test]
fn each_suite_is_measured_with_the_keys_that_fit_and_the_rest_says_why_not() {
    let stage = stage();
    let run = cost(&stage, "HIGH:CCM:LOW", "rsa-2048");
    let view = run.json();
    let section = section(&view, "mock");
    let rows = rows(section, 1);
    let handshake_and_bulk = ["rsa-2048", "200.00", "300.00", "0.55", "0.55"];
    assert_eq!(rows[0][2..], handshake_and_bulk, "{rows:?}");
    assert_eq!((rows[1][5].as_str(), rows.len()), ("0.50", 4), "{rows:?}");
    assert!(rows[2][3].starts_with("hole: ") && rows[2][3].contains("vocabulary"), "{rows:?}");
    let sentences = &section["sentences"];
    holds(sentences, ["as sending 364 KB", "bulk data cost the server by +10.0 %"]);
    // 200 µs and 5 µs: a tenth of the 5 µs.
    holds(sentences, ["connection costs by +0.2 %", "handshake is 98 %"]);
    let results = stage.results(&run, "costs");
    assert_eq!(results["measurements"].as_array().unwrap().len(), 6, "{results}");
    assert!(stage.path("costs.html").is_file());
}

#[test]
fn a_suite_that_no_key_fits_says_which_would() {
    let stage = stage();
    let none = cost(&stage, "HIGH", "ecdsa-p256").says(["nothing is measured"]);
    assert!(none.json()["title"].as_str().unwrap().ends_with("means"));
    assert!(!stage.has("costs.json"));
    let some = cost(&stage, "RSA:ECDSA", "rsa-2048").json();
    let rows = rows(section(&some, "mock"), 1);
    assert_eq!(rows[0][2], "rsa-2048");
    assert!(rows[1][3].contains("such as ecdsa-p256"), "{rows:?}");
}

#[test]
fn a_string_that_selects_nothing_is_refused_with_the_librarys_complaint() {
    stage().refuses("suites FOO", ["no library expands 'FOO'", "no cipher match"]);
}

#[test]
fn a_library_without_strings_is_a_row_of_its_own_beside_one_with_them() {
    let stage = Stage::with(&[("with", with_words(json!([]))), ("without", json!({}))]);
    let view = meaning(&stage, "HIGH");
    assert_eq!(rows(section(&view, "with"), 0).len(), 2);
    holds(notes(section(&view, "without")), ["the script has no cipher strings"]);
}

#[test]
fn mozillas_lists_are_held_against_a_library_that_has_no_words_for_them() {
    let hello = json!({"hello": {"family": "other", "suites": ["TLS_CHACHA20_POLY1305_SHA256", GCM[0], GCM[1], OLD]}});
    let view = meaning(&Stage::with(&[("other", hello)]), "intermediate");
    let names: Vec<String> = rows(section(&view, "other"), 0).into_iter().map(|row| row[1].clone()).collect();
    assert_eq!(names, ["TLS_CHACHA20_POLY1305_SHA256", GCM[1], GCM[0]]);
    let absent = ["does not have: TLS_AES_128_GCM_SHA256", "TLS_DHE_RSA_WITH_CHACHA20_POLY1305_SHA256"];
    holds(notes(section(&view, "other")), absent);
    holds(&view["about"], ["version 5.7"]);
}

/// A worker of another time answers a request that it does not know with a failure of another stage; another dies over it.
#[test]
fn a_worker_that_does_not_know_the_question_or_dies_over_it_is_told_and_the_others_go_on() {
    for (fault, words) in
        [("fail", &["does not know the question", "libraries build"][..]), ("die", &["the worker ended"])]
    {
        let faulty = with_words(json!([{"at": "expand", "fault": fault}]));
        let stage = Stage::with(&[("faulty", faulty), ("sound", with_words(json!([])))]);
        let view = meaning(&stage, "HIGH");
        holds(notes(section(&view, "faulty")), words);
        assert_eq!(rows(section(&view, "sound"), 0).len(), 2);
    }
}
