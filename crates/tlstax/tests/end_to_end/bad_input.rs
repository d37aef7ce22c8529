//! Words, studies and documents that are no good: each with the place and the remedy, and the right exit code.

use crate::stage::{ONE, Stage};

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
        stage.refuses(&format!("measure {file}"), words);
    }
    stage.refuses("measure nonesuch", ["nonesuch", "quick"]);
    stage.refuses("measure nonesuch.toml", ["nonesuch.toml"]);
}

#[test]
fn flags_with_mistakes_are_refused_with_what_would_do() {
    let stage = Stage::calm();
    stage.refuses("speed md6", ["md6", "aes-128-gcm"]);
    stage.refuses("speed md5 --size 0", ["out of range"]);
    stage.refuses("speed md5 -l nonesuch", ["nonesuch", "mock"]);
    stage.refuses("speed md5 --budget soon", ["soon", "90s"]);
    stage.refuses("handshake --suite TLS_RSA_WITH_NULL_MD5", ["no combination"]);
    stage.refuses("nonesuch", ["nonesuch"]);
}

#[test]
fn documents_that_are_not_usable_are_refused() {
    let stage = Stage::calm();
    let (_, mut results) = stage.measure("good", ONE, "");
    let text = stage.read("good.json");
    stage.write("cut.json", &text[..text.len() / 2]);
    stage.refuses("report cut.json", ["cut.json", "line 1 column", "--resume"]);
    stage.refuses("compare good.json cut.json", ["cut.json"]);
    (results["schema"]["major"], results["schema"]["minor"]) = (9.into(), 1.into());
    stage.write("newer.json", results.to_string());
    stage.refuses("report newer.json", ["newer.json", "9.1", "newer one"]);
    stage.refuses("report none.json", ["none.json"]);
    stage.refuses("measure --resume good.json", ["no journal"]);
    stage.write("empty.journal", "");
    stage.refuses("measure --resume empty.journal", ["empty.journal"]);
}
