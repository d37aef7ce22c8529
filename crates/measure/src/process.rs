//! Child processes that answer lines with lines: the only place that spawns one.

use std::ffi::OsString;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{Pid, Signal};
use rustix::thread::CpuSet;
use tlstax_spec::Nanos;

use crate::clock::monotonic;
pub use crate::reap::Ended;
use crate::settle::Settle;
use crate::tail::Tail;
use crate::{mark, pin, reap, signal};

/// The longest line that a worker may write.
pub const LINE_BOUND: usize = 16 * 1024 * 1024;

/// How long a worker may leave a request unread.
const SEND_PATIENCE: Duration = Duration::from_secs(10);

/// How long a worker that has closed its output may take to exit.
const EXIT_PATIENCE: Duration = Duration::from_millis(500);

/// How long we wait for the end of stderr after the worker is gone; only a descendant can keep it open.
const STDERR_PATIENCE: Duration = Duration::from_millis(200);

/// What a repeatable start needs of our environment: to be found, and to find Valgrind's own files.
const KEPT: [&str; 2] = ["PATH", "VALGRIND_LIB"];

/// A signal may reach another thread, which does not wake us: so we look at its flag this often.
const SLICE: Duration = Duration::from_millis(50);

#[derive(Debug, Clone, Default)]
pub struct Launch {
    /// The program: a path, or a name to be found in PATH.
    pub program: PathBuf,
    /// Its arguments, without its own name.
    pub arguments: Vec<OsString>,
    /// Variables set in addition to our own environment.
    pub environment: Vec<(OsString, OsString)>,
    /// The logical CPUs it may run on; none given means all that we may use.
    pub cpus: Vec<usize>,
    /// The control group that it starts in, see [`crate::cgroup::Group::path`].
    pub group: Option<PathBuf>,
    /// Whether each start is to be like the others: memory laid out the same, and nothing of our environment that another user or
    /// folder would change, since it comes to lie at the bottom of the stack.
    pub is_repeatable: bool,
}

#[derive(Debug, thiserror::Error)]
pub enum SpawnError {
    /// The system refused; most often the program is missing.
    #[error("cannot start {}: {source}; build the worker, or correct its path in workers.toml", program.display())]
    Start { program: PathBuf, source: io::Error },
    /// The CPU numbers make no affinity mask.
    #[error("cannot start {} on CPUs {cpus:?}: {source}", program.display())]
    Cpus { program: PathBuf, cpus: Vec<usize>, source: pin::PinError },
}

#[derive(Debug, thiserror::Error)]
pub enum WorkerError {
    /// No whole line came, or the request was not read, in time.
    #[error("the worker did not {action} within {patience:?}; it hangs, or its budget is too small")]
    Timeout {
        /// `answer` or `read the request`.
        action: &'static str,
        patience: Duration,
    },
    /// The worker ended, or closed its end of the pipe and was killed for it.
    #[error("the worker ended ({status}){}", said(stderr))]
    Closed { status: ExitStatus, stderr: String },
    #[error("the worker wrote a line of more than {LINE_BOUND} bytes; it does not speak our protocol")]
    TooLong,
    #[error("the worker wrote a line that is not UTF-8; it does not speak our protocol")]
    NotUtf8,
    /// SIGINT or SIGTERM has come, see [`signal::interrupted`]; the worker itself is well.
    #[error("interrupted")]
    Interrupted,
    #[error("cannot talk to the worker: {0}")]
    System(#[from] io::Error),
}

/// A running worker. Dropping it kills its process group and reaps it.
#[derive(Debug)]
pub struct Worker {
    pid: Pid,
    stdin: Option<OwnedFd>,
    stdout: OwnedFd,
    buffer: Vec<u8>,
    /// Bytes at the front of `buffer` that are known to hold no line end.
    searched: usize,
    stderr: Tail,
    ended: Option<Ended>,
}

impl Launch {
    /// A worker without arguments that may run anywhere.
    pub fn new(program: impl Into<PathBuf>) -> Self {
        Self { program: program.into(), ..Self::default() }
    }

    /// Starts the worker in a process group of its own.
    ///
    /// The kernel kills the worker when the thread that calls this ends, so call it from one that lives on.
    ///
    /// # Errors
    /// The program cannot be started, or not on these CPUs.
    pub fn spawn(&self) -> Result<Worker, SpawnError> {
        let cpus = pin::mask(&self.cpus).map_err(|source| SpawnError::Cpus {
            program: self.program.clone(),
            cpus: self.cpus.clone(),
            source,
        })?;
        self.start(cpus).map_err(|source| SpawnError::Start { program: self.program.clone(), source })
    }

    #[expect(clippy::disallowed_methods, reason = "one of the places that spawn")]
    fn start(&self, cpus: Option<CpuSet>) -> io::Result<Worker> {
        let mut command = Command::new(&self.program);
        if self.is_repeatable {
            command.env_clear();
            command.envs(KEPT.iter().filter_map(|name| Some((name, std::env::var_os(name)?))));
        }
        command
            .args(&self.arguments)
            .envs([mark::ours()])
            .envs(self.environment.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let settle = Settle {
            farewell: Signal::KILL,
            cpus,
            user: None,
            group: self.group.as_deref(),
            has_fixed_layout: self.is_repeatable,
        };
        Worker::adopt(settle.spawn(&mut command)?)
    }
}

impl Worker {
    fn adopt(mut child: Child) -> io::Result<Self> {
        let pid = Pid::from_child(&child);
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(stdin), Some(stdout), Some(stderr)) = pipes else {
            unreachable!("all three streams were asked for as pipes");
        };
        let tail = Tail::of(stderr.into()).and_then(|tail| {
            rustix::io::ioctl_fionbio(&stdin, true)?;
            Ok(tail)
        });
        match tail {
            Ok(stderr) => Ok(Self {
                pid,
                stdin: Some(stdin.into()),
                stdout: stdout.into(),
                buffer: Vec::new(),
                searched: 0,
                stderr,
                ended: None,
            }),
            Err(error) => {
                child.kill()?;
                child.wait()?;
                Err(error)
            }
        }
    }

    /// The process id, which is also that of its process group.
    pub fn pid(&self) -> u32 {
        self.pid.as_raw_pid().unsigned_abs()
    }

    /// The end of what the worker has written to stderr so far.
    pub fn stderr(&self) -> String {
        self.stderr.text()
    }

    /// Tells a program that nothing will be sent.
    pub(crate) fn close_stdin(&mut self) {
        self.stdin = None;
    }

    /// Sends one line; its end is added.
    ///
    /// # Errors
    /// The worker has ended, does not read, or we were interrupted.
    pub fn send_line(&mut self, line: &str) -> Result<(), WorkerError> {
        let bytes = [line.as_bytes(), b"\n"].concat();
        let mut rest = bytes.as_slice();
        let limit = Limit::after(SEND_PATIENCE);
        while !rest.is_empty() {
            let Some(stdin) = &self.stdin else { return Err(self.closed()) };
            match rustix::io::write(stdin, rest) {
                Ok(length) => rest = &rest[length..],
                Err(Errno::AGAIN) => limit.wait(stdin, PollFlags::OUT, "read the request")?,
                Err(Errno::INTR) => {}
                Err(Errno::PIPE) => return Err(self.closed()),
                Err(error) => return Err(WorkerError::System(error.into())),
            }
        }
        Ok(())
    }

    /// The next line that the worker writes, without its end, waited for no longer than `patience`.
    ///
    /// # Errors
    /// See [`WorkerError`]. After Timeout and Interrupted nothing is lost and the call can be repeated.
    pub fn receive_line(&mut self, patience: Duration) -> Result<String, WorkerError> {
        let limit = Limit::after(patience);
        loop {
            if let Some(line) = self.take_line() {
                return String::from_utf8(line).map_err(|_| WorkerError::NotUtf8);
            }
            if self.buffer.len() > LINE_BOUND {
                return Err(WorkerError::TooLong);
            }
            limit.wait(&self.stdout, PollFlags::IN, "answer")?;
            self.buffer.reserve(64 * 1024);
            match rustix::io::read(&self.stdout, rustix::buffer::spare_capacity(&mut self.buffer)) {
                Ok(0) => return Err(self.closed()),
                Ok(_) | Err(Errno::INTR) => {}
                Err(error) => return Err(WorkerError::System(error.into())),
            }
        }
    }

    /// What it wrote after its last whole line: all of it once its output is closed.
    pub fn take_rest(&mut self) -> Vec<u8> {
        self.searched = 0;
        std::mem::take(&mut self.buffer)
    }

    /// Closes the worker's stdin and lets it exit; after `patience` it is killed. Nothing of its group is left.
    ///
    /// # Errors
    /// The system does not let us wait.
    pub fn finish(&mut self, patience: Duration) -> io::Result<Ended> {
        self.stdin = None;
        let limit = Limit::after(patience);
        while self.ended.is_none() && reap::seen(self.pid)?.is_none() && !limit.is_over() {
            std::thread::sleep(Duration::from_millis(2));
        }
        self.kill()
    }

    /// Kills the worker with its process group and reaps it; does nothing but tell how it ended if it has.
    ///
    /// # Errors
    /// The system does not let us wait.
    pub fn kill(&mut self) -> io::Result<Ended> {
        if let Some(ended) = self.ended {
            return Ok(ended);
        }
        self.stdin = None;
        // Before reaping, while the number cannot belong to anybody else; descendants go with it. It fails only if
        // there is no such process any more.
        let _ = rustix::process::kill_process_group(self.pid, Signal::KILL);
        let ended = reap::reap(self.pid)?;
        self.ended = Some(ended);
        self.stderr.finish(STDERR_PATIENCE);
        Ok(ended)
    }

    fn take_line(&mut self) -> Option<Vec<u8>> {
        let end = self.buffer[self.searched..].iter().position(|byte| *byte == b'\n');
        let Some(end) = end else {
            self.searched = self.buffer.len();
            return None;
        };
        let rest = self.buffer.split_off(self.searched + end + 1);
        let mut line = std::mem::replace(&mut self.buffer, rest);
        self.searched = 0;
        line.pop();
        Some(line)
    }

    fn closed(&mut self) -> WorkerError {
        match self.finish(EXIT_PATIENCE) {
            Ok(ended) => WorkerError::Closed { status: ended.status, stderr: self.stderr() },
            Err(error) => WorkerError::System(error),
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // Nobody is left to hear of an error.
        let _ = self.kill();
    }
}

/// A point in time that waiting must not pass.
struct Limit {
    start: Nanos,
    patience: Duration,
}

impl Limit {
    fn after(patience: Duration) -> Self {
        Self { start: monotonic(), patience }
    }

    fn remaining(&self) -> Duration {
        self.patience.saturating_sub(Duration::from_nanos(monotonic().since(self.start).0))
    }

    fn is_over(&self) -> bool {
        self.remaining().is_zero()
    }

    fn wait(&self, file: &impl AsFd, events: PollFlags, action: &'static str) -> Result<(), WorkerError> {
        loop {
            if signal::interrupted() {
                return Err(WorkerError::Interrupted);
            }
            let remaining = self.remaining();
            let slice = remaining.min(SLICE);
            let slice = Timespec { tv_sec: 0, tv_nsec: slice.subsec_nanos().into() };
            match poll(&mut [PollFd::new(file, events)], Some(&slice)) {
                Ok(0) if remaining.is_zero() => {
                    return Err(WorkerError::Timeout { action, patience: self.patience });
                }
                Ok(0) | Err(Errno::INTR) => {}
                Ok(_) => return Ok(()),
                Err(error) => return Err(WorkerError::System(error.into())),
            }
        }
    }
}

/// The stderr of a worker as the end of a message.
fn said(stderr: &str) -> String {
    if stderr.is_empty() { "; it said nothing on stderr".to_owned() } else { format!("; it said: {stderr}") }
}
