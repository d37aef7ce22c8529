//! Commands that run to their end, with their output in a log: how workers are built.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};

/// How much of the end of a log is quoted.
const TAIL: u64 = 4096;

/// A command that could not be run.
#[derive(Debug, thiserror::Error)]
pub enum CommandError {
    /// The log cannot be written.
    #[error("cannot write the log {}: {source}", path.display())]
    Log {
        /// The log.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The program cannot be started.
    #[error("cannot run {program}: {source}; install it, or put it into PATH")]
    Start {
        /// The program.
        program: String,
        /// What the system says.
        source: io::Error,
    },
}

/// How a command ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Output {
    /// Exit code or signal.
    pub status: ExitStatus,
    /// The end of what it wrote, both streams together.
    pub tail: String,
}

/// Runs a command in a folder and waits for its end; both its output streams go into a log, made anew.
///
/// # Errors
/// The log cannot be written, or the program cannot be started. A command that fails is no error here.
#[expect(clippy::disallowed_methods, reason = "one of the places that spawn")]
pub fn run_logged(
    program: &str,
    arguments: &[String],
    folder: &Path,
    log: &Path,
) -> Result<Output, CommandError> {
    let cannot_log = |source| CommandError::Log { path: log.to_owned(), source };
    let mut file = create(log).map_err(cannot_log)?;
    let streams = file.try_clone().and_then(|out| Ok((out, file.try_clone()?)));
    let (stdout, stderr) = streams.map_err(cannot_log)?;
    let status = Command::new(program)
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(stdout)
        .stderr(stderr)
        .status()
        .map_err(|source| CommandError::Start { program: program.to_owned(), source })?;
    let tail = tail(&mut file).map_err(cannot_log)?;
    Ok(Output { status, tail })
}

#[expect(clippy::disallowed_methods, reason = "the log of a build is no document")]
fn create(log: &Path) -> io::Result<File> {
    if let Some(folder) = log.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::OpenOptions::new().create(true).truncate(true).read(true).write(true).open(log)
}

fn tail(file: &mut File) -> io::Result<String> {
    let length = file.metadata()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(TAIL)))?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).trim_end().to_owned())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn output_of_both_streams_is_in_the_log_and_failure_is_told() {
        let folder = std::env::temp_dir();
        let log = folder.join(format!("tlstax-command-{}.log", std::process::id()));
        let script = ["-c".to_owned(), "echo one; echo two >&2; exit 3".to_owned()];
        let output = run_logged("sh", &script, &folder, &log).unwrap();
        assert_eq!(output.status.code(), Some(3));
        assert_eq!(output.tail, "one\ntwo");
        fs::remove_file(&log).unwrap();
    }

    #[test]
    fn a_program_that_is_not_there_is_named() {
        let log = std::env::temp_dir().join(format!("tlstax-command-{}-none.log", std::process::id()));
        let error = run_logged("no-such-program-here", &[], Path::new("/"), &log).unwrap_err();
        assert!(error.to_string().contains("no-such-program-here"), "{error}");
        fs::remove_file(&log).unwrap();
    }
}
