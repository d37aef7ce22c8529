//! Programs of other people that run to their end, with their output and the CPU time that they took.

use std::process::ExitStatus;
use std::time::Duration;

use tlstax_spec::{Cpu, Nanos};

use crate::clock::monotonic;
use crate::process::{Ended, Launch, SpawnError, WorkerError};

/// What is kept of the output: the summaries of load generators have a few thousand bytes.
const OUTPUT_BOUND: usize = 4 << 20;

/// How long a program that has closed its output may take to exit.
const EXIT_PATIENCE: Duration = Duration::from_secs(2);

#[derive(Debug, Clone)]
pub struct Finished {
    /// Exit code or signal.
    pub status: ExitStatus,
    /// What it wrote to stdout, up to a bound.
    pub stdout: String,
    /// The end of what it wrote to stderr.
    pub stderr: String,
    /// From its start to the end of its output, start-up included.
    pub wall: Nanos,
    /// CPU time of all its life and that of its reaped descendants, by wait4(2): whole microseconds.
    pub cpu: Cpu,
}

#[derive(Debug, thiserror::Error)]
pub enum ProgramError {
    #[error(transparent)]
    Start(#[from] SpawnError),
    #[error("it did not end within {patience:?} and was killed; it said {}", if stderr.is_empty() { "nothing" } else { stderr.as_str() })]
    Stuck { patience: Duration, stderr: String },
    #[error("interrupted")]
    Interrupted,
    /// The system failed, or its output is no text.
    #[error("cannot read its output: {0}")]
    Output(String),
}

/// Runs a program to its end, for no longer than `patience`.
///
/// # Errors
/// See [`ProgramError`]. A program that fails is no error here.
pub fn run(launch: &Launch, patience: Duration) -> Result<Finished, ProgramError> {
    run_watched(launch, patience, |_| ())
}

/// The same, telling its process id as soon as there is one.
///
/// # Errors
/// As [`run`].
pub fn run_watched(
    launch: &Launch,
    patience: Duration,
    started: impl FnOnce(u32),
) -> Result<Finished, ProgramError> {
    let begun = monotonic();
    let mut program = launch.spawn()?;
    started(program.pid());
    program.close_stdin();
    let mut stdout = String::new();
    let wall = loop {
        let spent = Duration::from_nanos(monotonic().since(begun).0);
        match program.receive_line(patience.saturating_sub(spent)) {
            Ok(line) if stdout.len() + line.len() < OUTPUT_BOUND => {
                stdout.push_str(&line);
                stdout.push('\n');
            }
            Ok(_) => {}
            Err(WorkerError::Closed { .. }) => break monotonic().since(begun),
            Err(WorkerError::Timeout { .. }) => {
                let stderr = program.stderr();
                return Err(ProgramError::Stuck { patience, stderr });
            }
            Err(WorkerError::Interrupted) => return Err(ProgramError::Interrupted),
            Err(error) => return Err(ProgramError::Output(error.to_string())),
        }
    };
    // Not everybody ends the last line.
    let rest = program.take_rest();
    if stdout.len() + rest.len() < OUTPUT_BOUND {
        stdout.push_str(&String::from_utf8_lossy(&rest));
    }
    let Ended { status, usage } =
        program.finish(EXIT_PATIENCE).map_err(|error| ProgramError::Output(error.to_string()))?;
    Ok(Finished { status, stdout, stderr: program.stderr(), wall, cpu: usage })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn shell(script: &str) -> Launch {
        Launch { arguments: vec!["-c".into(), script.into()], ..Launch::new("sh") }
    }

    #[test]
    fn output_status_and_cpu_time_come_back() {
        let script = "echo one; echo two >&2; i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done; exit 3";
        let done = run(&shell(script), Duration::from_secs(60)).unwrap();
        assert_eq!(
            (done.status.code(), done.stdout.as_str(), done.stderr.as_str()),
            (Some(3), "one\n", "two")
        );
        assert!(done.cpu.total.0 > 0 && done.wall.0 > 0);
    }

    #[test]
    fn a_last_line_needs_no_end() {
        let done = run(&shell("printf 'one\\ntwo'"), Duration::from_secs(60)).unwrap();
        assert_eq!(done.stdout, "one\ntwo");
    }

    #[test]
    fn what_hangs_is_killed() {
        let error = run(&shell("echo stuck >&2; sleep 1000"), Duration::from_millis(200)).unwrap_err();
        assert!(matches!(&error, ProgramError::Stuck { stderr, .. } if stderr == "stuck"), "{error}");
    }
}
