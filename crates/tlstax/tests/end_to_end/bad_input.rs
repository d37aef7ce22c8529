//! Words, studies and documents that are no good: each with the place and the remedy, and the right exit code.

use crate::stage::Stage;

#[track_caller]
fn refused(stage: &Stage, arguments: &[&str], code: i32, words: &[&str]) {
    let run = stage.run(arguments);
    assert_eq!(run.code, code, "{arguments:?}: {}", run.stderr);
    for word in words {
        assert!(run.stderr.contains(word), "{arguments:?} does not say '{word}': {}", run.stderr);
    }
    assert!(!run.stderr.contains("panicked"), "{}", run.stderr);
}

#[test]
fn studies_with_mistakes_are_refused_with_their_place() {
    let stage = Stage::calm();
    for (matrices, words) in [
        ("[[primitive]]\nalgorithm = [\"md5\"]\n", &["line 6", "algorithm"][..]),
        ("[[primitive]]\nalgorithms = [\"md6\"]\n", &["md6", "sha256"]),
        ("[[primitive]]\nalgorithms = [\"md5\"]\nsizes = [0]\n", &["sizes", "0 is out of range"]),
        (
            "[[primitive]]\nalgorithms = [\"md5\"]\nsizes = [1099511627776]\n",
            &["1099511627776 is out of range"],
        ),
        ("[[primitive]]\nalgorithms = [\"md5\"]\nthreads = [0]\n", &["threads"]),
        ("[[load]]\nplain = true\nbodies = [1099511627776]\n", &["bodies"]),
        (
            "[[handshake]]\nversions = [\"TLSv1.2\"]\nsuites = [\"TLS_AES_128_GCM_SHA256\"]\ngroups = [\"X25519\"]\nkeys = [\"ecdsa-p256\"]\n",
            &["[[handshake]]", "no combination"],
        ),
        ("", &["no matrix"]),
        ("[[primitive]\n", &["line 5"]),
    ] {
        let file = stage.study("bad", matrices);
        refused(&stage, &["measure", file.to_str().unwrap()], 2, words);
    }
    refused(&stage, &["measure", "nonesuch"], 2, &["nonesuch", "quick"]);
    refused(&stage, &["measure", "nonesuch.toml"], 2, &["nonesuch.toml"]);
}

#[test]
fn flags_with_mistakes_are_refused_with_what_would_do() {
    let stage = Stage::calm();
    refused(&stage, &["speed", "md6"], 2, &["md6", "aes-128-gcm"]);
    refused(&stage, &["speed", "md5", "--size", "0"], 2, &["out of range"]);
    refused(&stage, &["speed", "md5", "-l", "nonesuch"], 2, &["nonesuch", "mock"]);
    refused(&stage, &["speed", "md5", "--budget", "soon"], 2, &["soon", "90s"]);
    refused(&stage, &["handshake", "--suite", "TLS_RSA_WITH_NULL_MD5"], 2, &["no combination"]);
    refused(&stage, &["nonesuch"], 2, &["nonesuch"]);
}

#[test]
fn documents_that_are_not_usable_are_refused() {
    let stage = Stage::calm();
    let (_, mut results) =
        stage.measure("good", "[[primitive]]\nalgorithms = [\"md5\"]\nsizes = [64]\n", &[]);
    let write = |name: &str, text: &str| {
        let path = stage.path(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let good = stage.path("good.json").to_str().unwrap().to_owned();
    let text = std::fs::read_to_string(&good).unwrap();
    let cut = write("cut.json", &text[..text.len() / 2]);
    refused(&stage, &["report", &cut], 2, &["cut.json", "line 1 column", "--resume"]);
    refused(&stage, &["compare", &good, &cut], 2, &["cut.json"]);
    (results["schema"]["major"], results["schema"]["minor"]) = (9.into(), 1.into());
    let newer = write("newer.json", &results.to_string());
    refused(&stage, &["report", &newer], 2, &["newer.json", "9.1", "newer one"]);
    refused(&stage, &["report", "none.json"], 2, &["none.json"]);
    refused(&stage, &["measure", "--resume", &good], 2, &["no journal"]);
    let empty = write("empty.journal", "");
    refused(&stage, &["measure", "--resume", &empty], 2, &["empty.journal"]);
}

#[test]
fn a_place_that_cannot_be_written_is_said_with_a_remedy() {
    let stage = Stage::calm();
    let file = stage.study("place", "[[primitive]]\nalgorithms = [\"md5\"]\nsizes = [64]\n");
    std::fs::write(stage.path("a-file"), "").unwrap();
    let under = stage.path("a-file").join("results");
    refused(
        &stage,
        &["measure", file.to_str().unwrap(), "-q", "-o", under.to_str().unwrap()],
        3,
        &["cannot write", "--output"],
    );
}
