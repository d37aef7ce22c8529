//! Commands that run to their end, with their output in a log: how workers are built.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal};

use crate::{reap, signal};

/// How much of the end of a log is quoted.
const TAIL: u64 = 4096;

/// How often we look whether the command has ended, or the user has interrupted.
const SLICE: Duration = Duration::from_millis(50);

/// How many looks long an interrupted command may clean up: make and compilers remove what they have half written.
const END_LOOKS: u32 = 40;

#[derive(Debug, thiserror::Error)]
pub enum CommandError {
    #[error("cannot write the log {}: {source}", path.display())]
    Log { path: PathBuf, source: io::Error },
    #[error("cannot run {program}: {source}; install it, or put it into PATH")]
    Start { program: String, source: io::Error },
    #[error("cannot wait for {program}: {source}")]
    Wait { program: String, source: io::Error },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Output {
    /// Exit code or signal.
    pub status: ExitStatus,
    /// The end of what it wrote, both streams together.
    pub tail: String,
}

#[derive(Debug, Clone, Default)]
pub struct Run {
    /// The program: a path, or a name to be found in PATH.
    pub program: String,
    pub arguments: Vec<String>,
    pub folder: PathBuf,
    /// Variables that it gets in addition to ours.
    pub environment: Vec<(String, String)>,
    /// Variables of ours that it does not get.
    pub hidden: Vec<String>,
}

impl std::fmt::Display for Run {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (name, value) in &self.environment {
            write!(f, "{name}={value:?} ")?;
        }
        write!(f, "{}", self.program)?;
        self.arguments.iter().try_for_each(|argument| write!(f, " {argument}"))
    }
}

/// The log of commands that are run one after the other.
#[derive(Debug)]
pub struct Log {
    path: PathBuf,
    file: File,
}

impl Log {
    /// Begins a log, in place of an earlier one.
    ///
    /// # Errors
    /// The log cannot be written.
    pub fn create(path: &Path) -> Result<Self, CommandError> {
        let file = create(path).map_err(|source| CommandError::Log { path: path.to_owned(), source })?;
        Ok(Self { path: path.to_owned(), file })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// How many bytes it has.
    pub fn length(&self) -> u64 {
        self.file.metadata().map_or(0, |file| file.len())
    }

    /// What was written after the first `from` bytes.
    ///
    /// # Errors
    /// The log cannot be read.
    pub fn since(&mut self, from: u64) -> Result<String, CommandError> {
        text_since(&mut self.file, from)
            .map_err(|source| CommandError::Log { path: self.path.clone(), source })
    }

    /// Adds a line.
    ///
    /// # Errors
    /// The log cannot be written.
    pub fn note(&mut self, line: &str) -> Result<(), CommandError> {
        writeln!(self.file, "{line}").map_err(|source| CommandError::Log { path: self.path.clone(), source })
    }

    /// Runs a command and waits for its end; its line and both its output streams go into the log.
    ///
    /// The command has a process group of its own, which is ended when [`signal::interrupted`] says so: ask that, too,
    /// before the output is believed to be a failure of the command.
    ///
    /// # Errors
    /// The log cannot be written, or the program cannot be started. A command that fails is no error here.
    pub fn run(&mut self, run: &Run) -> Result<Output, CommandError> {
        let cannot_log = |source| CommandError::Log { path: self.path.clone(), source };
        writeln!(self.file, "$ {run}").map_err(cannot_log)?;
        let from = self.file.stream_position().map_err(cannot_log)?;
        let streams = self.file.try_clone().and_then(|out| Ok((out, self.file.try_clone()?)));
        let (stdout, stderr) = streams.map_err(cannot_log)?;
        let child = command(run)
            .stdout(stdout)
            .stderr(stderr)
            .process_group(0)
            .spawn()
            .map_err(|source| not_started(run, source))?;
        let status = wait(child, signal::interrupted)
            .map_err(|source| CommandError::Wait { program: run.program.clone(), source })?;
        let tail = tail(&mut self.file, from).map_err(cannot_log)?;
        Ok(Output { status, tail })
    }
}

/// What a command writes on standard output, for those that are asked something.
///
/// # Errors
/// It cannot be started.
pub fn answer(run: &Run) -> Result<std::process::Output, CommandError> {
    command(run).output().map_err(|source| not_started(run, source))
}

#[expect(clippy::disallowed_methods, reason = "one of the places that spawn")]
fn command(run: &Run) -> Command {
    let mut command = Command::new(&run.program);
    command.args(&run.arguments).current_dir(&run.folder).envs(run.environment.iter().cloned());
    for name in &run.hidden {
        command.env_remove(name);
    }
    command.stdin(Stdio::null());
    command
}

fn not_started(run: &Run, source: io::Error) -> CommandError {
    CommandError::Start { program: run.program.clone(), source }
}

/// Waits for the end of a command, or ends its whole process group when that is wanted.
fn wait(mut child: Child, is_unwanted: impl Fn() -> bool) -> io::Result<ExitStatus> {
    let group = Pid::from_child(&child);
    while reap::seen(group)?.is_none() {
        if is_unwanted() {
            end(group)?;
            break;
        }
        std::thread::sleep(SLICE);
    }
    child.wait()
}

/// Asks a process group to end, and kills what is left of it.
fn end(group: Pid) -> io::Result<()> {
    rustix::process::kill_process_group(group, Signal::TERM)?;
    for _ in 0..END_LOOKS {
        if reap::seen(group)?.is_some() {
            break;
        }
        std::thread::sleep(SLICE);
    }
    // The first process is not reaped yet, so the number of the group cannot be anybody else's.
    Ok(rustix::process::kill_process_group(group, Signal::KILL)?)
}

#[expect(clippy::disallowed_methods, reason = "the log of a build is no document")]
fn create(log: &Path) -> io::Result<File> {
    if let Some(folder) = log.parent() {
        fs::create_dir_all(folder)?;
    }
    // Never the file of another run that still writes: the path shows the later one, and each reads its own.
    loop {
        match fs::remove_file(log) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        // Several programs write at the same time, each at the end.
        match fs::OpenOptions::new().read(true).append(true).create_new(true).open(log) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            made => return made,
        }
    }
}

/// The end of what was written after a place.
fn tail(file: &mut File, from: u64) -> io::Result<String> {
    let length = file.metadata()?.len();
    let text = text_since(file, length.saturating_sub(TAIL).max(from))?;
    Ok(text.trim_end().to_owned())
}

fn text_since(file: &mut File, from: u64) -> io::Result<String> {
    file.seek(SeekFrom::Start(from))?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::os::unix::process::ExitStatusExt;

    use super::*;

    #[test]
    fn output_of_both_streams_is_in_the_log_and_failure_is_told() {
        let folder = std::env::temp_dir();
        let log = folder.join(format!("tlstax-command-{}.log", std::process::id()));
        let script = |text: &str| Run {
            program: "sh".to_owned(),
            arguments: vec!["-c".to_owned(), text.to_owned()],
            folder: folder.clone(),
            environment: vec![("WORD".to_owned(), "one".to_owned())],
            hidden: vec!["HOME".to_owned()],
        };
        let mut made = Log::create(&log).unwrap();
        let output = made.run(&script("echo $WORD$HOME; echo two >&2; exit 3")).unwrap();
        assert_eq!(output.status.code(), Some(3));
        assert_eq!(output.tail, "one\ntwo");
        let output = made.run(&script("echo three")).unwrap();
        assert_eq!(output.tail, "three");
        let text = fs::read_to_string(&log).unwrap();
        assert!(text.starts_with("$ WORD=\"one\" sh -c") && text.contains("\none\ntwo\n$ "), "{text}");
        fs::remove_file(&log).unwrap();
    }

    #[test]
    #[expect(clippy::disallowed_methods, reason = "a child to be ended")]
    fn a_command_that_is_not_wanted_any_more_ends_with_its_children() {
        // Both the script and its child ignore a polite end.
        let ready = std::env::temp_dir().join(format!("tlstax-command-{}-ready", std::process::id()));
        let script = format!("trap '' TERM; echo > {}; sleep 1000; exit 0", ready.display());
        let child = Command::new("sh").args(["-c", &script]).process_group(0).spawn().unwrap();
        let group = Pid::from_child(&child);
        let status = wait(child, || ready.exists()).unwrap();
        fs::remove_file(&ready).unwrap();
        assert_eq!(status.signal(), Some(Signal::KILL.as_raw()));
        let is_empty = || rustix::process::test_kill_process_group(group).is_err();
        assert!((0..100).any(|_| {
            std::thread::sleep(SLICE);
            is_empty()
        }));
    }

    #[test]
    fn a_program_that_is_not_there_is_named() {
        let log = std::env::temp_dir().join(format!("tlstax-command-{}-none.log", std::process::id()));
        let run = Run { program: "no-such-program-here".to_owned(), folder: "/".into(), ..Run::default() };
        let error = Log::create(&log).unwrap().run(&run).unwrap_err();
        assert!(error.to_string().contains("no-such-program-here"), "{error}");
        fs::remove_file(&log).unwrap();
    }
}
