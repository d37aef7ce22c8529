//! Who takes part in a study: what nobody knows is refused, what is not built is said, and nobody steps in for it.

use crate::stage::Stage;

const ONE: &str = "[[primitive]]\nalgorithms = [\"sha256\"]\nsizes = [64]\n";

/// A stage with a library that can be measured, and one that was never built.
fn stage() -> Stage {
    let stage = Stage::calm();
    let registry = std::fs::read_to_string(stage.path("registry.toml")).unwrap();
    let unbuilt = "[[library]]\nid = \"unbuilt\"\nabout = \"?\"\nprogram = [\"no/such/worker\"]\n";
    std::fs::write(stage.path("registry.toml"), registry + unbuilt).unwrap();
    stage
}

#[test]
fn d04_a_study_about_libraries_that_nobody_knows_is_refused() {
    let stage = stage();
    for (libraries, words) in
        [("\"nosuch\"", "nosuch"), ("\"zzz*\"", "zzz*"), ("\"mock\", \"nosuch\"", "nosuch")]
    {
        let file = stage.study("about", &format!("libraries = [{libraries}]\n{ONE}"));
        for more in [&[][..], &["--list"], &["--verify"]] {
            let run = stage.run(&[&["measure", file.to_str().unwrap()], more].concat());
            assert_eq!(run.code, 2, "{libraries} {more:?}: {}", run.stderr);
            assert!(run.stderr.contains(words) && run.stderr.contains("mock"), "{}", run.stderr);
        }
    }
    assert!(!stage.path("results").exists());
}

#[test]
fn d04_a_library_that_is_not_built_takes_no_part_and_the_defaults_do_not_step_in() {
    let stage = stage();
    for libraries in ["\"unbuilt\"", "\"un*\""] {
        let file = stage.study("alone", &format!("libraries = [{libraries}]\n{ONE}"));
        let run = stage.run(&["measure", file.to_str().unwrap(), "-q"]);
        assert_eq!(run.code, 3, "{}", run.stderr);
        assert!(run.stderr.contains("tlstax libraries build unbuilt"), "{}", run.stderr);
    }
    let file = stage.study("beside", &format!("libraries = [\"*\"]\n{ONE}"));
    let run = stage.run(&["measure", file.to_str().unwrap(), "--list"]);
    assert_eq!((run.code, run.stdout.as_str()), (0, "mock/primitive/sha256/digest/64\n"), "{}", run.stderr);
    assert!(run.stderr.contains("tlstax libraries build unbuilt"), "{}", run.stderr);
}

#[test]
fn d36_a_client_that_nobody_knows_is_refused_in_a_list_too() {
    let stage = stage();
    for more in [&["--list"][..], &["--verify"], &[]] {
        let run = stage.run(&[&["load", "-l", "mock", "--client", "crul"], more].concat());
        assert_eq!(run.code, 2, "{more:?}: {}", run.stderr);
        assert!(run.stderr.contains("crul") && run.stderr.contains("curl"), "{}", run.stderr);
        assert_eq!(run.stdout, "");
    }
}
