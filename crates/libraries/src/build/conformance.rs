//! Running the conformance suite of a worker: nothing is timed that has not passed it.

use std::path::Path;

use tlstax_measure::command::{CommandError, Log, Run};
use tlstax_measure::signal::interrupted;

use super::prebuilt::keep;
use crate::Home;
use crate::conformance::{Count, Extent, run};
use crate::registry::{Block, Entry, Origin, Worker};

/// Runs the suite on a worker's program, which need not be in its place yet: the worker's own part, where it has one, and
/// the part over the bridge. Every line goes into the log.
///
/// # Errors
/// The program cannot be started, or the log not written.
pub fn conformance(
    block: &Block,
    program: &Path,
    home: &Home,
    extent: Extent,
    log: &mut Log,
) -> Result<Count, CommandError> {
    let own = if has_own(block) { within(block, program, home, log)? } else { Count::default() };
    let mut written = Ok(());
    let mut output = |line: &str| {
        if written.is_ok() {
            written = log.note(line);
        }
    };
    let bridge = run(at(block, program, home), home, extent, &mut output);
    let all = own.and(bridge);
    output(&format!("{} passed, {} failed, {} skipped in all", all.passed, all.failed, all.skipped));
    let is_proof = all.failed == 0 && extent == Extent::Whole && !interrupted();
    let kept = if is_proof && home.is_shared(program) { keep(block, home, program, &all) } else { Ok(()) };
    written?;
    kept.map_err(|error| CommandError::Log {
        path: home.state().to_owned(),
        source: std::io::Error::other(error),
    })?;
    Ok(all)
}

/// Whether a worker is made with the SDK, which checks from inside what cannot be seen over the bridge.
fn has_own(block: &Block) -> bool {
    let by_sdk = |worker| matches!(worker, Worker::Native | Worker::Rustls | Worker::Mock | Worker::Lean);
    block.worker.is_some_and(by_sdk) || matches!(Origin::from(block.clone()), Origin::Pointed(_))
}

/// The library with its worker where it was built, before it takes its place; or where it came built, before it is proven.
fn at(block: &Block, program: &Path, home: &Home) -> Entry {
    let is_in_place = program == block.program_path(home) && !home.is_shared(program);
    if is_in_place { block.clone().into() } else { Entry::elsewhere(block, program) }
}

/// Runs the part of the suite that is in the worker itself.
fn within(block: &Block, program: &Path, home: &Home, log: &mut Log) -> Result<Count, CommandError> {
    let before = log.length();
    let mut arguments = block.command()[1..].to_vec();
    arguments.extend(["--conformance".to_owned(), home.pki().display().to_string()]);
    let environment = block.env.clone().into_iter().collect();
    let program = program.display().to_string();
    let run = Run { program, arguments, folder: home.share().to_owned(), environment, hidden: Vec::new() };
    let output = log.run(&run)?;
    Ok(read(&log.since(before)?, output.status.success(), &output.status.to_string()))
}

/// Reads what the suite wrote.
fn read(text: &str, success: bool, status: &str) -> Count {
    let mut failures: Vec<String> =
        text.lines().filter(|line| line.starts_with("FAIL")).map(str::to_owned).collect();
    let counts = text.lines().rev().find_map(counts);
    if counts.is_none() || (!success && failures.is_empty()) {
        let last = text.lines().last().unwrap_or_default();
        failures.push(format!("the suite did not come to its end ({status}); its last words: {last}"));
    }
    let [passed, failed, skipped] = counts.unwrap_or_default();
    Count { passed, failed: failed.max(failures.len() as u64), skipped, failures }
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
