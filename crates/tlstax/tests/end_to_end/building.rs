//! Building libraries: what fails is named with its step and remedy, and nothing half-built or unproved is used.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use crate::project::{Project, WORKER};
use crate::stage::Stage;

/// OpenSSL's way to be built, without OpenSSL: counts how often it was compiled.
const CONFIG: &str = "prefix=$(echo \"$1\" | sed 's/--prefix=//')\n\
    printf 'build_libs:\\n\\techo once >>%s\\n' \"$(dirname \"$0\")/compiled\" >Makefile\n\
    printf 'install_dev:\\n\\tmkdir -p %s/lib %s/include\\n\\techo x >%s/lib/libssl.a\\n' $prefix $prefix $prefix >>Makefile\n";

/// A library that a script configures, served by a worker that a script makes.
fn from_source(project: &Project) -> String {
    format!(
        "[[library]]\nid = \"lib\"\nabout = \"?\"\nsource = \"path:{}\"\nrecipe = \"openssl\"\nworker = \"node\"\n",
        project.path("source").display()
    )
}

const NODE: &str = "[[library]]\nid = \"fake\"\nabout = \"?\"\nworker = \"node\"\n";

#[test]
fn a_library_is_built_once_and_kept_and_its_worker_too() {
    let project = Project::new("", WORKER);
    project.write("workers/workers.toml", &from_source(&project));
    project.write("source/config", CONFIG);
    let first = project.run(&["libraries", "build", "lib"]);
    assert_eq!(first.code, 0, "{}", first.stderr);
    for step in ["configure", "compile", "install", "passed 6 checks"] {
        assert!(first.stderr.contains(step), "{step}: {}", first.stderr);
    }
    let second = project.run(&["libraries", "build", "lib"]);
    assert!(second.stderr.contains("is up to date"), "{}", second.stderr);
    fs::remove_dir_all(project.path("target")).unwrap();
    let third = project.run(&["libraries", "build", "lib"]);
    assert!(
        third.stderr.contains("passed 6 checks") && !third.stderr.contains("configure"),
        "{}",
        third.stderr
    );
    assert_eq!(project.compiled(), 1);
    let list = project.run(&["libraries", "--verbose"]);
    assert!(
        list.stdout.contains("Fake 1.0") && list.stdout.contains("conformance: 6 passed"),
        "{}",
        list.stdout
    );
}

#[test]
fn a_step_that_fails_is_named_with_its_log_and_the_others_are_built() {
    let project = Project::new("", WORKER);
    project.write("workers/workers.toml", &(from_source(&project) + NODE));
    project.write("source/config", "echo 'no perl here'; exit 7\n");
    let run = project.run(&["libraries", "build", "all"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    for word in
        ["failed at 'configure'", "exit status: 7", "no perl here", "lib.log", "tlstax libraries build lib"]
    {
        assert!(run.stderr.contains(word), "{word}: {}", run.stderr);
    }
    assert_eq!(project.run(&["libraries", "build", "all", "--strict"]).code, 3);
    // What was begun is not taken for a library.
    project.write("source/config", CONFIG);
    let again = project.run(&["libraries", "build", "lib"]);
    assert_eq!((again.code, project.compiled()), (0, 1), "{}", again.stderr);
}

#[test]
fn a_damaged_cache_is_built_anew_and_an_unusable_one_is_named() {
    let project = Project::new("", WORKER);
    project.write("workers/workers.toml", &from_source(&project));
    project.write("source/config", CONFIG);
    project.run(&["libraries", "build", "lib"]);
    let mut kept = fs::read_dir(project.path("cache/libraries")).unwrap().map(|one| one.unwrap().path());
    let kept = kept.find(|path| path.is_dir()).unwrap();
    fs::write(kept.join("prefix/lib/libssl.a"), "y").unwrap();
    let run = project.run(&["libraries", "build", "lib"]);
    assert!(run.stderr.contains("the cache is damaged (lib/libssl.a has changed)"), "{}", run.stderr);
    assert_eq!(project.compiled(), 2);

    fs::remove_dir_all(project.path("cache")).unwrap();
    project.write("cache", "no folder");
    let run = project.run(&["libraries", "build", "lib"]);
    assert_eq!(run.code, 3);
    assert!(run.stderr.contains("TLSTAX_CACHE"), "{}", run.stderr);
}

#[test]
fn sources_that_are_not_there_are_named() {
    for (source, words) in [
        ("path:/no/such/folder", ["/no/such/folder", "source and subdir"]),
        ("crate:none@=1.0.0", ["workers/sources/none-1.0.0/Cargo.toml", "adding-a-library.md"]),
    ] {
        let block = format!(
            "[[library]]\nid = \"lib\"\nabout = \"?\"\nsource = \"{source}\"\nrecipe = \"cmake\"\nworker = \"node\"\n"
        );
        let run = Project::new(&block, WORKER).run(&["libraries", "build", "lib"]);
        assert_eq!(run.code, 3, "{}", run.stderr);
        assert!(words.iter().all(|word| run.stderr.contains(word)), "{}", run.stderr);
    }
}

#[test]
fn a_worker_that_fails_its_suite_is_not_used() {
    for (worker, words) in [
        (WORKER.replace("64) answer=", "64) answer=f"), "FAIL  known answer sha256:digest"),
        (WORKER.replace("ready= && echo", "kill -9 $$; echo"), "the worker ended (signal: 9"),
    ] {
        let project = Project::new(NODE, &worker);
        let run = project.run(&["libraries", "build", "fake"]);
        assert_eq!(run.code, 3);
        assert!(run.stderr.contains(words), "{}", run.stderr);
        let list = project.run(&["libraries"]);
        assert!(
            list.stdout.contains("not available") && list.stdout.contains("libraries build fake"),
            "{}",
            list.stdout
        );
    }
}

#[test]
fn a_program_that_is_not_the_one_that_passed_is_not_used() {
    let project = Project::new(NODE, WORKER);
    project.run(&["libraries", "build", "fake"]);
    let program = project.path("target/workers/bin/fake");
    fs::write(&program, WORKER.replace("Fake 1.0", "Fake 2.0")).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let list = project.run(&["libraries"]);
    assert!(list.stdout.contains("has not passed the conformance suite as it is now"), "{}", list.stdout);
    // Building it again puts it right.
    assert_eq!(project.run(&["libraries", "build", "fake"]).code, 0);
    assert!(project.run(&["libraries"]).stdout.contains("Fake 1.0"));
}

#[test]
fn a_worker_of_an_older_protocol_is_refused_with_the_remedy() {
    let project =
        Project::new(NODE, &WORKER.replace("\"protocol\":1", "\"protocol\":'${TLSTAX_UNTIMED:-0}'"));
    project.run(&["libraries", "build", "fake"]);
    let list = project.run(&["libraries"]);
    assert!(
        list.stdout.contains("speaks protocol 0") && list.stdout.contains("build both anew"),
        "{}",
        list.stdout
    );
}

#[test]
fn blocks_that_make_no_sense_are_refused() {
    for (block, words) in [
        ("id = \"a b\"\nabout = \"\"\nworker = \"node\"", "is no id"),
        ("id = \"a\"\nabout = \"\"", "neither which worker serves it nor which program"),
        ("id = \"a\"\nabout = \"\"\nworker = \"native\"", "names no backend"),
        ("id = \"a\"\nabout = \"\"\nworker = \"node\"\nsource = \"path:/x\"", "a source and no recipe"),
        ("id = \"a\"\nabout = \"\"\nworker = \"node\"\nsource = \"/x\"", "crate:NAME@=VERSION"),
        ("id = \"a\"\nabout = \"\"\nworker = \"cobol\"", "unknown variant"),
    ] {
        let run = Project::new(&format!("[[library]]\n{block}\n"), WORKER).run(&["libraries"]);
        assert_eq!(run.code, 2, "{block}: {}", run.stderr);
        assert!(run.stderr.contains(words), "{block}: {}", run.stderr);
    }
}

#[test]
fn what_cannot_be_added_is_said() {
    let native = "[[library]]\nid = \"known\"\nabout = \"?\"\nworker = \"native\"\nbackend = \"openssl\"\narchives = [\"ssl\"]\n";
    let project = Project::new(&format!("{NODE}{native}"), WORKER);
    fs::create_dir_all(project.path("empty/include")).unwrap();
    let empty = project.path("empty").display().to_string();
    for (id, like, prefix, words) in [
        ("mine", "known", "/no/such/folder", "name the folder where the library is installed"),
        ("mine", "known", empty.as_str(), "holds no lib/libssl.a"),
        ("mine", "nobody", empty.as_str(), "no library 'nobody'"),
        ("fake", "known", empty.as_str(), "library 'fake' is there already"),
        ("mine", "fake", empty.as_str(), "is no C library"),
    ] {
        let run = project.run(&["libraries", "add", id, "--like", like, "--prefix", prefix]);
        assert_ne!(run.code, 0, "{words}");
        assert!(run.stderr.contains(words), "{words}: {}", run.stderr);
    }
    assert!(!project.path("workers/own.toml").exists());
}

#[test]
fn a_switch_is_a_library_of_its_own_and_must_be_off() {
    let stage = Stage::with(&[("mock", serde_json::json!({}))]);
    let run = stage.run(&[
        "speed",
        "aes-128-gcm",
        "--size",
        "1024",
        "--without",
        "aes",
        "--without",
        "sha,vaes",
        "--list",
    ]);
    for id in ["mock/", "mock-without-aes/", "mock-without-sha-vaes/"] {
        assert!(run.stdout.contains(id), "{}\n{}", run.stdout, run.stderr);
    }
    // The scripted worker obeys, unless its script says what it does without.
    let stage = Stage::with(&[("mock", serde_json::json!({ "hello": { "without": ["sha"] } }))]);
    let run = stage.run(&[
        "speed",
        "aes-128-gcm",
        "--size",
        "1024",
        "-l",
        "mock-without-aes",
        "--budget",
        "5s",
        "-q",
    ]);
    assert!(run.stderr.contains("still uses what aes stands for"), "{}{}", run.stdout, run.stderr);
    let run = stage.run(&["speed", "aes-128-gcm", "-l", "mock-without-turbo", "--list"]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("unknown switch 'turbo'"), "{}", run.stderr);
}
