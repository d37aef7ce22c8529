//! Workers that came built with tlstax.

use std::path::Path;

use tlstax_doc::StoreError;
use tlstax_peers::Refused;

use crate::Home;
use crate::conformance::Count;
use crate::proven::{Pass, holds, place};
use crate::registry::{Block, Entry};
use crate::session::{Seat, Session};

/// Whether a worker came built and has not passed with the files that it loads now. One that does not start has nothing to pass: what is
/// wrong with it stands in its row.
pub fn is_unproven(block: &Block, home: &Home) -> bool {
    let program = block.program_path(home);
    home.is_shared(&program)
        && start(block, &program, home).is_ok_and(|session| !holds(home, &program, &session.loaded))
}

/// Keeps that a worker that came built has passed the whole suite with the files that it loads now.
///
/// # Errors
/// The state folder cannot be written.
pub(super) fn keep(block: &Block, home: &Home, program: &Path, count: &Count) -> Result<(), StoreError> {
    let Ok(session) = start(block, program, home) else { return Ok(()) };
    let files = session.loaded.iter().map(|one| one.path.as_path()).collect();
    let pass = Pass { library: &block.id, files, passed: count.passed, skipped: count.skipped };
    let text = serde_json::to_string_pretty(&pass).expect("a pass has string keys") + "\n";
    let place = place(home, program, &session.loaded)
        .map_err(|source| StoreError::Write { path: home.passes(), source })?;
    tlstax_doc::write(&place, text.as_bytes())
}

/// The worker as a program that nobody vouches for: it need not have passed anything to be started.
fn start(block: &Block, program: &Path, home: &Home) -> Result<Session, Refused> {
    Session::start(&Entry::elsewhere(block, program), home, Seat::default(), 0)
}
