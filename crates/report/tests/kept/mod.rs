//! Documents and drawings that are kept: `TLSTAX_BLESS=1 cargo test` writes them anew.
#![allow(clippy::unwrap_used, dead_code)]

use std::path::{Path, PathBuf};

use tlstax_doc::model::{Model, read_model, write_model};
use tlstax_doc::plan::{Plan, read_plan, write_plan};
use tlstax_doc::{
    Results, Workload, read, read_results, read_workload, write, write_results, write_workload,
};

fn golden(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name)
}

fn blessing() -> bool {
    std::env::var_os("TLSTAX_BLESS").is_some()
}

/// That a drawing is as it was kept.
#[track_caller]
pub fn expect(name: &str, found: &str) {
    let path = golden(name);
    if blessing() {
        write(&path, found.as_bytes()).unwrap();
    }
    let expected = read(&path).unwrap();
    let differs = expected.lines().zip(found.lines()).position(|(expected, found)| expected != found);
    assert!(
        expected == found,
        "{name} differs from line {:?} on; look at it, and if it is right, run with TLSTAX_BLESS=1",
        differs.map(|line| line + 1)
    );
}

/// A document as it was kept, made anew while blessing.
pub fn results(name: &str, make: impl Fn() -> Results) -> Results {
    let path = golden(name);
    if blessing() {
        write_results(&path, &make()).unwrap();
    }
    read_results(&path).unwrap()
}

/// The same of a workload.
pub fn workload(name: &str, make: impl Fn() -> Workload) -> Workload {
    let path = golden(name);
    if blessing() {
        write_workload(&path, &make()).unwrap();
    }
    read_workload(&path).unwrap()
}

/// The same of a model.
pub fn model(name: &str, make: impl Fn() -> Model) -> Model {
    let path = golden(name);
    if blessing() {
        write_model(&path, &make()).unwrap();
    }
    read_model(&path).unwrap()
}

/// The same of a plan.
pub fn plan(name: &str, make: impl Fn() -> Plan) -> Plan {
    let path = golden(name);
    if blessing() {
        write_plan(&path, &make()).unwrap();
    }
    read_plan(&path).unwrap()
}
