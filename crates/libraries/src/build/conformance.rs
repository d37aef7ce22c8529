//! Running the conformance suite of a worker: nothing is timed that has not passed it.

use std::path::Path;

use tlstax_measure::command::{CommandError, Log, Run};

use crate::Home;
use crate::registry::Block;

/// How the suite came out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conformance {
    /// Checks that passed.
    pub passed: u64,
    /// Checks that failed.
    pub failed: u64,
    /// Checks that the worker's claims did not call for.
    pub skipped: u64,
    /// The lines of those that failed, or how the suite ended if it did not come to its end.
    pub failures: Vec<String>,
}

/// Runs the suite of a worker's program; every line goes into the log.
///
/// # Errors
/// The program cannot be started, or the log not written.
pub fn conformance(
    block: &Block,
    program: &Path,
    home: &Home,
    log: &mut Log,
) -> Result<Conformance, CommandError> {
    let before = std::fs::metadata(log.path()).map_or(0, |file| file.len());
    let mut arguments = block.command()[1..].to_vec();
    arguments.extend(["--conformance".to_owned(), home.pki().display().to_string()]);
    let environment = block.env.clone().into_iter().collect();
    let program = program.display().to_string();
    let run = Run { program, arguments, folder: home.path().to_owned(), environment, hidden: Vec::new() };
    let output = log.run(&run)?;
    let text = std::fs::read(log.path()).unwrap_or_default();
    let text = String::from_utf8_lossy(text.get(before as usize..).unwrap_or_default()).into_owned();
    Ok(read(&text, output.status.success(), &output.status.to_string()))
}

/// Reads what the suite wrote.
fn read(text: &str, success: bool, status: &str) -> Conformance {
    let mut failures: Vec<String> =
        text.lines().filter(|line| line.starts_with("FAIL")).map(str::to_owned).collect();
    let counts = text.lines().rev().find_map(counts);
    if counts.is_none() || (!success && failures.is_empty()) {
        let last = text.lines().last().unwrap_or_default();
        failures.push(format!("the suite did not come to its end ({status}); its last words: {last}"));
    }
    let [passed, failed, skipped] = counts.unwrap_or_default();
    Conformance { passed, failed: failed.max(failures.len() as u64), skipped, failures }
}

/// `3 passed, 0 failed, 1 skipped`.
fn counts(line: &str) -> Option<[u64; 3]> {
    let mut parts = line.split(", ");
    let mut count = |word: &str| parts.next()?.strip_suffix(word)?.trim().parse().ok();
    Some([count("passed")?, count("failed")?, count("skipped")?])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_and_failures_are_read() {
        let found =
            read("x 1.0 (x)\nok    a\nFAIL  b: no\n2 passed, 1 failed, 4 skipped\n", false, "exit status: 1");
        assert_eq!((found.passed, found.failed, found.skipped), (2, 1, 4));
        assert_eq!(found.failures, ["FAIL  b: no"]);
        assert_eq!(read("3 passed, 0 failed, 0 skipped\n", true, "").failed, 0);
    }

    #[test]
    fn a_suite_that_dies_has_not_passed() {
        for text in ["", "ok    a\nSegmentation fault"] {
            let found = read(text, false, "signal: 11");
            assert_eq!(found.failed, 1);
            assert!(found.failures[0].contains("signal: 11"));
        }
        // Everything passed, and then it died.
        assert_eq!(read("3 passed, 0 failed, 0 skipped\n", false, "signal: 6").failed, 1);
    }
}
