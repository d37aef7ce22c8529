//! Libraries of the user's own: what they are called, how they are noted, and that they are what is measured.

use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use crate::project::{Project, WORKER};
use crate::stage::{Run, root};

/// What the loader takes in place of a file of a prefix that is gone.
const LIBRARIES: [&str; 2] = ["libssl.so.3", "libcrypto.so.3"];

/// Where the system has OpenSSL; none where it is not installed.
#[expect(clippy::print_stderr, reason = "a test that is skipped says so")]
fn of_the_system() -> Option<PathBuf> {
    let folders = ["x86_64-linux-gnu", "aarch64-linux-gnu", ""].map(|name| Path::new("/usr/lib").join(name));
    let found = folders.into_iter().find(|folder| LIBRARIES.iter().all(|file| folder.join(file).is_file()));
    if found.is_none() {
        eprintln!("skipped: libssl.so.3 is not installed");
    }
    found
}

/// A project whose `openssl` is a scripted worker into which the dynamic linker loads libssl: no crypto, but a real library.
fn project() -> Project {
    let project = Project::new("", "");
    let control = root().join("target/workers/bin/control");
    project.write("script.json", "{}");
    let script = project.path("script.json");
    project.write("honest.sh", WORKER);
    // Where nothing is timed the conformance suite asks, whose answers no script knows.
    let worker = format!(
        "#!/bin/sh\n[ \"$TLSTAX_UNTIMED\" ] && exec sh '{}'\nexec '{}' script '{}'\n",
        project.path("honest.sh").display(),
        control.display(),
        script.display()
    );
    project.write("worker.sh", &worker);
    fs::set_permissions(project.path("worker.sh"), fs::Permissions::from_mode(0o755)).unwrap();
    let block = "[[library]]\nid = \"openssl\"\nabout = \"?\"\ndefault = true\nsource = \"system:libssl-dev\"\n\
                 backend = \"openssl\"\nprogram = [\"worker.sh\"]\nenv = { LD_PRELOAD = \"libssl.so.3\" }\n";
    project.write("workers/workers.toml", block);
    project
}

/// An installation of OpenSSL under this name in the project: copies of the system's.
fn installed(project: &Project, name: &str, system: &Path) -> PathBuf {
    let prefix = project.path(name);
    fs::create_dir_all(prefix.join("lib")).unwrap();
    for file in LIBRARIES {
        fs::copy(system.join(file), prefix.join("lib").join(file)).unwrap();
    }
    prefix
}

fn add(project: &Project, id: &str, prefix: &Path) -> Run {
    let words = ["libraries", "add", id, "--like", "openssl", "--prefix"].map(std::ffi::OsStr::new);
    project.run(&[&words[..], &[prefix.as_os_str()]].concat())
}

fn measure(project: &Project, library: &str) -> Run {
    project.run(&["speed", "sha256", "--size", "64", "--budget", "2s", "-q", "-l", library])
}

#[track_caller]
fn is_refused(run: &Run, code: i32, words: &[&str]) {
    assert_eq!(run.code, code, "{}", run.stderr);
    for word in words {
        assert!(run.stderr.contains(word), "no '{word}' in {}", run.stderr);
    }
}

#[test]
fn d18_an_id_that_is_a_path_is_refused_before_anything_is_done() {
    let project = project();
    fs::create_dir_all(project.path("prefix/lib")).unwrap();
    for id in ["../../evil", "/evil", "a/b", "..", "a\"b", "a\nb"] {
        is_refused(&add(&project, id, &project.path("prefix")), 2, &["is no id"]);
    }
    for left in ["workers/own.toml", "target", "workers/evil.log", "evil.log"] {
        assert!(!project.path(left).exists(), "{left}");
    }
}

#[test]
fn d03_ids_that_mean_something_already_are_refused() {
    let project = project();
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
        is_refused(&add(&project, id, &project.path("prefix")), 2, &[id, why, "another id"]);
    }
    assert!(!project.path("workers/own.toml").exists());
    project.write(
        "workers/workers.toml",
        "[[library]]\nid = \"x-without-aes\"\nabout = \"?\"\nprogram = [\"x\"]\n",
    );
    is_refused(&project.run(&["libraries"]), 2, &["workers.toml", "x-without-aes", "switched off"]);
}

#[test]
fn d19_a_prefix_with_quotation_marks_comes_back_as_it_is() {
    let Some(system) = of_the_system() else { return };
    let project = project();
    let prefix = installed(&project, "we \"ird\" 'one' \\ {}", &system);
    let run = add(&project, "mine", &prefix);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert_eq!(add(&project, "mine-too", &prefix).code, 0);
    for library in ["mine", "mine-too"] {
        let run = measure(&project, library);
        assert_eq!(run.code, 0, "{}", run.stderr);
    }
}

#[test]
fn d19_a_prefix_that_cannot_be_noted_is_refused_with_its_reason() {
    let project = project();
    for (name, why) in [
        (&b"new\nline"[..], "control characters"),
        (b"no \xff text", "not UTF-8"),
        (b"two:folders", "dynamic linker"),
    ] {
        let prefix = project.path("").join(std::ffi::OsStr::from_bytes(name));
        fs::create_dir_all(&prefix).unwrap();
        is_refused(&add(&project, "mine", &prefix), 2, &[why, "elsewhere"]);
    }
    assert!(!project.path("workers/own.toml").exists());
}

#[test]
fn d18_a_broken_own_toml_is_named_with_its_line_and_the_rest_goes_on() {
    let project = project();
    for (text, place) in [
        ("[[library]]\nid = \"../../evil\"\nabout = \"?\"\nprogram = [\"x\"]\n", "line 2"),
        ("[[library]]\nid = \"mine\nabout = \"?\"\n", "line 2"),
        ("[[library]]\nid = \"openssl\"\nabout = \"?\"\nprogram = [\"x\"]\n", "openssl"),
    ] {
        project.write("workers/own.toml", text);
        let run = project.run(&["speed", "sha256", "--list"]);
        assert_eq!(run.code, 0, "{}", run.stderr);
        for word in ["own.toml", place, "delete its block"] {
            assert!(run.stderr.contains(word), "no '{word}' in {}", run.stderr);
        }
        is_refused(&add(&project, "mine", &project.path("")), 2, &["own.toml", place]);
        assert_eq!(fs::read_to_string(project.path("workers/own.toml")).unwrap(), text);
    }
}

#[test]
fn d02_a_library_whose_prefix_is_gone_is_not_measured_as_another() {
    let Some(system) = of_the_system() else { return };
    let project = project();
    let prefix = installed(&project, "prefix", &system);
    assert_eq!(add(&project, "mine2", &prefix).code, 0);
    assert_eq!(measure(&project, "mine2").code, 0);
    fs::rename(&prefix, project.path("moved")).unwrap();
    let file = system.display().to_string();
    let lib = prefix.join("lib").display().to_string();
    is_refused(&measure(&project, "mine2"), 3, &["mine2", &file, &lib, "wrong name", "own.toml"]);
    // What it stands beside is measured all the same.
    let both = measure(&project, "mine2,openssl");
    assert_eq!(both.code, 0, "{}", both.stderr);
    assert!(both.stdout.contains("wrong name"), "{}", both.stdout);
}
