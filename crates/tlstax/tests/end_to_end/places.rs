//! Where results go: names with dots, places that are taken, places that cannot be written.

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
