//! Where results go: names with dots, places that are taken, places that cannot be written.

use std::process::Stdio;

use serde_json::json;

use crate::interruption::{restless, start};
use crate::stage::{Run, Stage};

const ONE: &str = "[[primitive]]\nalgorithms = [\"sha256\"]\nsizes = [64]\n";

fn measure(stage: &Stage, more: &[&str]) -> Run {
    let file = stage.study("one", ONE);
    stage.run(&[&["measure", file.to_str().unwrap()], more].concat())
}

#[test]
fn names_with_dots_stay_whole() {
    let stage = Stage::calm();
    for (output, stem) in [("v1.2", "v1.2"), ("v1.3.json", "v1.3"), ("plain", "plain"), ("x.html", "x.html")]
    {
        let run = measure(&stage, &["-o", output]);
        assert_eq!(run.code, 0, "{}", run.stderr);
        for ending in ["json", "html"] {
            let file = format!("{stem}.{ending}");
            assert!(stage.path(&file).is_file(), "-o {output} wrote no {file}: {}", run.stderr);
            assert!(run.stderr.contains(&file), "{}", run.stderr);
        }
        assert!(!stage.path(&format!("{stem}.journal")).exists());
    }
    let file = stage.study("dotted", ONE);
    let text = std::fs::read_to_string(&file).unwrap().replace("\"dotted\"", "\"tls1.3\"");
    std::fs::write(&file, text).unwrap();
    assert_eq!(stage.run(&["measure", file.to_str().unwrap(), "-q"]).code, 0);
    let names: Vec<_> = std::fs::read_dir(stage.path("results"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    assert_eq!(names.len(), 2, "{names:?}");
    assert!(names.iter().all(|name| name.starts_with("tls1.3-2")), "{names:?}");
}

#[test]
fn the_journal_of_an_earlier_run_is_not_destroyed() {
    let stage = Stage::calm();
    std::fs::write(stage.path("v1.2.journal"), "hours of work").unwrap();
    let run = measure(&stage, &["-q", "-o", "v1.2"]);
    assert_eq!(run.code, 2, "{}", run.stderr);
    for words in ["tlstax measure --resume v1.2.journal", "remove the file"] {
        assert!(run.stderr.contains(words), "{}", run.stderr);
    }
    assert_eq!(std::fs::read_to_string(stage.path("v1.2.journal")).unwrap(), "hours of work");
    assert!(!stage.path("v1.2.json").exists());
    assert_eq!(measure(&stage, &["-o", "v1.2", "--list"]).code, 0, "a list needs no place");

    std::fs::remove_file(stage.path("v1.2.journal")).unwrap();
    assert_eq!(measure(&stage, &["-q", "-o", "v1.2"]).code, 0);
}

#[test]
fn results_that_cannot_be_written_are_shown_and_stay_in_the_journal() {
    let stage = Stage::calm();
    std::fs::create_dir(stage.path("v1.2.json")).unwrap();
    let run = measure(&stage, &["-q", "-o", "v1.2"]);
    assert_eq!(run.code, 3, "{}", run.stderr);
    assert!(run.stdout.contains("SHA-256") || run.stdout.contains("sha256"), "{}", run.stdout);
    assert!(run.stderr.contains("tlstax measure --resume v1.2.journal"), "{}", run.stderr);
    assert!(run.stderr.contains("cannot write"), "{}", run.stderr);

    std::fs::remove_dir(stage.path("v1.2.json")).unwrap();
    let resumed = stage.run(&["measure", "--resume", "v1.2.journal", "-q"]);
    assert_eq!(resumed.code, 0, "{}", resumed.stderr);
    assert!(stage.path("v1.2.json").is_file());
    assert!(!stage.path("v1.2.journal").exists());
}

#[test]
fn a_report_page_that_cannot_be_written_costs_nothing_else() {
    let stage = Stage::calm();
    std::fs::create_dir(stage.path("page.html")).unwrap();
    let run = measure(&stage, &["-o", "page"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stderr.contains("no HTML report"), "{}", run.stderr);
    assert!(run.stderr.contains("results: page.json"), "{}", run.stderr);
    assert!(!run.stderr.contains("report:  "), "{}", run.stderr);
    assert!(!run.stdout.is_empty());
    assert!(!stage.path("page.journal").exists());
}

#[test]
fn d10_runs_that_start_together_have_names_of_their_own() {
    const RUNS: usize = 5;
    let stage = Stage::calm();
    let file = stage.study("one", ONE);
    let begin = |_| {
        let mut command = stage.command(&["measure", file.to_str().unwrap(), "-q"]);
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    };
    let children: Vec<_> = (0..RUNS).map(begin).collect();
    for child in children {
        let run: Run = child.wait_with_output().unwrap().into();
        assert_eq!(run.code, 0, "{}", run.stderr);
    }
    let results = std::fs::read_dir(stage.path("results")).unwrap();
    let names: Vec<_> = results.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    for ending in [".json", ".html"] {
        assert_eq!(names.iter().filter(|name| name.ends_with(ending)).count(), RUNS, "{names:?}");
    }
    assert_eq!(names.len(), 2 * RUNS, "{names:?}");
}

#[test]
fn d10_a_name_that_a_running_run_has_is_refused() {
    let stage = restless();
    let mut first = start(&stage);
    let journal = std::fs::read_to_string(stage.path("long.journal")).unwrap();
    let run = measure(&stage, &["-q", "-o", "long.json"]);
    assert_eq!(run.code, 2, "{}", run.stderr);
    for words in ["long.journal", "going on", "--output"] {
        assert!(run.stderr.contains(words), "{}", run.stderr);
    }
    assert!(!run.stderr.contains("free some space"), "{}", run.stderr);
    let resumed = stage.run(&["measure", "--resume", "long.journal", "-q"]);
    assert!(resumed.code == 2 && resumed.stderr.contains("going on"), "{}", resumed.stderr);
    assert!(std::fs::read_to_string(stage.path("long.journal")).unwrap().starts_with(&journal));
    first.kill().unwrap();
    first.wait().unwrap();
}

#[test]
fn a_run_that_never_began_leaves_its_name_free() {
    let stage = Stage::with(&[("mock", json!({ "faults": [{ "at": "hello", "fault": "die" }] }))]);
    std::fs::write(stage.path("again.journal"), "").unwrap();
    let nobody = measure(&stage, &["-q", "-o", "again"]);
    assert_eq!(nobody.code, 3, "{nobody:?}");
    assert!(!stage.path("again.journal").exists(), "{nobody:?}");
    std::fs::write(stage.path("mock.script.json"), "{}").unwrap();
    assert_eq!(measure(&stage, &["-q", "-o", "again"]).code, 0);
}

#[test]
fn d15_the_name_of_a_study_is_no_path() {
    let stage = Stage::calm();
    let outside = tempfile::tempdir().unwrap();
    let absolute = outside.path().join("x");
    for name in [absolute.to_str().unwrap(), "../x", "../../x", "a/b", "..", ".hidden"] {
        let file = stage.study("one", ONE);
        let text = std::fs::read_to_string(&file).unwrap().replace("\"one\"", &format!("{name:?}"));
        std::fs::write(&file, text).unwrap();
        let run = stage.run(&["measure", file.to_str().unwrap(), "-q"]);
        assert_eq!(run.code, 2, "{name}: {}", run.stderr);
        assert!(run.stderr.contains("name"), "{}", run.stderr);
        let found: Vec<_> =
            std::fs::read_dir(stage.path("")).unwrap().map(|one| one.unwrap().file_name()).collect();
        assert!(!stage.path("results").exists() && found.len() == 3, "{name}: {found:?}");
        assert_eq!(std::fs::read_dir(outside.path()).unwrap().count(), 0, "{name}");
    }
}

#[test]
fn d31_what_is_no_file_is_refused_with_the_flag_that_prints() {
    let stage = Stage::calm();
    assert!(std::process::Command::new("mkfifo").arg(stage.path("pipe")).status().unwrap().success());
    for output in ["-", "/dev/stdout", "/dev/null", "pipe"] {
        let run = measure(&stage, &["-q", "-o", output]);
        assert_eq!(run.code, 2, "{output}: {}", run.stderr);
        assert!(run.stderr.contains(output) && run.stderr.contains("--json"), "{}", run.stderr);
        assert!(!stage.path(&format!("{output}.json")).exists(), "{output}");
    }
}

#[test]
fn d32_the_remedy_is_that_of_the_problem() {
    let stage = Stage::calm();
    std::fs::write(stage.path("a-file"), "").unwrap();
    let long = "x".repeat(300);
    for (output, words) in [("a-file/results", "a part of the path is a file"), (&long, "shorter")] {
        let run = measure(&stage, &["-q", "-o", output]);
        assert_eq!(run.code, 3, "{}", run.stderr);
        assert!(run.stderr.contains(words), "'{words}' is missing: {}", run.stderr);
        assert!(!run.stderr.contains("free some space"), "{}", run.stderr);
    }
}
