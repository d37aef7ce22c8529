//! Names from outside: what is no id is refused before anything is made of it.

use crate::stage::Stage;

const ONE: &str = "[[primitive]]\nalgorithms = [\"sha256\"]\nsizes = [64]\n";

/// What stands in a folder, so that a file in the wrong place shows.
fn entries(folder: &std::path::Path) -> usize {
    std::fs::read_dir(folder).unwrap().count()
}

#[test]
fn d15_a_study_whose_name_is_a_path_is_refused_with_its_line() {
    let stage = Stage::calm();
    let outside = tempfile::tempdir().unwrap();
    let absolute = outside.path().join("x").display().to_string();
    for name in [absolute.as_str(), "../../x", "a/b", "", ".hidden", "a\\u001b[2Jb"] {
        let file = stage.study("path", ONE);
        let text = std::fs::read_to_string(&file).unwrap();
        std::fs::write(&file, text.replacen("name = \"path\"", &format!("name = \"{name}\""), 1)).unwrap();
        let run = stage.run(&["measure", file.to_str().unwrap(), "-q"]);
        assert_eq!(run.code, 2, "{name}: {}", run.stderr);
        for words in ["path.toml", "line 1", "is no id"] {
            assert!(run.stderr.contains(words), "{name} does not say '{words}': {}", run.stderr);
        }
        assert!(!run.stderr.contains('\u{1b}'), "{}", run.stderr);
    }
    assert_eq!(entries(outside.path()), 0);
    assert!(!stage.path("results").exists());
}

#[test]
fn d17_what_is_no_id_is_refused_on_the_command_line() {
    let stage = Stage::calm();
    for library in ["=1+1", "../../x", "/abs/x", "a b", ".."] {
        let flag = format!("--library={library}");
        let run = stage.run(&["speed", "sha256", &flag]);
        assert_eq!(run.code, 2, "{library}: {}", run.stderr);
        assert!(run.stderr.contains("is no id"), "{library}: {}", run.stderr);
    }
}

#[test]
fn d14_d17_documents_with_names_that_are_no_ids_are_refused_with_file_and_place() {
    let stage = Stage::calm();
    let (_, results) = stage.measure("named", ONE, &[]);
    for name in ["=1+1", "a\u{1b}[2J", "../x"] {
        for place in ["/libraries/0/id", "/measurements/0/case/library"] {
            let mut changed = results.clone();
            *changed.pointer_mut(place).unwrap() = name.into();
            std::fs::write(stage.path("changed.json"), changed.to_string()).unwrap();
            let run = stage.run(&["report", stage.path("changed.json").to_str().unwrap()]);
            assert_eq!(run.code, 2, "{name:?}: {}", run.stderr);
            for words in ["changed.json", "is no id", "column"] {
                assert!(run.stderr.contains(words), "{name:?} does not say '{words}': {}", run.stderr);
            }
            assert!(!run.stderr.contains('\u{1b}'), "{}", run.stderr);
        }
    }
}

#[test]
fn d15_results_of_a_study_whose_name_was_no_id_are_read_as_before() {
    let stage = Stage::calm();
    let (_, mut results) = stage.measure("old", ONE, &[]);
    results["study"]["name"] = "my old study".into();
    std::fs::write(stage.path("old.json"), results.to_string()).unwrap();
    let run = stage.run(&["report", stage.path("old.json").to_str().unwrap()]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stdout.contains("my-old-study"), "{}", run.stdout);
}
