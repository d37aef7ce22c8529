//! Names from outside: what is no id is refused before anything is made of it.

use crate::run::Run;
use crate::stage::{ONE, Stage};

#[test]
fn d15_a_study_whose_name_is_a_path_is_refused_with_its_line() {
    let stage = Stage::calm();
    let outside = tempfile::tempdir().unwrap();
    let absolute = outside.path().join("x").display().to_string();
    for name in [absolute.as_str(), "../x", "../../x", "a/b", "..", "", ".hidden", "a\\u001b[2Jb"] {
        let file = stage.study("path", ONE);
        stage.change(&file, "name = \"path\"", &format!("name = \"{name}\""));
        let run = stage.refuses(&format!("measure {file} -q"), ["path.toml", "line 1", "name", "is no id"]);
        assert!(!run.stderr.contains('\u{1b}'), "{run}");
        // A file in the wrong place shows: on the stage there are a registry, a script and the study.
        let places = [stage.path(""), outside.path().to_owned()];
        assert_eq!(places.map(|folder| std::fs::read_dir(folder).unwrap().count()), [3, 0], "{name}");
    }
}

#[test]
fn d17_what_is_no_id_is_refused_on_the_command_line() {
    let stage = Stage::calm();
    for library in ["=1+1", "../../x", "/abs/x", "a b", ".."] {
        let command = &mut stage.command(["speed", "sha256", &format!("--library={library}")]);
        Run::of(command).ends(2).says(["is no id"]);
    }
}

#[test]
fn d14_d17_documents_with_names_that_are_no_ids_are_refused_with_file_and_place() {
    let stage = Stage::calm();
    let (_, results) = stage.measure("named", ONE, "");
    for name in ["=1+1", "a\u{1b}[2J", "../x"] {
        for place in ["/libraries/0/id", "/measurements/0/case/library"] {
            let mut changed = results.clone();
            *changed.pointer_mut(place).unwrap() = name.into();
            stage.write("changed.json", changed.to_string());
            let run = stage.refuses("report changed.json", ["changed.json", "is no id", "column"]);
            assert!(!run.stderr.contains('\u{1b}'), "{run}");
        }
    }
}

#[test]
fn d15_results_of_a_study_whose_name_was_no_id_are_read_as_before() {
    let stage = Stage::calm();
    let (_, mut results) = stage.measure("old", ONE, "");
    results["study"]["name"] = "my old study".into();
    stage.write("old.json", results.to_string());
    stage.run("report old.json").ends(0).shows(["my-old-study"]);
}
