//! Libraries of the user's own: what they are called, how they are noted, and that they are what is measured.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use crate::needs::not_tested;
use crate::project::{WORKER, project};
use crate::run::Run;
use crate::stage::{Stage, block, control};

/// What the loader takes in place of a file of a prefix that is gone.
const LIBRARIES: [&str; 2] = ["libssl.so.3", "libcrypto.so.3"];

/// Where the system has OpenSSL; none where it is not installed.
fn of_the_system() -> Option<PathBuf> {
    let folders = ["x86_64-linux-gnu", "aarch64-linux-gnu", ""].map(|name| Path::new("/usr/lib").join(name));
    let found = folders.into_iter().find(|folder| LIBRARIES.iter().all(|file| folder.join(file).is_file()));
    if found.is_none() {
        not_tested("libssl.so.3 is not installed");
    }
    found
}

/// A project whose `openssl` is a scripted worker into which the dynamic linker loads libssl: no crypto, but a real library.
fn with_openssl() -> Stage {
    let project = project("", "");
    project.write("script.json", "{}");
    project.write("honest.sh", WORKER);
    // Where nothing is timed the conformance suite asks, whose answers no script knows.
    let worker = format!(
        "#!/bin/sh\n[ \"$TLSTAX_UNTIMED\" ] && exec sh '{}'\nexec '{}' script '{}'\n",
        project.path("honest.sh").display(),
        control().display(),
        project.path("script.json").display()
    );
    project.program("worker.sh", &worker);
    let more = "default = true\nsource = \"system:libssl-dev\"\nbackend = \"openssl\"\n\
                program = [\"worker.sh\"]\nenv = { LD_PRELOAD = \"libssl.so.3\" }";
    project.write("workers/workers.toml", block("openssl", more));
    project
}

/// An installation of OpenSSL under this name in the project: copies of the system's.
fn installed(project: &Stage, name: &str, system: &Path) -> PathBuf {
    let prefix = project.path(name);
    fs::create_dir_all(prefix.join("lib")).unwrap();
    for file in LIBRARIES {
        fs::copy(system.join(file), prefix.join("lib").join(file)).unwrap();
    }
    prefix
}

fn add(project: &Stage, id: &str, prefix: &Path) -> Run {
    let words = ["libraries", "add", id, "--like", "openssl", "--prefix"].map(OsStr::new);
    Run::of(&mut project.command(words.into_iter().chain([prefix.as_os_str()])))
}

fn measure(project: &Stage, library: &str) -> Run {
    project.run(&format!("speed sha256 --size 64 --budget 2s -q -l {library}"))
}

#[test]
fn d18_an_id_that_is_a_path_is_refused_before_anything_is_done() {
    let project = with_openssl();
    fs::create_dir_all(project.path("prefix/lib")).unwrap();
    for id in ["../../evil", "/evil", "a/b", "..", "a\"b", "a\nb"] {
        add(&project, id, &project.path("prefix")).ends(2).says(["is no id"]);
    }
    for left in ["workers/own.toml", "target", "workers/evil.log", "evil.log"] {
        assert!(!project.has(left), "{left}");
    }
}

#[test]
fn d03_ids_that_mean_something_already_are_refused() {
    let project = with_openssl();
    fs::create_dir_all(project.path("prefix/lib")).unwrap();
    for (id, why) in [
        ("openssl-without-aes", "switched off"),
        ("mine-without-asm", "switched off"),
        ("nginx@mine", "'@'"),
        ("mine:1", "':'"),
        ("default", "group"),
        ("all", "group"),
        ("nginx", "already"),
        ("curl", "already"),
        ("openssl", "already"),
    ] {
        add(&project, id, &project.path("prefix")).ends(2).says([id, why, "another id"]);
    }
    assert!(!project.has("workers/own.toml"));
    project.write("workers/workers.toml", block("x-without-aes", "program = [\"x\"]"));
    project.run("libraries").ends(2).says(["workers.toml", "x-without-aes", "switched off"]);
}

#[test]
fn d19_a_prefix_with_quotation_marks_comes_back_as_it_is() {
    let Some(system) = of_the_system() else { return };
    let project = with_openssl();
    let prefix = installed(&project, "we \"ird\" 'one' \\ {}", &system);
    for library in ["mine", "mine-too"] {
        add(&project, library, &prefix).ends(0);
    }
    for library in ["mine", "mine-too"] {
        measure(&project, library).ends(0);
    }
}

#[test]
fn d19_a_prefix_that_cannot_be_noted_is_refused_with_its_reason() {
    let project = with_openssl();
    for (name, why) in [
        (&b"new\nline"[..], "control characters"),
        (b"no \xff text", "not UTF-8"),
        (b"two:folders", "dynamic linker"),
    ] {
        let prefix = project.path("").join(OsStr::from_bytes(name));
        fs::create_dir_all(&prefix).unwrap();
        add(&project, "mine", &prefix).ends(2).says([why, "elsewhere"]);
    }
    assert!(!project.has("workers/own.toml"));
}

#[test]
fn d18_a_broken_own_toml_is_named_with_its_line_and_the_rest_goes_on() {
    let project = with_openssl();
    for (text, place) in [
        ("[[library]]\nid = \"../../evil\"\nabout = \"?\"\nprogram = [\"x\"]\n", "line 2"),
        ("[[library]]\nid = \"mine\nabout = \"?\"\n", "line 2"),
        ("[[library]]\nid = \"openssl\"\nabout = \"?\"\nprogram = [\"x\"]\n", "openssl"),
    ] {
        project.write("workers/own.toml", text);
        project.run("speed sha256 --list").ends(0).says(["own.toml", place, "delete its block"]);
        add(&project, "mine", &project.path("")).ends(2).says(["own.toml", place]);
        assert_eq!(project.read("workers/own.toml"), text);
    }
}

#[test]
fn d02_a_library_whose_prefix_is_gone_is_not_measured_as_another() {
    let Some(system) = of_the_system() else { return };
    let project = with_openssl();
    let prefix = installed(&project, "prefix", &system);
    add(&project, "mine2", &prefix).ends(0);
    measure(&project, "mine2").ends(0);
    fs::rename(&prefix, project.path("moved")).unwrap();
    let file = system.display().to_string();
    let lib = prefix.join("lib").display().to_string();
    measure(&project, "mine2").ends(3).says(["mine2", &file, &lib, "wrong name", "own.toml"]);
    // What it stands beside is measured all the same.
    measure(&project, "mine2,openssl").ends(0).shows(["wrong name"]);
}

#[test]
fn a_gate_takes_two_prefixes_and_leaves_nothing_of_them() {
    let Some(system) = of_the_system() else { return };
    let project = with_openssl();
    project.write(
        "study.toml",
        "name = \"s\"\nquestion = \"?\"\nmax_rounds = 8\n[[primitive]]\nalgorithms = [\"sha256\"]\nsizes = [64]\n",
    );
    for name in ["before", "after"] {
        installed(&project, name, &system);
    }
    let gate = "gate --base before --head ./after --study study.toml --budget 30s -q -o gated";
    let run = project.run(gate).ends(0).shows(["Nothing became slower"]);
    assert!(run.stderr.contains("run the conformance suite"), "{run}");
    let results: serde_json::Value = serde_json::from_str(&project.read("gated.json")).unwrap();
    let libraries = results["libraries"].as_array().unwrap();
    assert_eq!(libraries.iter().map(|one| &one["id"]).collect::<Vec<_>>(), ["base", "head"]);
    assert!(!project.has("workers/own.toml"));
    fs::remove_dir_all(project.path("after/lib")).unwrap();
    project.run(gate).ends(2).says(["it has no prefix"]);
}
