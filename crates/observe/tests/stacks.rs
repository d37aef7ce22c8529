//! Stacks of real libraries and the class of each: `stacks/*.txt`. A stack begins with `= cost algorithm evidence`, a hyphen in place of an
//! algorithm that is not known; its frames follow, the innermost first: `file`function`, a `?` for a function without a name,
//! `-> callee` behind one that has called through the dynamic symbol table, `{AES CLMUL}` behind one whose instructions speak,
//! and `[kernel]` for the file of the kernel.
#![allow(clippy::unwrap_used)]

use std::path::Path;

use tlstax_observe::{Classifier, Frame, Instructions};

const GROUPS: [(&str, Instructions); 10] = [
    ("AES", Instructions::AES),
    ("CLMUL", Instructions::CLMUL),
    ("SHA1", Instructions::SHA1),
    ("SHA256", Instructions::SHA256),
    ("SHA512", Instructions::SHA512),
    ("BIGNUM", Instructions::BIGNUM),
    ("CHACHA", Instructions::CHACHA),
    ("ML_KEM", Instructions::ML_KEM),
    ("ML_DSA", Instructions::ML_DSA),
    ("KECCAK", Instructions::KECCAK),
];

fn frame(line: &str) -> Frame {
    let is_group = |one: char| one.is_ascii_uppercase() || one.is_ascii_digit() || " _}".contains(one);
    let groups = line.rsplit_once(" {").filter(|(_, groups)| groups.chars().all(is_group));
    let (line, groups) = groups.map_or((line, ""), |(line, groups)| (line, groups.trim_end_matches('}')));
    let group = |word: &str| GROUPS.iter().find(|(known, _)| *known == word).unwrap().1;
    let instructions = groups.split_whitespace().map(group).reduce(Instructions::and);
    let (line, callee) = line.split_once(" -> ").map_or((line, None), |(line, callee)| (line, Some(callee)));
    let (module, function) = line.split_once('`').unwrap();
    Frame {
        function: (function != "?").then(|| function.into()),
        module: (!module.is_empty()).then(|| module.into()),
        callee: callee.map(Into::into),
        instructions,
        is_kernel: module == "[kernel]",
        ..Frame::default()
    }
}

/// What is found instead, one line each.
fn differences(text: &str, file: &str) -> Vec<String> {
    let classifier = Classifier::built_in();
    let mut wrong = Vec::new();
    for block in text.split("\n= ").skip(1) {
        let mut lines = block.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
        let expected = lines.next().unwrap();
        let frames: Vec<Frame> = lines.map(frame).collect();
        let (class, evidence) = classifier.classify(&frames.iter().collect::<Vec<_>>());
        let algorithm = class.algorithm.map_or("-", |algorithm| algorithm.word());
        let found = format!("{} {algorithm} {}", class.cost.word(), evidence.word());
        if found != expected {
            let first = block.lines().nth(1).unwrap_or_default();
            wrong.push(format!("{file}: {first}: {expected} wanted, {found} found by {evidence:?}"));
        }
    }
    wrong
}

#[test]
fn every_stack_has_its_class() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/stacks");
    let (mut files, mut wrong) = (0, Vec::new());
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.contains("\n= "), "{}: no stack", path.display());
        wrong.extend(differences(&text, &path.file_name().unwrap().to_string_lossy()));
        files += 1;
    }
    assert!(files >= 12, "{files} files");
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn a_rule_of_the_users_goes_before_ours() {
    let rules = "[operations]\nsession = [\"EVP_DigestSign\"]\n[parts]\ntls = [\"my_tls_*\"]";
    let classifier = Classifier::built_in().with_rules(rules, "mine.toml").unwrap();
    let stack = ["server`EVP_DigestSign", "server`my_tls_shake", "server`main"].map(frame);
    let (class, _) = classifier.classify(&stack.iter().collect::<Vec<_>>());
    assert_eq!(class.cost.word(), "session");
    assert!(Classifier::built_in().with_rules("[task]\nrecord = [\"f\"]", "mine.toml").is_err());
}
