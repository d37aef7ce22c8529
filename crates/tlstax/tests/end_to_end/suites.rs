//! `tlstax suites`: cipher strings that scripted libraries expand, and what is printed, measured and refused.

use serde_json::{Value, json};

use crate::stage::{Run, Stage};

const GCM: [&str; 2] = ["TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384", "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256"];
const ECDSA: &str = "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256";
const UNKNOWN: &str = "TLS_ECDHE_ECDSA_WITH_AES_256_CCM";
const OLD: &str = "TLS_RSA_WITH_3DES_EDE_CBC_SHA";

/// A library with words: HIGH is two suites, LOW an old one, CCM one that is not in our vocabulary.
fn with_words(more: Value) -> Value {
    let mut script = json!({
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
    });
    for (key, value) in more.as_object().unwrap() {
        script[key] = value.clone();
    }
    script
}

fn stage() -> Stage {
    Stage::with(&[("mock", with_words(json!({})))])
}

/// The view that was printed as JSON.
fn view(run: &Run) -> Value {
    assert_eq!(run.code, 0, "{}", run.stderr);
    serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}: {}", run.stdout))
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
    section["blocks"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|block| block["is"] == "notes")
        .map(Value::to_string)
        .collect()
}

#[test]
fn a_string_is_expanded_in_the_librarys_order_with_what_each_suite_is() {
    let run = stage().run(&["suites", "HIGH:CCM:LOW", "--no-measure", "--json"]);
    let view = view(&run);
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
    let notes = notes(section(&view, "mock"));
    assert!(notes.contains("Sweet32") && notes.contains("server's key later"), "{notes}");
}

#[test]
fn words_that_do_nothing_are_named() {
    let run = stage().run(&["suites", "HIGH:FOO:!MD5", "--no-measure", "--json"]);
    let view = view(&run);
    let notes = notes(section(&view, "mock"));
    assert!(notes.contains("the word 'FOO' selects nothing"), "{notes}");
    assert!(notes.contains("the word '!MD5' takes nothing away"), "{notes}");
    assert!(!notes.contains("'HIGH'"), "{notes}");
}

#[test]
fn each_suite_is_measured_with_the_keys_that_fit_and_the_rest_says_why_not() {
    let stage = stage();
    let output = stage.path("costs");
    let run = stage.run(&[
        "suites",
        "HIGH:CCM:LOW",
        "--key",
        "rsa-2048",
        "--budget",
        "20s",
        "--json",
        "-q",
        "-o",
        output.to_str().unwrap(),
    ]);
    let view = view(&run);
    let section = section(&view, "mock");
    let rows = rows(section, 1);
    let handshake_and_bulk = ["rsa-2048", "200.00", "300.00", "0.55", "0.55"];
    assert_eq!(rows[0][2..], handshake_and_bulk, "{rows:?}");
    assert_eq!((rows[1][5].as_str(), rows.len()), ("0.50", 4), "{rows:?}");
    assert!(rows[2][3].starts_with("hole: ") && rows[2][3].contains("vocabulary"), "{rows:?}");
    let sentences = section["sentences"].to_string();
    assert!(sentences.contains("as sending 364 KB"), "{sentences}");
    assert!(sentences.contains("bulk data cost the server by +10.0 %"), "{sentences}");
    // 200 µs and 5 µs: a tenth of the 5 µs.
    assert!(
        sentences.contains("connection costs by +0.2 %") && sentences.contains("handshake is 98 %"),
        "{sentences}"
    );
    let results: Value =
        serde_json::from_str(&std::fs::read_to_string(output.with_extension("json")).unwrap()).unwrap();
    assert_eq!(results["measurements"].as_array().unwrap().len(), 6, "{results}");
    assert!(output.with_extension("html").is_file());
}

#[test]
fn a_suite_that_no_key_fits_says_which_would() {
    let stage = stage();
    let output = stage.path("costs");
    let run = |string: &str, key: &str| {
        stage.run(&[
            "suites",
            string,
            "--key",
            key,
            "--budget",
            "20s",
            "--json",
            "-q",
            "-o",
            output.to_str().unwrap(),
        ])
    };
    let none = run("HIGH", "ecdsa-p256");
    assert!(none.stderr.contains("nothing is measured"), "{}", none.stderr);
    assert!(view(&none)["title"].as_str().unwrap().ends_with("means"));
    assert!(!output.with_extension("json").exists());
    let some = view(&run("RSA:ECDSA", "rsa-2048"));
    let rows = rows(section(&some, "mock"), 1);
    assert_eq!(rows[0][2], "rsa-2048");
    assert!(rows[1][3].contains("such as ecdsa-p256"), "{rows:?}");
}

#[test]
fn a_string_that_selects_nothing_is_refused_with_the_librarys_complaint() {
    let run = stage().run(&["suites", "FOO"]);
    assert_eq!(run.code, 2, "{}", run.stderr);
    assert!(
        run.stderr.contains("no library expands 'FOO'") && run.stderr.contains("no cipher match"),
        "{}",
        run.stderr
    );
}

#[test]
fn a_library_without_strings_is_a_row_of_its_own_beside_one_with_them() {
    let stage = Stage::with(&[("with", with_words(json!({}))), ("without", json!({}))]);
    let run = stage.run(&["suites", "HIGH", "--no-measure", "--json"]);
    let view = view(&run);
    assert_eq!(rows(section(&view, "with"), 0).len(), 2);
    assert!(notes(section(&view, "without")).contains("the script has no cipher strings"));
}

#[test]
fn mozillas_lists_are_held_against_a_library_that_has_no_words_for_them() {
    let hello = json!({"hello": {"family": "other", "suites": ["TLS_CHACHA20_POLY1305_SHA256", GCM[0], GCM[1], OLD]}});
    let stage = Stage::with(&[("other", hello)]);
    let run = stage.run(&["suites", "intermediate", "--no-measure", "--json"]);
    let view = view(&run);
    let names: Vec<String> = rows(section(&view, "other"), 0).into_iter().map(|row| row[1].clone()).collect();
    assert_eq!(names, ["TLS_CHACHA20_POLY1305_SHA256", GCM[1], GCM[0]]);
    let notes = notes(section(&view, "other"));
    assert!(notes.contains("does not have: TLS_AES_128_GCM_SHA256"), "{notes}");
    assert!(
        notes.contains("not known") && notes.contains("TLS_DHE_RSA_WITH_CHACHA20_POLY1305_SHA256"),
        "{notes}"
    );
    assert!(view["about"].as_str().unwrap().contains("version 5.7"), "{view}");
}

/// A worker of another time answers a request that it does not know with a failure of another stage.
#[test]
fn a_worker_that_does_not_know_the_question_is_no_failure() {
    let fault = json!({"faults": [{"at": "expand", "fault": "fail"}]});
    let stage = Stage::with(&[("older", with_words(fault)), ("newer", with_words(json!({})))]);
    let run = stage.run(&["suites", "HIGH", "--no-measure", "--json"]);
    let view = view(&run);
    let notes = notes(section(&view, "older"));
    assert!(notes.contains("does not know the question") && notes.contains("libraries build"), "{notes}");
    assert_eq!(rows(section(&view, "newer"), 0).len(), 2);
}

#[test]
fn a_worker_that_dies_over_the_question_is_told_and_the_others_go_on() {
    let fault = json!({"faults": [{"at": "expand", "fault": "die"}]});
    let stage = Stage::with(&[("dies", with_words(fault)), ("lives", with_words(json!({})))]);
    let run = stage.run(&["suites", "HIGH", "--no-measure", "--json"]);
    let view = view(&run);
    assert!(notes(section(&view, "dies")).contains("the worker ended"), "{view}");
    assert_eq!(rows(section(&view, "lives"), 0).len(), 2);
}
