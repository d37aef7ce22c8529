//! The rules of the house, read off what cargo and the compiler's own syntax say: who may import whom, no crypto in the
//! orchestrator, and no modules that import each other in a circle.
#![allow(clippy::unwrap_used, clippy::disallowed_methods)]

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

mod modules;

use modules::Modules;

/// What each of our packages may import of ours; docs/architecture.md draws the picture.
const ALLOWED: [(&str, &[&str]); 11] = [
    ("tlstax-spec", &[]),
    ("tlstax-stats", &[]),
    ("tlstax-measure", &["tlstax-spec", "tlstax-stats"]),
    ("tlstax-doc", &["tlstax-spec", "tlstax-stats"]),
    ("tlstax-worker", &["tlstax-spec", "tlstax-stats", "tlstax-measure"]),
    ("tlstax-names", &["tlstax-spec"]),
    ("tlstax-peers", &["tlstax-spec", "tlstax-measure", "tlstax-doc", "tlstax-names"]),
    ("tlstax-libraries", &["tlstax-spec", "tlstax-measure", "tlstax-doc", "tlstax-names", "tlstax-peers"]),
    (
        "tlstax-run",
        &[
            "tlstax-spec",
            "tlstax-stats",
            "tlstax-measure",
            "tlstax-doc",
            "tlstax-names",
            "tlstax-peers",
            "tlstax-libraries",
        ],
    ),
    ("tlstax-report", &["tlstax-spec", "tlstax-stats", "tlstax-doc"]),
    (
        "tlstax",
        &[
            "tlstax-spec",
            "tlstax-stats",
            "tlstax-measure",
            "tlstax-doc",
            "tlstax-names",
            "tlstax-peers",
            "tlstax-libraries",
            "tlstax-run",
            "tlstax-report",
        ],
    ),
];

/// Packages that implement cryptography, by the beginnings of their names.
const CRYPTO: [&str; 14] = [
    "aes", "aws-lc", "boring", "chacha20", "digest", "ecdsa", "ed25519", "md-5", "openssl", "ring", "rsa",
    "rustls", "sha1", "sha2",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn metadata(manifest: &Path, more: &[&str]) -> Value {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--locked", "--manifest-path"])
        .arg(manifest)
        .args(more)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The names of our own packages that a package imports, tests included.
fn imports(package: &Value) -> BTreeSet<&str> {
    let dependencies = package["dependencies"].as_array().unwrap();
    dependencies
        .iter()
        .filter(|one| one["path"].is_string())
        .map(|one| one["name"].as_str().unwrap())
        .collect()
}

#[test]
fn nobody_imports_sideways_or_upwards() {
    let metadata = metadata(&root().join("Cargo.toml"), &["--no-deps"]);
    let packages = metadata["packages"].as_array().unwrap();
    assert_eq!(
        packages.len(),
        ALLOWED.len(),
        "a crate was added or removed: say in ALLOWED what it may import"
    );
    let allowed: HashMap<&str, &[&str]> = ALLOWED.into_iter().collect();
    for package in packages {
        let name = package["name"].as_str().unwrap();
        let allowed = allowed.get(name).unwrap_or_else(|| panic!("{name} is not in ALLOWED"));
        for import in imports(package) {
            assert!(allowed.contains(&import), "{name} must not import {import}");
        }
    }
}

#[test]
fn workers_import_the_worker_and_what_is_below_it_only() {
    let mut found = 0;
    for entry in std::fs::read_dir(root().join("workers")).unwrap() {
        let manifest = entry.unwrap().path().join("Cargo.toml");
        if !manifest.is_file() {
            continue;
        }
        found += 1;
        let metadata = metadata(&manifest, &["--no-deps"]);
        for package in metadata["packages"].as_array().unwrap() {
            for import in imports(package) {
                let below = ["tlstax-worker", "tlstax-spec", "tlstax-measure"];
                assert!(below.contains(&import), "{} must not import {import}", manifest.display());
            }
        }
    }
    assert!(found >= 3, "only {found} workers were found");
}

#[test]
fn the_orchestrator_has_no_crypto() {
    let metadata = metadata(&root().join("Cargo.toml"), &[]);
    let nodes: HashMap<&str, &Value> = metadata["resolve"]["nodes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|node| (node["id"].as_str().unwrap(), node))
        .collect();
    let start =
        metadata["packages"].as_array().unwrap().iter().find(|package| package["name"] == "tlstax").unwrap();
    let mut ahead = vec![start["id"].as_str().unwrap()];
    let mut seen = BTreeSet::new();
    while let Some(id) = ahead.pop() {
        if !seen.insert(id) {
            continue;
        }
        for dependency in nodes[id]["deps"].as_array().unwrap() {
            let shipped =
                dependency["dep_kinds"].as_array().unwrap().iter().any(|kind| kind["kind"] != "dev");
            if shipped {
                ahead.push(dependency["pkg"].as_str().unwrap());
            }
        }
    }
    let names: BTreeSet<&str> = metadata["packages"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|package| seen.contains(package["id"].as_str().unwrap()))
        .map(|package| package["name"].as_str().unwrap())
        .collect();
    assert!(names.contains("serde") && names.contains("tlstax-run"), "the walk went wrong: {names:?}");
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
