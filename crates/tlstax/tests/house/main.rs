//! The rules of the house, read off what cargo and the compiler's own syntax say: who may import whom, no crypto in the
//! orchestrator, and no modules that import each other in a circle.
#![allow(clippy::unwrap_used, clippy::disallowed_methods)]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

mod modules;

use modules::Modules;

/// What each of our packages may import of ours; docs/architecture.md draws the picture.
const ALLOWED: [(&str, &[&str]); 15] = [
    ("spec", &[]),
    ("stats", &[]),
    ("measure", &["spec", "stats"]),
    ("doc", &["spec", "stats"]),
    ("worker", &["spec", "stats", "measure"]),
    ("names", &["spec"]),
    ("peers", &["spec", "measure", "doc", "names"]),
    ("libraries", &["spec", "measure", "doc", "names", "peers"]),
    ("run", &["spec", "stats", "measure", "doc", "names", "peers", "libraries"]),
    ("claims", &["spec", "stats", "doc", "names"]),
    ("observe", &["spec", "stats", "measure", "doc", "names"]),
    ("traffic", &["spec", "measure", "doc", "names"]),
    // Its tests read workloads that are written by hand.
    ("plan", &["spec", "stats", "doc", "names", "claims", "traffic"]),
    ("report", &["spec", "stats", "doc", "claims"]),
    (
        "tlstax",
        &[
            "spec",
            "stats",
            "measure",
            "doc",
            "names",
            "peers",
            "libraries",
            "run",
            "claims",
            "observe",
            "traffic",
            "plan",
            "report",
        ],
    ),
];

/// What programs that serve a library may import of ours.
const ALLOWED_TO_WORKERS: [&str; 3] = ["worker", "spec", "measure"];

/// Packages that implement cryptography, by the beginnings of their names.
const CRYPTO: [&str; 14] = [
    "aes", "aws-lc", "boring", "chacha20", "digest", "ecdsa", "ed25519", "md-5", "openssl", "ring", "rsa",
    "rustls", "sha1", "sha2",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn cargo(words: &[&str], manifest: &Path) -> String {
    let mut command = Command::new(env!("CARGO"));
    let output = command.args(words).args(["--locked", "--manifest-path"]).arg(manifest).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// The packages of a manifest, each with those of ours that it imports, tests included; the `tlstax-` before each is left out.
fn imports(manifest: &Path) -> Vec<(String, Vec<String>)> {
    let metadata = cargo(&["metadata", "--format-version", "1", "--no-deps"], manifest);
    let metadata: Value = serde_json::from_str(&metadata).unwrap();
    let name = |one: &Value| one["name"].as_str().unwrap().trim_start_matches("tlstax-").to_owned();
    let of = |package: &Value| {
        let dependencies = package["dependencies"].as_array().unwrap();
        let ours = dependencies.iter().filter(|one| one["path"].is_string());
        (name(package), ours.map(name).collect())
    };
    metadata["packages"].as_array().unwrap().iter().map(of).collect()
}

#[test]
fn nobody_imports_sideways_or_upwards() {
    let packages = imports(&root().join("Cargo.toml"));
    assert_eq!(packages.len(), ALLOWED.len(), "a crate came or went: say in ALLOWED what it may import");
    for (name, imports) in packages {
        let allowed = ALLOWED.iter().find(|(known, _)| *known == name);
        let (_, allowed) = allowed.unwrap_or_else(|| panic!("{name} is not in ALLOWED"));
        for import in imports {
            assert!(allowed.contains(&import.as_str()), "{name} must not import {import}");
        }
    }
}

#[test]
fn workers_import_the_worker_and_what_is_below_it_only() {
    let workers = std::fs::read_dir(root().join("workers")).unwrap();
    let manifests = workers.map(|entry| entry.unwrap().path().join("Cargo.toml"));
    let manifests: Vec<_> = manifests.filter(|manifest| manifest.is_file()).collect();
    assert!(manifests.len() >= 3, "only {manifests:?} were found");
    for (name, imports) in manifests.iter().flat_map(|manifest| imports(manifest)) {
        for import in imports {
            assert!(ALLOWED_TO_WORKERS.contains(&import.as_str()), "{name} must not import {import}");
        }
    }
}

#[test]
fn the_orchestrator_has_no_crypto() {
    let shipped = ["--edges", "no-dev", "--target", "all", "--prefix", "none", "--format", "{p}"];
    let tree = cargo(&[&["tree", "--package", "tlstax"], &shipped[..]].concat(), &root().join("Cargo.toml"));
    let names: BTreeSet<&str> = tree.lines().filter_map(|line| line.split(' ').next()).collect();
    assert!(names.contains("serde") && names.contains("tlstax-run"), "the tree is another: {names:?}");
    for name in names {
        let is_crypto =
            CRYPTO.iter().any(|crypto| name == *crypto || name.starts_with(&format!("{crypto}-")));
        assert!(!is_crypto, "{name} is in the orchestrator's tree; crypto belongs into workers");
    }
}

#[test]
fn modules_of_a_crate_import_each_other_in_no_circle() {
    let (mut found, mut circles) = (0, String::new());
    for folder in ["crates", "workers"] {
        for entry in std::fs::read_dir(root().join(folder)).unwrap() {
            let source = entry.unwrap().path().join("src");
            let root = ["lib.rs", "main.rs"].iter().map(|name| source.join(name)).find(|path| path.is_file());
            let Some(root) = root else { continue };
            found += 1;
            for (from, to) in Modules::read(&root).circles() {
                circles += &format!("\n  {}: {from} -> {to}", root.display());
            }
        }
    }
    assert!(found >= 13, "only {found} crates were found");
    assert!(circles.is_empty(), "modules in circles, or between two:{circles}");
}

#[test]
fn a_circle_of_modules_is_found_through_what_hands_names_on() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("lib.rs", "mod a; mod b; pub use a::A;");
    write("a.rs", "use crate::b::B; pub struct A(B); #[cfg(test)] mod tests { use crate::b::C; }");
    write("b.rs", "pub struct B; pub struct C;");
    let circles = || Modules::read(&folder.path().join("lib.rs")).circles();
    assert_eq!(circles(), []);
    write("b.rs", "pub struct B; pub struct C; pub fn b() -> Option<crate::A> { None }");
    let both = [("a", "b"), ("b", "a")].map(|(from, to)| (from.to_owned(), to.to_owned()));
    assert_eq!(circles(), both);
}
