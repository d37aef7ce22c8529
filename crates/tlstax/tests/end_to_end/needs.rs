//! What a test needs of the machine. Where that is missing the test says so and does nothing.

use std::fmt::Display;
use std::path::Path;
use std::process::{Command, Stdio};

/// The real nginx.
pub const NGINX: &str = "/usr/sbin/nginx";

#[expect(clippy::print_stderr, reason = "whoever reads that a test passed has to know that it did nothing")]
pub fn not_tested(why: impl Display) {
    eprintln!("not tested: {why}");
}

/// Whether all of these programs are there.
pub fn are_there(programs: &[&Path]) -> bool {
    let missing = programs.iter().find(|path| !path.is_file());
    if let Some(path) = missing {
        not_tested(format!("{} is missing; scripts/test.sh installs and builds it", path.display()));
    }
    missing.is_none()
}

/// Whether a command that starts others may be used here.
pub fn is_allowed(starter: &[&str]) -> bool {
    let status = Command::new(starter[0]).args(&starter[1..]).arg("true").stderr(Stdio::null()).status();
    let is_allowed = status.is_ok_and(|status| status.success());
    if !is_allowed {
        not_tested(format!("{} may not be used here", starter[0]));
    }
    is_allowed
}
