//! What is shown of documents that were made to deceive or to take for ever, and with nothing but the program at hand.

use std::fs::OpenOptions;
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::stage::{Run, Stage};

const FORMATS: [&str; 5] = ["text", "markdown", "csv", "json", "html"];

/// What a terminal would obey: a title, a cleared screen, C1's CSI, NUL, DEL, a right-to-left override, a carriage return.
const HOSTILE: &str = "\u{1b}]0;x\u{7}\u{1b}[2J\u{9b}31m\0\u{7f}\u{202e}\r";

pub const PRIMITIVES: &str = "[[primitive]]\nalgorithms = [\"sha256\", \"md5\"]\nsizes = [64]\n";

/// Results of a study, written as NAME.json.
pub fn measured(stage: &Stage, name: &str, matrices: &str) -> Value {
    let (run, results) = stage.measure(name, matrices, &[]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    results
}

/// Writes a document and says where.
fn document(stage: &Stage, name: &str, results: &Value) -> String {
    let path = stage.path(name);
    std::fs::write(&path, results.to_string()).unwrap();
    path.to_str().unwrap().to_owned()
}

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
    let good = measured(&stage, "good", PRIMITIVES);
    let bad = document(&stage, "bad.json", &hostile(&good));
    for format in FORMATS {
        for words in [&["report", bad.as_str()][..], &["compare", &bad, &bad]] {
            let run = stage.run(&[words, &["--format", format]].concat());
            assert_eq!(run.code, 0, "{}", run.stderr);
            is_harmless(format, &run.stdout);
        }
        let run = stage.run(&["report", &bad, "--format", format]);
        assert!(run.stdout.contains("\\u001b"), "{format}: it is spelt, not hidden");
    }
    // The escapes are those of JSON, so that the data are what they were.
    let json: Value = serde_json::from_str(&stage.run(&["report", &bad, "--json"]).stdout).unwrap();
    let note = json!(format!("note{HOSTILE}")).to_string();
    assert!(json.to_string().contains(&note), "{json}");
}

#[test]
fn d14_messages_about_files_flags_and_workers_move_no_cursor() {
    let strange = json!({ "hello": { "version": format!("1.0{HOSTILE}\nforged: line") } });
    let dying = json!({ "faults": [{
        "at": "hello", "fault": "die", "stderr": format!("died{HOSTILE}\nresults: forged.json")
    }] });
    let stage = Stage::with(&[("strange", strange), ("dying", dying)]);
    let file = stage.study("deadly", PRIMITIVES);
    let run = stage.run(&["measure", file.to_str().unwrap(), "-o", "deadly"]);
    is_harmless("a worker's last words on standard error", &run.stderr);
    is_harmless("a worker's last words in the report", &run.stdout);
    assert!(run.stderr.contains("died\\u001b]0;x"), "{}", run.stderr);
    assert!(!run.stderr.lines().any(|line| line == "results: forged.json"), "{}", run.stderr);
    assert!(run.stdout.contains("1.0\\u001b]0;x"), "{}", run.stdout);
    let path = file.to_str().unwrap();
    for words in
        [&["measure", path, "--verify"][..], &["measure", path, "--list"], &["libraries", "--verbose"]]
    {
        let run = stage.run(words);
        let shown = run.stdout + &run.stderr;
        is_harmless(words[0], &shown);
        assert!(!shown.lines().any(|line| line.starts_with("forged")), "{shown}");
    }

    let name = "no\u{1b}[2Jsuch.json";
    for words in [&["report", name][..], &["compare", name, name], &["measure", name]] {
        let run = stage.run(words);
        assert_eq!(run.code, 2, "{words:?}: {}", run.stderr);
        is_harmless("an error", &run.stderr);
        assert!(run.stderr.contains("no\\u001b[2J"), "{}", run.stderr);
    }
}

#[test]
fn d17_an_id_is_no_formula_to_a_spreadsheet() {
    let stage = Stage::calm();
    let mut results = measured(&stage, "good", PRIMITIVES);
    results["measurements"][0]["id"] = json!("=HYPERLINK(\"//x\")");
    results["measurements"][1]["id"] = json!("@SUM(1)");
    let path = document(&stage, "formula.json", &results);
    let csv = stage.run(&["report", &path, "--format", "csv"]).stdout;
    assert!(csv.contains("\"'=HYPERLINK(\"\"//x\"\")\""), "{csv}");
    assert!(csv.contains(",'@SUM(1),"), "{csv}");
}

#[test]
fn d22_a_verb_that_does_not_measure_ends_at_the_first_signal() {
    let stage = Stage::calm();
    let fifo = stage.path("endless.json");
    assert!(Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    let path = fifo.to_str().unwrap();
    for (name, number) in [("-INT", 2), ("-TERM", 15)] {
        for words in [&["report", path][..], &["compare", path, path]] {
            let mut child = stage.command(words).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
            // This returns when the program has begun to read.
            let writer = OpenOptions::new().write(true).open(&fifo).unwrap();
            let id = child.id().to_string();
            assert!(Command::new("kill").args([name, &id]).status().unwrap().success());
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
    let mut results = measured(&stage, "good", PRIMITIVES);
    let usual: Vec<usize> = FORMATS
        .iter()
        .map(|format| {
            stage.run(&["report", stage.path("good.json").to_str().unwrap(), "-f", format]).stdout.len()
        })
        .collect();
    let long = "long words ".repeat(300_000);
    results["study"]["question"] = json!(long);
    results["notes"] = json!([{ "severity": "warning", "what": long, "remedy": "x".repeat(3_000_000) }]);
    results["measurements"][0]["outcome"] = json!({ "is": "unsupported", "reason": long });
    let path = document(&stage, "long.json", &results);
    for (format, usual) in FORMATS.iter().zip(usual) {
        let run = stage.run(&["report", &path, "--format", format]);
        assert_eq!(run.code, 0, "{}", run.stderr);
        assert!(run.stdout.contains("bytes in all"), "{format}");
        assert!(run.stdout.len() < usual + 100_000, "{format}: {}", run.stdout.len());
    }
}

/// The program alone in an empty folder, without a source tree above it.
fn alone(stage: &Stage) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("tlstax");
    std::fs::copy(env!("CARGO_BIN_EXE_tlstax"), &program).unwrap();
    for results in ["one.json", "two.json"] {
        std::fs::copy(stage.path(results), folder.path().join(results)).unwrap();
    }
    (folder, program)
}

#[test]
fn d34_what_measures_nothing_needs_no_source_tree() {
    let stage = Stage::calm();
    measured(&stage, "one", PRIMITIVES);
    measured(&stage, "two", PRIMITIVES);
    let (folder, program) = alone(&stage);
    let run = |words: &[&str]| -> Run {
        let mut command = Command::new(&program);
        command.args(words).current_dir(folder.path()).env_remove("TLSTAX_HOME").stdin(Stdio::null());
        command.output().unwrap().into()
    };
    for words in [
        &["report", "one.json"][..],
        &["report", "one.json", "--with-published", "--format", "json"],
        &["compare", "one.json", "two.json"],
        &["generate", "completions", "bash"],
        &["generate", "man", "man"],
        &["generate", "schemas", "schemas"],
    ] {
        let run = run(words);
        assert_eq!(run.code, 0, "{words:?}: {}", run.stderr);
    }
    // Others still say what they miss.
    assert_eq!(run(&["measure", "quick"]).code, 3);
    let published = run(&["report", "one.json", "--with-published"]).stdout;
    assert!(published.contains("BESIDE PUBLISHED FIGURES"), "{published}");
}
