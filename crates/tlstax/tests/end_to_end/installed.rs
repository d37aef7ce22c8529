//! An installed tlstax: what came with it is only read, and workers that came built pass the conformance suite where they run.

use std::path::PathBuf;

use serde_json::json;

use crate::project::WORKER;
use crate::run::Run;
use crate::stage::{ONE, Stage, allow, block, control, program};

const SUITE: &str = "fake: its library is new here: run the conformance suite";

/// An installation with one worker, beside an empty folder for what its user adds.
struct Installed(Stage);

const FAKE: &str = "share/target/workers/bin/fake";

impl Installed {
    fn new() -> Self {
        let stage = Stage::project();
        stage.write("share/installed", "");
        stage.write("share/workers/workers.toml", block("fake", "default = true\nworker = \"node\""));
        stage.write("honest.sh", WORKER);
        stage.script("fake", &json!({}));
        let file = |name: &str| stage.path(name).display().to_string();
        let (honest, control, script) = (file("honest.sh"), control(), file("fake.script.json"));
        // The conformance suite asks the one, whatever is timed the other.
        let worker = format!(
            "#!/bin/sh\n[ \"$TLSTAX_UNTIMED\" ] && exec sh '{honest}'\nexec '{}' script '{script}'\n",
            control.display()
        );
        stage.program(FAKE, &worker);
        let made =
            r#"{"source":"","options":[],"compiler":"","passed":1,"skipped":0,"inputs":"","program":""}"#;
        stage.write(&format!("{FAKE}.json"), made);
        for folder in ["share/pki", "share/studies"] {
            std::fs::create_dir_all(stage.path(folder)).unwrap();
        }
        stage.study("one", ONE);
        Self(stage)
    }

    fn run(&self, line: &str) -> Run {
        let mut command = program();
        command.args(line.split_whitespace()).current_dir(self.0.path(""));
        command.envs([("NO_COLOR", "1"), ("LC_ALL", "C.UTF-8"), ("TLSTAX_IF_BUSY", "go")]);
        let folders = [("TLSTAX_HOME", "share"), ("TLSTAX_STATE", "state"), ("TLSTAX_CACHE", "cache")];
        Run::of(command.envs(folders.map(|(name, folder)| (name, self.0.path(folder)))))
    }

    fn measure(&self) -> Run {
        self.run("measure one.toml --budget 3s -o out.json")
    }

    fn passes(&self) -> Vec<PathBuf> {
        let folder = std::fs::read_dir(self.0.path("state/passes"));
        folder.map_or_else(|_| Vec::new(), |files| files.map(|file| file.unwrap().path()).collect())
    }
}

#[test]
fn a_worker_that_came_built_is_proven_once_and_again_when_it_changes() {
    let installed = Installed::new();
    installed.run("libraries").ends(0).shows(["came built", "tlstax libraries conform fake"]);
    installed.measure().ends(0).says([SUITE]);
    assert_eq!(installed.passes().len(), 1);
    let again = installed.measure().ends(0);
    assert!(!again.stderr.contains("conformance"), "{again}");
    let known = installed.run("libraries").ends(0);
    assert!(!known.stdout.contains("came built"), "{known}");
    // An upgrade.
    let newer = installed.0.read(FAKE) + "# newer\n";
    installed.0.program(FAKE, &newer);
    installed.measure().ends(0).says([SUITE]);
    assert_eq!(installed.passes().len(), 2);
}

#[test]
fn a_worker_that_fails_the_suite_here_is_not_measured() {
    let installed = Installed::new();
    let wrong = WORKER.replace("cd3a3cb491563c3b1cba112d378f4bdb", "00000000000000000000000000000000");
    installed.0.write("honest.sh", wrong);
    let run = installed.measure();
    assert_ne!(run.code, 0, "{run}");
    run.says([SUITE, "checks failed, so it is not measured", "-conformance.log"]);
    assert_eq!(installed.passes(), Vec::<PathBuf>::new());
}

#[test]
fn nothing_is_written_beside_what_was_installed() {
    let installed = Installed::new();
    let share = installed.0.path("share");
    let files = |folder: &PathBuf| -> Vec<PathBuf> {
        let mut found = vec![folder.clone()];
        let mut at = 0;
        while at < found.len() {
            if found[at].is_dir() {
                found.extend(std::fs::read_dir(&found[at]).unwrap().map(|file| file.unwrap().path()));
            }
            at += 1;
        }
        found.sort();
        found
    };
    let before = files(&share);
    installed.measure().ends(0);
    installed.run("libraries conform fake").ends(0);
    assert_eq!(files(&share), before);
}

#[test]
fn a_state_folder_that_cannot_be_written_is_named() {
    let installed = Installed::new();
    installed.0.write("state", "a file");
    let run = installed.measure();
    assert_ne!(run.code, 0, "{run}");
    run.says([installed.0.path("state").display().to_string()]);
    // The program need not write to read what there is.
    std::fs::remove_file(installed.0.path("state")).unwrap();
    allow(&installed.0.path("share"), 0o555);
    installed.measure().ends(0);
    allow(&installed.0.path("share"), 0o755);
}
