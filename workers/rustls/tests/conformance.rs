//! The worker passes the suite that every worker has to pass.

use std::process::Command;

#[test]
fn conforms() {
    let pki = concat!(env!("CARGO_MANIFEST_DIR"), "/../../pki");
    let output = Command::new(env!("CARGO_BIN_EXE_tlstax-worker-rustls"))
        .args(["--conformance", pki])
        .output()
        .expect("cargo has built the worker");
    let report = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{report}\n{}", String::from_utf8_lossy(&output.stderr));
}
