//! What is shown of documents that were made to deceive or to take for ever, and with nothing but the program at hand.

use std::fs::{self, OpenOptions};
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::processes::signal;
use crate::run::{Run, holds};
use crate::stage::Stage;

const FORMATS: [&str; 5] = ["text", "markdown", "csv", "json", "html"];

/// Those for the tools of others.
const EXPORTS: [&str; 3] = ["bmf", "github-action-benchmark", "openmetrics"];

/// What a terminal would obey: a title, a cleared screen, C1's CSI, NUL, DEL, a right-to-left override, a carriage return.
const HOSTILE: &str = "\u{1b}]0;x\u{7}\u{1b}[2J\u{9b}31m\0\u{7f}\u{202e}\r";

pub const PRIMITIVES: &str = "[[primitive]]\nalgorithms = [\"sha256\", \"md5\"]\nsizes = [64]\n";

/// That a terminal obeys nothing in this text.
#[track_caller]
pub fn is_harmless(what: &str, text: &str) {
    let acts =
        |letter: char| letter != '\n' && (letter.is_control() || "\u{202e}\u{2028}\u{2066}".contains(letter));
    let found = text.chars().position(acts);
    assert!(
        found.is_none(),
        "{what}: {:?}",
        text.chars().skip(found.unwrap_or(0)).take(40).collect::<String>()
    );
}

/// A document with hostile words wherever a document has words.
fn hostile(results: &Value) -> Value {
    let mut results = results.clone();
    let named = |what: &str| format!("{what}{HOSTILE}");
    results["study"]["name"] = json!(named("study"));
    results["study"]["question"] = json!(named("why?"));
    results["host"]["cpu"]["name"] = json!(named("cpu"));
    results["notes"] = json!([{ "severity": "warning", "what": named("note"), "remedy": named("remedy") }]);
    results["libraries"][0]["hello"]["version"] = json!(named("1.0"));
    for (place, measurement) in results["measurements"].as_array_mut().unwrap().iter_mut().enumerate() {
        let id = measurement["id"].as_str().unwrap().to_owned();
        measurement["id"] = json!(named(&id));
        if place == 0 {
            measurement["outcome"] = json!({ "is": "unsupported", "reason": named("hole") });
        }
    }
    results
}

#[test]
fn d14_a_document_moves_no_cursor_in_any_format() {
    let stage = Stage::calm();
    let good = stage.measured("good", PRIMITIVES);
    stage.write("bad.json", hostile(&good).to_string());
    for format in FORMATS.into_iter().chain(EXPORTS) {
        let report = stage.run(&format!("report bad.json --format {format}")).ends(0);
        let compare = stage.run(&format!("compare bad.json bad.json --format {format}")).ends(0);
        is_harmless(format, &report.stdout);
        is_harmless(format, &compare.stdout);
        // It is spelt, not hidden.
        report.shows(["\\u001b"]);
    }
    // The escapes are those of JSON, so that the data are what they were.
    let json = stage.run("report bad.json --json").json();
    holds(&json, [json!(format!("note{HOSTILE}")).to_string()]);
}

#[test]
fn d14_messages_about_files_flags_and_workers_move_no_cursor() {
    let strange = json!({ "hello": { "version": format!("1.0{HOSTILE}\nforged: line") } });
    let dying = json!({ "faults": [{
        "at": "hello", "fault": "die", "stderr": format!("died{HOSTILE}\nresults: forged.json")
    }] });
    let stage = Stage::with(&[("strange", strange), ("dying", dying)]);
    let file = stage.study("deadly", PRIMITIVES);
    let run = stage.run(&format!("measure {file} -o deadly"));
    is_harmless("a worker's last words on standard error", &run.stderr);
    is_harmless("a worker's last words in the report", &run.stdout);
    let run = run.says(["died\\u001b]0;x"]).shows(["1.0\\u001b]0;x"]);
    assert!(!run.stderr.lines().any(|line| line == "results: forged.json"), "{run}");
    for line in ["measure deadly.toml --verify", "measure deadly.toml --list", "libraries --verbose"] {
        let run = stage.run(line);
        let shown = run.stdout + &run.stderr;
        is_harmless(line, &shown);
        assert!(!shown.lines().any(|line| line.starts_with("forged")), "{shown}");
    }

    let name = "no\u{1b}[2Jsuch.json";
    for line in [format!("report {name}"), format!("compare {name} {name}"), format!("measure {name}")] {
        let run = stage.run(&line).ends(2).says(["no\\u001b[2J"]);
        is_harmless("an error", &run.stderr);
    }
}

#[test]
fn d17_an_id_is_no_formula_to_a_spreadsheet() {
    let stage = Stage::calm();
    let mut results = stage.measured("good", PRIMITIVES);
    results["measurements"][0]["id"] = json!("=HYPERLINK(\"//x\")");
    results["measurements"][1]["id"] = json!("@SUM(1)");
    stage.write("formula.json", results.to_string());
    let run = stage.run("report formula.json --format csv");
    run.shows(["\"'=HYPERLINK(\"\"//x\"\")\"", ",'@SUM(1),"]);
}

#[test]
fn formats_of_costs_refuse_what_has_none_and_several_runs() {
    let stage = Stage::calm();
    let results = stage.measured("good", PRIMITIVES);
    let mut other = results.clone();
    other["started"] = json!("2026-01-02T10:00:00Z");
    stage.write("other.json", other.to_string());
    let golden = concat!(env!("CARGO_MANIFEST_DIR"), "/../report/tests/golden");
    for format in EXPORTS {
        let run = stage.run(&format!("report good.json --format {format}")).ends(0);
        run.shows(["mock/primitive/sha256/digest/64"]);
        let several = format!("report good.json other.json --format {format}");
        stage.refuses(&several, [format, "one run", "csv"]);
        let of_plan = format!("report {golden}/plan.json --format {format}");
        stage.refuses(&of_plan, [format, "costs of cases that were measured"]);
    }
}

#[test]
fn d22_a_verb_that_does_not_measure_ends_at_the_first_signal() {
    let stage = Stage::calm();
    let fifo = stage.path("endless.json");
    assert!(Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    for (name, number) in [("-INT", 2), ("-TERM", 15)] {
        for words in [&["report", "endless.json"][..], &["compare", "endless.json", "endless.json"]] {
            let mut child = stage.command(words).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
            // This returns when the program has begun to read.
            let writer = OpenOptions::new().write(true).open(&fifo).unwrap();
            signal(name, child.id());
            // A program that goes on finds the end of the file, and ends with a code of its own.
            drop(writer);
            let status = child.wait().unwrap();
            assert_eq!(status.signal(), Some(number), "{words:?}: {status}");
        }
    }
}

#[test]
fn d22_of_endless_texts_the_beginning_is_shown() {
    let stage = Stage::calm();
    let mut results = stage.measured("good", PRIMITIVES);
    let long = "long words ".repeat(300_000);
    results["study"]["question"] = json!(long);
    results["notes"] = json!([{ "severity": "warning", "what": long, "remedy": "x".repeat(3_000_000) }]);
    results["measurements"][0]["outcome"] = json!({ "is": "unsupported", "reason": long });
    stage.write("long.json", results.to_string());
    for format in FORMATS {
        let usual = stage.run(&format!("report good.json -f {format}")).stdout.len();
        let run = stage.run(&format!("report long.json --format {format}"));
        assert_eq!(run.code, 0, "{}", run.stderr);
        assert!(run.stdout.contains("bytes in all"), "{format}");
        assert!(run.stdout.len() < usual + 100_000, "{format}: {}", run.stdout.len());
    }
}

#[test]
fn d34_what_measures_nothing_needs_no_source_tree() {
    let stage = Stage::calm();
    // Alone in an empty folder, without a source tree above it.
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("tlstax");
    fs::copy(env!("CARGO_BIN_EXE_tlstax"), &program).unwrap();
    for name in ["one", "two"] {
        stage.measured(name, PRIMITIVES);
        let results = format!("{name}.json");
        fs::copy(stage.path(&results), folder.path().join(&results)).unwrap();
    }
    let run = |line: &str| {
        let mut command = Command::new(&program);
        command.args(line.split_whitespace()).current_dir(folder.path());
        Run::of(command.env_remove("TLSTAX_HOME").stdin(Stdio::null()))
    };
    for line in [
        "report one.json",
        "report one.json --with-published --format json",
        "compare one.json two.json",
        "generate completions bash",
        "generate man man",
        "generate schemas schemas",
    ] {
        run(line).ends(0);
    }
    // Others still say what they miss.
    run("measure quick").ends(3);
    run("report one.json --with-published").shows(["BESIDE PUBLISHED FIGURES"]);
}
