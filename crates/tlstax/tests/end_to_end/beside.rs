//! Results beside others: of the user's own machines, and published ones.

use serde_json::json;

use crate::stage::{HANDSHAKES, Stage};

const STUDY: &str = "[[primitive]]\nalgorithms = [\"aes-128-gcm\", \"aes-256-gcm\"]\nops = [\"encrypt\"]\nsizes = [64, 1024]\n";

/// Three machines: the second is half as fast, and the third has another study besides.
fn machines() -> Stage {
    let stage = Stage::with(&[("mock", json!({ "seed": 1 }))]);
    stage.measured("laptop", STUDY);
    stage.script("mock", &json!({ "seed": 2, "slowdowns": [{ "case": "*", "factor": 2.0 }] }));
    stage.measured("server", STUDY);
    stage.script("mock", &json!({ "seed": 3 }));
    stage.measured("vm", &format!("{STUDY}{HANDSHAKES}keys = [\"ecdsa-p256\"]\n"));
    stage
}

#[test]
fn machines_stand_in_columns_and_ratios_are_of_one_run() {
    let stage = machines();
    let view = stage.run("report laptop.json server.json vm.json --json").ends(0).json();
    let section = |id: &str| {
        let sections = view["sections"].as_array().unwrap();
        sections.iter().find(|section| section["id"] == id).unwrap_or_else(|| panic!("no {id}")).clone()
    };
    let table = section("primitives")["blocks"][0].clone();
    let titles: Vec<_> =
        table["columns"].as_array().unwrap().iter().map(|column| column["title"].clone()).collect();
    assert_eq!(titles, ["library", "", "laptop", "server", "vm"]);
    let value = |row: &serde_json::Value, column: usize| row["cells"][column]["value"].as_f64().unwrap();
    for row in table["rows"].as_array().unwrap() {
        let [laptop, server, vm] = [2, 3, 4].map(|column| value(row, column));
        assert!((laptop / server - 2.0).abs() < 0.01 && (laptop / vm - 1.0).abs() < 0.01, "{row}");
    }
    // A planted factor on all cases of one machine changes nothing within its run.
    for row in section("ratios")["blocks"][0]["rows"].as_array().unwrap() {
        let [laptop, server] = [2, 3].map(|column| value(row, column));
        assert!((laptop - server).abs() < 0.5, "{row}");
    }
    let text = stage.run("report laptop.json server.json vm.json").ends(0);
    text.shows(["MACHINES", "RATIOS WITHIN EACH RUN", "1 case is in one of the runs only, and left out"]);
}

#[test]
fn what_cannot_stand_in_columns_is_refused() {
    let stage = machines();
    stage.refuses("report laptop.json vm.json --with-published", ["one file of results"]);
    stage.refuses("report laptop.json none.json", ["none.json"]);
    std::fs::copy(stage.path("laptop.json"), stage.path("copy.json")).unwrap();
    stage.refuses("report laptop.json vm.json copy.json", ["laptop.json and copy.json hold the same run"]);
}

#[test]
fn own_figures_are_shown_as_far_as_they_can_be_read() {
    let stage = Stage::calm();
    stage.measured("one", STUDY);
    stage.write(
        "old.csv",
        "machine,software,algorithm,operation,bytes,value,unit\n\
         Old server,OpenSSL 1.0,aes-128-gcm,encrypt,1024,500,MB/s\n\
         Old server,OpenSSL 1.0,aes-256-gcm,encrypt,1024,4,GB/s\n\
         Old server,OpenSSL 1.0,aes-256-gcm,encrypt,64,,MB/s\n",
    );
    let run = stage.run("report one.json --published old.csv").ends(2);
    let run = run.shows(["BESIDE PUBLISHED FIGURES", "Old server, OpenSSL 1.0", "aes-128-gcm encrypt 1 KiB"]);
    run.says([
        "old.csv, line 3: the unit 'GB/s'",
        "write MB/s",
        "old.csv, line 4: value is empty; fill it in",
    ]);
    stage.write("other.csv", "a,b\n1,2\n");
    let run = stage.run("report one.json --published other.csv").ends(2);
    run.shows(["CIPHERS AND HASHES"]).says(["other.csv, line 1: the head of the table lacks"]);
    stage.refuses("report one.json --published none.csv", ["none.csv"]);
}
