//! Building libraries: what fails is named with its step and remedy, and nothing half-built or unproved is used.

use std::fs;

use serde_json::json;

use crate::project::{WORKER, project};
use crate::stage::{Stage, block};

/// OpenSSL's way to be built, without OpenSSL: counts how often it was compiled.
const CONFIG: &str = "prefix=$(echo \"$1\" | sed 's/--prefix=//')\n\
    printf 'build_libs:\\n\\techo once >>%s\\n' \"$(dirname \"$0\")/compiled\" >Makefile\n\
    printf 'install_dev:\\n\\tmkdir -p %s/lib %s/include\\n\\techo x >%s/lib/libssl.a\\n' $prefix $prefix $prefix >>Makefile\n";

/// A project with a library that a script configures, served by a worker that a script makes; and with more blocks.
fn from_source(config: &str, more: &str) -> Stage {
    let project = project("", WORKER);
    let source = project.path("source");
    let lib = format!("source = \"path:{}\"\nrecipe = \"openssl\"\nworker = \"node\"", source.display());
    project.write("workers/workers.toml", block("lib", &lib) + more);
    project.write("source/config", config);
    project
}

fn compiled(project: &Stage) -> usize {
    fs::read_to_string(project.path("source/compiled")).map_or(0, |text| text.lines().count())
}

fn node() -> String {
    block("fake", "worker = \"node\"")
}

#[test]
fn a_library_is_built_once_and_kept_and_its_worker_too() {
    let project = from_source(CONFIG, "");
    let build = || project.run("libraries build lib");
    build().ends(0).says(["configure", "compile", "install", "passed 6 checks"]);
    build().says(["is up to date"]);
    fs::remove_dir_all(project.path("target")).unwrap();
    let third = build().says(["passed 6 checks"]);
    assert!(!third.stderr.contains("configure"), "{third}");
    assert_eq!(compiled(&project), 1);
    project.run("libraries --verbose").shows(["Fake 1.0", "conformance: 6 passed"]);
}

#[test]
fn a_step_that_fails_is_named_with_its_log_and_the_others_are_built() {
    let project = from_source("echo 'no perl here'; exit 7\n", &node());
    let words =
        ["failed at 'configure'", "exit status: 7", "no perl here", "lib.log", "tlstax libraries build lib"];
    project.run("libraries build all").ends(0).says(words);
    project.run("libraries build all --strict").ends(3);
    // What was begun is not taken for a library.
    project.write("source/config", CONFIG);
    project.run("libraries build lib").ends(0);
    assert_eq!(compiled(&project), 1);
}

#[test]
fn a_damaged_cache_is_built_anew_and_an_unusable_one_is_named() {
    let project = from_source(CONFIG, "");
    project.run("libraries build lib");
    let mut kept = fs::read_dir(project.path("cache/libraries")).unwrap().map(|one| one.unwrap().path());
    let kept = kept.find(|path| path.is_dir()).unwrap();
    fs::write(kept.join("prefix/lib/libssl.a"), "y").unwrap();
    project.run("libraries build lib").says(["the cache is damaged (lib/libssl.a has changed)"]);
    assert_eq!(compiled(&project), 2);

    fs::remove_dir_all(project.path("cache")).unwrap();
    project.write("cache", "no folder");
    project.run("libraries build lib").ends(3).says(["TLSTAX_CACHE"]);
}

#[test]
fn sources_that_are_not_there_are_named() {
    for (source, words) in [
        ("path:/no/such/folder", ["/no/such/folder", "source and subdir"]),
        ("crate:none@=1.0.0", ["workers/sources/none-1.0.0/Cargo.toml", "adding-a-library.md"]),
    ] {
        let lib = block("lib", &format!("source = \"{source}\"\nrecipe = \"cmake\"\nworker = \"node\""));
        project(&lib, WORKER).run("libraries build lib").ends(3).says(words);
    }
}

#[test]
fn a_worker_that_fails_its_suite_is_not_used() {
    for (worker, words) in [
        (WORKER.replace("64) answer=", "64) answer=f"), "FAIL  known answer sha256:digest"),
        (WORKER.replace("ready= && echo", "kill -9 $$; echo"), "the worker ended (signal: 9"),
    ] {
        let project = project(&node(), &worker);
        project.run("libraries build fake").ends(3).says([words]);
        project.run("libraries").shows(["not available", "libraries build fake"]);
    }
}

#[test]
fn a_program_that_is_not_the_one_that_passed_is_not_used() {
    let project = project(&node(), WORKER);
    project.run("libraries build fake");
    project.program("target/workers/bin/fake", &WORKER.replace("Fake 1.0", "Fake 2.0"));
    project.run("libraries").shows(["has not passed the conformance suite as it is now"]);
    // Building it again puts it right.
    project.run("libraries build fake").ends(0);
    project.run("libraries").shows(["Fake 1.0"]);
}

#[test]
fn a_worker_of_an_older_protocol_is_refused_with_the_remedy() {
    let older = WORKER.replace("\"protocol\":1", "\"protocol\":'${TLSTAX_UNTIMED:-0}'");
    let project = project(&node(), &older);
    project.run("libraries build fake");
    project.run("libraries").shows([
        "speaks protocol 0",
        "the worker is older than tlstax",
        "tlstax libraries build fake",
    ]);
}

#[test]
fn blocks_that_make_no_sense_are_refused() {
    for (id, more, words) in [
        ("a b", "worker = \"node\"", "is no id"),
        ("a", "", "neither which worker serves it nor which program"),
        ("a", "worker = \"native\"", "names no backend"),
        ("a", "worker = \"node\"\nsource = \"path:/x\"", "a source and no recipe"),
        ("a", "worker = \"node\"\nsource = \"/x\"", "crate:NAME@=VERSION"),
        ("a", "worker = \"cobol\"", "unknown variant"),
    ] {
        project(&block(id, more), WORKER).run("libraries").ends(2).says([words]);
    }
}

#[test]
fn what_cannot_be_added_is_said() {
    let native = block("known", "worker = \"native\"\nbackend = \"openssl\"\narchives = [\"ssl\"]");
    let project = project(&(node() + &native), WORKER);
    fs::create_dir_all(project.path("empty/include")).unwrap();
    for (id, like, prefix, words) in [
        ("mine", "known", "/no/such/folder", "name the folder where the library is installed"),
        ("mine", "known", "empty", "holds no lib/libssl.a"),
        ("mine", "nobody", "empty", "no library 'nobody'"),
        ("fake", "known", "empty", "library 'fake' is there already"),
        ("mine", "fake", "empty", "is no C library"),
    ] {
        let run = project.run(&format!("libraries add {id} --like {like} --prefix {prefix}")).says([words]);
        assert_ne!(run.code, 0, "{run}");
    }
    assert!(!project.has("workers/own.toml"));
}

#[test]
fn a_switch_is_a_library_of_its_own_and_must_be_off() {
    let stage = Stage::calm();
    let run = stage.run("speed aes-128-gcm --size 1024 --without aes --without sha,vaes --list");
    run.shows(["mock/", "mock-without-aes/", "mock-without-sha-vaes/"]);
    // The scripted worker obeys, unless its script says what it does without.
    let stage = Stage::with(&[("mock", json!({ "hello": { "without": ["sha"] } }))]);
    let run = stage.run("speed aes-128-gcm --size 1024 -l mock-without-aes --budget 5s -q");
    run.says(["still uses what aes stands for"]);
    stage.refuses("speed aes-128-gcm -l mock-without-turbo --list", ["unknown switch 'turbo'"]);
}
