//! Where results go: names with dots, places that are taken, places that cannot be written.

use std::fs;
use std::process::Command;

use serde_json::json;

use crate::interruption::{restless, start};
use crate::run::Run;
use crate::stage::{ONE, Stage, begin};

fn measure(stage: &Stage, more: &str) -> Run {
    stage.run(&format!("measure {} {more}", stage.study("one", ONE)))
}

/// The names of what stands in a folder.
fn names(stage: &Stage, folder: &str) -> Vec<String> {
    let entries = fs::read_dir(stage.path(folder)).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

#[test]
fn names_with_dots_stay_whole() {
    let stage = Stage::calm();
    for (output, stem) in [("v1.2", "v1.2"), ("v1.3.json", "v1.3"), ("plain", "plain"), ("x.html", "x.html")]
    {
        let files = ["json", "html"].map(|ending| format!("{stem}.{ending}"));
        let run = measure(&stage, &format!("-o {output}")).ends(0).says(&files);
        assert!(files.iter().all(|file| stage.path(file).is_file()), "{run}");
        assert!(!stage.has(&format!("{stem}.journal")));
    }
    let file = stage.study("dotted", ONE);
    stage.change(&file, "\"dotted\"", "\"tls1.3\"");
    stage.run(&format!("measure {file} -q")).ends(0);
    let names = names(&stage, "results");
    assert_eq!(names.len(), 2, "{names:?}");
    assert!(names.iter().all(|name| name.starts_with("tls1.3-2")), "{names:?}");
}

#[test]
fn the_journal_of_an_earlier_run_is_not_destroyed() {
    let stage = Stage::calm();
    stage.write("v1.2.journal", "hours of work");
    let words = ["tlstax measure --resume v1.2.journal", "remove the file"];
    measure(&stage, "-q -o v1.2").ends(2).says(words);
    assert_eq!(stage.read("v1.2.journal"), "hours of work");
    assert!(!stage.has("v1.2.json"));
    // A list needs no place.
    measure(&stage, "-o v1.2 --list").ends(0);

    fs::remove_file(stage.path("v1.2.journal")).unwrap();
    measure(&stage, "-q -o v1.2").ends(0);
}

#[test]
fn results_that_cannot_be_written_are_shown_and_stay_in_the_journal() {
    let stage = Stage::calm();
    fs::create_dir(stage.path("v1.2.json")).unwrap();
    let run = measure(&stage, "-q -o v1.2").ends(3);
    assert!(run.stdout.contains("SHA-256") || run.stdout.contains("sha256"), "{run}");
    run.says(["tlstax measure --resume v1.2.journal", "cannot write"]);

    fs::remove_dir(stage.path("v1.2.json")).unwrap();
    stage.run("measure --resume v1.2.journal -q").ends(0);
    assert!(stage.path("v1.2.json").is_file());
    assert!(!stage.has("v1.2.journal"));
}

#[test]
fn a_report_page_that_cannot_be_written_costs_nothing_else() {
    let stage = Stage::calm();
    fs::create_dir(stage.path("page.html")).unwrap();
    let run = measure(&stage, "-o page").ends(0).says(["no HTML report", "results: page.json"]);
    assert!(!run.stderr.contains("report:  ") && !run.stdout.is_empty(), "{run}");
    assert!(!stage.has("page.journal"));
}

#[test]
fn d10_runs_that_start_together_have_names_of_their_own() {
    const RUNS: usize = 5;
    let stage = Stage::calm();
    let file = stage.study("one", ONE);
    let children: Vec<_> = (0..RUNS).map(|_| begin(&mut stage.command(["measure", &file, "-q"]))).collect();
    for child in children {
        Run::end_of(child).ends(0);
    }
    let names = names(&stage, "results");
    for ending in [".json", ".html"] {
        assert_eq!(names.iter().filter(|name| name.ends_with(ending)).count(), RUNS, "{names:?}");
    }
    assert_eq!(names.len(), 2 * RUNS, "{names:?}");
}

#[test]
fn d10_a_name_that_a_running_run_has_is_refused() {
    let stage = restless();
    let mut first = start(&stage);
    let journal = stage.read("long.journal");
    let run = measure(&stage, "-q -o long.json").ends(2).says(["long.journal", "going on", "--output"]);
    assert!(!run.stderr.contains("free some space"), "{run}");
    stage.run("measure --resume long.journal -q").ends(2).says(["going on"]);
    assert!(stage.read("long.journal").starts_with(&journal));
    first.kill().unwrap();
    first.wait().unwrap();
}

#[test]
fn a_run_that_never_began_leaves_its_name_free() {
    let stage = Stage::with(&[("mock", json!({ "faults": [{ "at": "hello", "fault": "die" }] }))]);
    stage.write("again.journal", "");
    let nobody = measure(&stage, "-q -o again").ends(3);
    assert!(!stage.has("again.journal"), "{nobody}");
    stage.script("mock", &json!({}));
    measure(&stage, "-q -o again").ends(0);
}

#[test]
fn d31_what_is_no_file_is_refused_with_the_flag_that_prints() {
    let stage = Stage::calm();
    assert!(Command::new("mkfifo").arg(stage.path("pipe")).status().unwrap().success());
    for output in ["-", "/dev/stdout", "/dev/null", "pipe"] {
        measure(&stage, &format!("-q -o {output}")).ends(2).says([output, "--json"]);
        assert!(!stage.has(&format!("{output}.json")), "{output}");
    }
}

#[test]
fn d32_the_remedy_is_that_of_the_problem() {
    let stage = Stage::calm();
    stage.write("a-file", "");
    let long = "x".repeat(300);
    for (output, words) in [
        ("a-file/results", &["cannot write", "--output", "a part of the path is a file"][..]),
        (&long, &["shorter"]),
    ] {
        let run = measure(&stage, &format!("-q -o {output}")).ends(3).says(words);
        assert!(!run.stderr.contains("free some space"), "{run}");
    }
}
