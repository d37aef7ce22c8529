//! The build script of the workers in Rust: tells the program the versions that its Cargo.lock resolved, since rustls and its
//! providers export none.

use std::path::Path;
use std::process::Command;
use std::{env, fs};

fn main() {
    let lock = Path::new(&env::var("CARGO_MANIFEST_DIR").expect("cargo sets it")).join("Cargo.lock");
    println!("cargo:rerun-if-changed={}", lock.display());
    let lock = fs::read_to_string(&lock).expect("cargo writes Cargo.lock before it runs a build script");
    for package in ["rustls", "aws-lc-rs", "ring", "graviola", "rustls-graviola"] {
        // A program that asks for one that it does not have is not compiled.
        if let Some(version) = locked_version(&lock, package) {
            let variable = package.replace('-', "_").to_uppercase();
            println!("cargo:rustc-env=TLSTAX_{variable}_VERSION={version}");
        }
    }
    // The symbols of AWS-LC begin with the version of the package, so that several of them can be linked together.
    if let Some(version) = locked_version(&lock, "aws-lc-sys") {
        let prefix = format!("aws_lc_{}_", version.replace('.', "_"));
        println!("cargo:rustc-env=TLSTAX_AWS_LC_CPU_WORDS={prefix}OPENSSL_ia32cap_P");
    }
    println!("cargo:rustc-env=TLSTAX_COMPILER={}", compiler());
    println!("cargo:rustc-env=TLSTAX_OPT_LEVEL={}", env::var("OPT_LEVEL").expect("cargo sets it"));
}

/// The version of a package; its line follows that of the name.
fn locked_version<'a>(lock: &'a str, package: &str) -> Option<&'a str> {
    let name = format!("name = \"{package}\"");
    let mut lines = lock.lines().skip_while(|line| *line != name);
    lines.nth(1)?.strip_prefix("version = \"")?.strip_suffix('"')
}

/// For example `rustc 1.88.0 (6b00bc388 2025-06-23)`.
#[expect(clippy::disallowed_methods, reason = "a build script has no other way to ask the compiler")]
fn compiler() -> String {
    let rustc = env::var("RUSTC").expect("cargo sets it");
    let output = Command::new(rustc).arg("--version").output().expect("cargo has just run it");
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}
