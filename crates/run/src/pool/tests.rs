#![allow(clippy::unwrap_used)]
use std::path::Path;

use tlstax_libraries::Block;

use super::*;

/// The control worker, as the registry of a test would name it.
fn control() -> Entry {
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/workers/bin/control");
    assert!(program.is_file(), "{} is missing: run make test, which builds it", program.display());
    let words = vec![program.display().to_string(), "control".to_owned()];
    Block { program: words, ..Block::new(Id::literal("sound"), "a script") }.into()
}

#[test]
fn a_process_that_is_gone_leaves_no_account_behind() {
    let home = Home::find(Some(Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."))).unwrap();
    let entry = control();
    let mut pool = Pool::new(&home, pin::cores().unwrap(), &[&entry]);
    let key = (Id::literal("sound"), Role::Server);
    pool.session(&key).unwrap();
    assert!(pool.observe(&key).is_some());
    pool.renew(2);
    assert_eq!(pool.observe(&key), None, "the control group of a process that has ended is still read");
}
