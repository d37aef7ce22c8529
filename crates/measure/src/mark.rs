//! How the processes of a run are known, even when the run itself was killed and cannot end them any more.

use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};

use crate::folder::run_in_name;
use crate::kernel_text::one_line;
use crate::{accounting, cgroup};

/// The variable that every process of a run inherits: the process id of the run.
pub const VARIABLE: &str = "TLSTAX_RUN";

/// How long the system may take to end a process that was killed.
const PATIENCE: Duration = Duration::from_secs(2);

/// The variable with its value for the processes that we start.
pub fn ours() -> (&'static str, String) {
    (VARIABLE, std::process::id().to_string())
}

/// A process that a run has started and, killed itself, has left behind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stray {
    pub pid: u32,
    /// Its command line, or its name in brackets where it has none.
    pub command: String,
    pub proof: Proof,
}

/// What shows that a process belongs to a run. One is enough: a server may overwrite its environment with a title.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Proof {
    /// [`VARIABLE`] in its environment.
    Environment,
    /// It writes into a file of the run's folder.
    Output(PathBuf),
    /// It is in a control group of the run.
    Group(String),
}

impl std::fmt::Display for Proof {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Environment => write!(f, "{VARIABLE} in its environment"),
            Self::Output(path) => write!(f, "its output goes to {}", path.display()),
            Self::Group(group) => write!(f, "it is in the control group {group}"),
        }
    }
}

/// Whether a file or folder is our own user's.
pub fn is_own(metadata: &fs::Metadata) -> bool {
    metadata.uid() == rustix::process::geteuid().as_raw()
}

/// Processes of runs that are over. `folders` is how the paths of the folders of runs begin, before the process id.
///
/// Only those of our own PID namespace, since ids of another one say nothing here, and only those that we may look at.
pub fn strays(folders: &Path) -> Vec<Stray> {
    let mut found: Vec<Stray> = accounting::all().into_iter().filter_map(|pid| stray(pid, folders)).collect();
    found.sort_by_key(|stray| stray.pid);
    found
}

/// Kills a process, if it still is the one that was found.
///
/// # Errors
/// It may not be killed, or does not end.
pub fn kill(stray: &Stray, folders: &Path) -> io::Result<()> {
    match end(stray, folders) {
        Ok(true) | Err(Errno::SRCH) => Ok(()),
        Ok(false) => Err(io::Error::new(io::ErrorKind::TimedOut, "it was killed and does not end")),
        Err(error) => Err(error.into()),
    }
}

/// Whether the process has ended in time, or was another one.
fn end(stray: &Stray, folders: &Path) -> Result<bool, Errno> {
    let Some(pid) = i32::try_from(stray.pid).ok().and_then(Pid::from_raw) else { return Ok(true) };
    let process = pidfd_open(pid, PidfdFlags::empty())?;
    // Looked at again now that the number cannot become another process's.
    if self::stray(stray.pid, folders).as_ref() != Some(stray) {
        return Ok(true);
    }
    pidfd_send_signal(&process, Signal::KILL)?;
    let patience = Timespec { tv_sec: PATIENCE.as_secs().cast_signed(), tv_nsec: 0 };
    Ok(poll(&mut [PollFd::new(&process, PollFlags::IN)], Some(&patience))? > 0)
}

fn stray(pid: u32, folders: &Path) -> Option<Stray> {
    if pid == std::process::id() || !accounting::is_alive(pid) || !is_near(pid) {
        return None;
    }
    let (run, proof) = by_environment(pid).or_else(|| by_output(pid, folders)).or_else(|| by_group(pid))?;
    (!accounting::is_alive(run)).then(|| Stray { pid, command: command(pid), proof })
}

/// Whether a process has its number from the same PID namespace as we.
fn is_near(pid: u32) -> bool {
    let namespace = |of: &str| fs::read_link(format!("/proc/{of}/ns/pid")).ok();
    namespace(&pid.to_string()).is_some_and(|theirs| namespace("self") == Some(theirs))
}

fn by_environment(pid: u32) -> Option<(u32, Proof)> {
    let environment = fs::read(format!("/proc/{pid}/environ")).ok()?;
    let value = environment
        .split(|byte| *byte == 0)
        .find_map(|variable| variable.strip_prefix(VARIABLE.as_bytes())?.strip_prefix(b"="))?;
    Some((std::str::from_utf8(value).ok()?.parse().ok()?, Proof::Environment))
}

fn by_output(pid: u32, folders: &Path) -> Option<(u32, Proof)> {
    let (parent, prefix) = (folders.parent()?, folders.file_name()?.to_str()?);
    [1, 2].iter().find_map(|stream| {
        let path = fs::read_link(format!("/proc/{pid}/fd/{stream}")).ok()?;
        let folder = path.strip_prefix(parent).ok()?.iter().next()?.to_str()?;
        Some((run_in_name(folder, prefix)?, Proof::Output(path.clone())))
    })
}

fn by_group(pid: u32) -> Option<(u32, Proof)> {
    let groups = fs::read_to_string(format!("/proc/{pid}/cgroup")).ok()?;
    groups.lines().find_map(|line| {
        let path = line.splitn(3, ':').nth(2)?;
        let run = path.split('/').find_map(cgroup::run_of)?;
        Some((run, Proof::Group(path.to_owned())))
    })
}

/// Its command line, or its name in brackets where it has none.
pub(crate) fn command(pid: u32) -> String {
    let words = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    let words = one_line(&String::from_utf8_lossy(&words).replace('\0', " "));
    if words.is_empty() { format!("[{}]", accounting::name(pid).unwrap_or_default()) } else { words }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::disallowed_methods)]
    use super::*;
    use crate::daemon::{Daemon, Start};

    /// Beyond the largest process id that Linux can be told to use.
    const NOBODY: u32 = 1 << 23;

    #[test]
    fn d14_what_a_process_calls_itself_is_one_line() {
        assert_eq!(one_line(" a\u{1b}[2Jb\u{9b}\n  remedy: c\r\n"), "a?[2Jb??  remedy: c");
    }

    fn sleeper(folder: &Path, environment: &[(&str, &str)]) -> Daemon {
        fs::create_dir_all(folder).unwrap();
        let environment = environment.iter().map(|(name, value)| (name.into(), value.into())).collect();
        let output = fs::File::create(folder.join("output")).unwrap();
        let arguments = vec!["100".into()];
        let start = Start { program: "sleep".into(), arguments, environment, ..Start::default() };
        Start { folder: "/".into(), ..start }.spawn(&output).unwrap()
    }

    fn found(pid: u32, folders: &Path) -> Option<Stray> {
        strays(folders).into_iter().find(|stray| stray.pid == pid)
    }

    #[test]
    fn processes_of_the_living_are_not_found_and_those_of_the_dead_are() {
        let base = std::env::temp_dir().join(format!("tlstax-mark-{}", std::process::id()));
        let folders = base.join("run-");
        let dead = NOBODY.to_string();
        let living = sleeper(&base.join("run-0"), &[]);
        assert_eq!(found(living.pid(), &folders), None);

        let mut marked = sleeper(&base.join("any"), &[(VARIABLE, &dead)]);
        let stray = found(marked.pid(), &folders).unwrap();
        assert_eq!((stray.proof.clone(), stray.command.as_str()), (Proof::Environment, "sleep 100"));

        let mut writing = sleeper(&base.join(format!("run-{NOBODY}-0")), &[(VARIABLE, "unreadable")]);
        assert!(matches!(found(writing.pid(), &folders).unwrap().proof, Proof::Output(_)));

        for daemon in [&mut marked, &mut writing] {
            kill(&found(daemon.pid(), &folders).unwrap(), &folders).unwrap();
            assert_eq!(found(daemon.pid(), &folders), None);
            assert!(daemon.ended().is_some());
        }
        // What is not as it was found is left alone.
        let other = Stray { pid: living.pid(), ..stray };
        kill(&other, &folders).unwrap();
        assert!(accounting::is_alive(living.pid()));
        drop(living);
        fs::remove_dir_all(base).unwrap();
    }

    #[test]
    fn names_tell_their_run() {
        assert_eq!(run_in_name("tlstax-run-17-0", "tlstax-run-"), Some(17));
        for other in ["tlstax-run-17", "tlstax-run-x-0", "tlstax-run-17-mine", "run-17-0", "tlstax-run--0"] {
            assert_eq!(run_in_name(other, "tlstax-run-"), None, "{other}");
        }
    }
}
