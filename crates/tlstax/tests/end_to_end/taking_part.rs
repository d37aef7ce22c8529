//! Who takes part in a study: what nobody knows is refused, what is not built is said, and nobody steps in for it.

use crate::stage::{ONE, Stage, block};

/// A stage with a library that can be measured, and one that was never built.
fn stage() -> Stage {
    let stage = Stage::calm();
    stage.register(&block("unbuilt", "program = [\"no/such/worker\"]"));
    stage
}

/// A study about libraries, by ids or their beginnings.
fn about(stage: &Stage, libraries: &[&str]) -> String {
    stage.study("about", &format!("libraries = {libraries:?}\n{ONE}"))
}

#[test]
fn d04_a_study_about_libraries_that_nobody_knows_is_refused() {
    let stage = stage();
    for (libraries, unknown) in
        [(&["nosuch"][..], "nosuch"), (&["zzz*"], "zzz*"), (&["mock", "nosuch"], "nosuch")]
    {
        let file = about(&stage, libraries);
        for more in ["", "--list", "--verify"] {
            stage.refuses(&format!("measure {file} {more}"), [unknown, "mock"]);
        }
    }
    assert!(!stage.has("results"));
}

#[test]
fn d04_a_library_that_is_not_built_takes_no_part_and_the_defaults_do_not_step_in() {
    let stage = stage();
    let remedy = ["tlstax libraries build unbuilt"];
    for libraries in ["unbuilt", "un*"] {
        let file = about(&stage, &[libraries]);
        stage.run(&format!("measure {file} -q")).ends(3).says(remedy);
    }
    let file = about(&stage, &["*"]);
    let run = stage.run(&format!("measure {file} --list")).ends(0).says(remedy);
    assert_eq!(run.stdout, "mock/primitive/sha256/digest/64\n");
}
