//! Servers of other people, started by us: processes that fork, that should not be root, and that must not outlive us.

use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{Command, ExitStatus, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, WaitIdStatus, WaitOptions};

use crate::settle::Settle;
use crate::user::User;
use crate::{accounting, mark, pin, reap};

/// How long a server that was told to end may take, in steps of [`STEP`]; then it is killed.
const FAREWELL_STEPS: u32 = 200;
const STEP: Duration = Duration::from_millis(5);

/// How a server is to be started.
#[derive(Debug, Clone, Default)]
pub struct Start {
    /// The program: a path, or a name to be found in PATH.
    pub program: PathBuf,
    /// Its arguments, without its own name. It must stay in the foreground.
    pub arguments: Vec<OsString>,
    /// Variables set in addition to our own environment.
    pub environment: Vec<(OsString, OsString)>,
    pub folder: PathBuf,
    /// The logical CPUs it may run on; none given means all that we may use.
    pub cpus: Vec<usize>,
    /// The user that it is started as; none is our own.
    pub user: Option<User>,
    /// The control group that it starts in, see [`crate::cgroup::Group::path`].
    pub group: Option<PathBuf>,
}

#[derive(Debug, thiserror::Error)]
#[error("cannot start {}: {source}", program.display())]
pub struct DaemonError {
    pub program: PathBuf,
    pub source: io::Error,
}

/// A running server. Dropping it ends it, and every process that it started.
#[derive(Debug)]
pub struct Daemon {
    pid: Pid,
    group: Option<PathBuf>,
    /// How the first process has ended. It is left unreaped until nothing else is left, so that its number, which is that of
    /// the process group, cannot become anybody else's.
    ended: Option<ExitStatus>,
    is_reaped: bool,
}

impl Start {
    /// Starts the server in a process group of its own, with both its output streams in an open file.
    ///
    /// The kernel tells the server to end (SIGTERM) when the thread that calls this ends.
    ///
    /// # Errors
    /// The program cannot be started, or not as it should.
    pub fn spawn(&self, output: &File) -> Result<Daemon, DaemonError> {
        self.start(output).map_err(|source| DaemonError { program: self.program.clone(), source })
    }

    #[expect(clippy::disallowed_methods, reason = "one of the places that spawn")]
    fn start(&self, output: &File) -> io::Result<Daemon> {
        let cpus = pin::mask(&self.cpus).map_err(io::Error::other)?;
        // SIGTERM, because only the server itself can end its workers.
        let settle = Settle {
            farewell: Signal::TERM,
            cpus,
            user: self.user,
            group: self.group.as_deref(),
            has_fixed_layout: false,
        };
        let mut command = Command::new(&self.program);
        command
            .args(&self.arguments)
            .envs([mark::ours()])
            .envs(self.environment.iter().map(|(name, value)| (name, value)))
            .current_dir(&self.folder)
            .stdin(Stdio::null())
            .stdout(output.try_clone()?)
            .stderr(output.try_clone()?);
        let child = settle.spawn(&mut command)?;
        Ok(Daemon { pid: Pid::from_child(&child), group: self.group.clone(), ended: None, is_reaped: false })
    }
}

impl Daemon {
    /// The process id of the process that was started, which is also that of its process group.
    pub fn pid(&self) -> u32 {
        self.pid.as_raw_pid().unsigned_abs()
    }

    /// Every process of the server: the one that was started and all that come from it, those too that it has left behind.
    pub fn family(&self) -> Vec<u32> {
        accounting::group(self.pid())
    }

    /// How the process that was started has ended, if it has.
    pub fn ended(&mut self) -> Option<ExitStatus> {
        if self.ended.is_none() {
            self.ended = reap::seen(self.pid).ok().flatten().map(|status| exit_status(&status));
        }
        self.ended
    }

    /// Sends it SIGHUP, on which many servers write out and reopen their logs.
    pub fn hang_up(&self) {
        // One that has ended keeps its number until it is reaped, and is deaf.
        if !self.is_reaped {
            let _ = rustix::process::kill_process(self.pid, Signal::HUP);
        }
    }

    /// Tells the server to end, and kills what is left of it after a second. Nothing is left then.
    pub fn stop(&mut self) {
        if self.is_reaped {
            return;
        }
        let family = self.family();
        // These fail only if there is no such process any more.
        let _ = match self.ended() {
            None => rustix::process::kill_process(self.pid, Signal::TERM),
            // What it has left behind has nobody else to tell it.
            Some(_) => rustix::process::kill_process_group(self.pid, Signal::TERM),
        };
        self.wait(&family);
        self.kill(&family);
        // What was killed may still hold files and the port for a moment.
        self.wait(&family);
        self.reap();
    }

    /// Waits until the server has ended with all that is its own, for a second at most.
    fn wait(&mut self, family: &[u32]) {
        for _ in 0..FAREWELL_STEPS {
            if self.ended().is_some() && self.others(family).next().is_none() {
                return;
            }
            std::thread::sleep(STEP);
        }
    }

    /// What is left of the server beside the process that we started.
    fn others(&self, family: &[u32]) -> impl Iterator<Item = u32> {
        let all = family.iter().copied().chain(self.grouped());
        all.filter(|pid| *pid != self.pid() && accounting::is_alive(*pid))
    }

    fn kill(&self, family: &[u32]) {
        // Its first process is not reaped yet, so the number of the process group cannot be anybody else's.
        let _ = rustix::process::kill_process_group(self.pid, Signal::KILL);
        for pid in self.others(family) {
            let pid = i32::try_from(pid).ok().and_then(Pid::from_raw);
            // It may end at this moment, which is as good.
            let _ = pid.map(|pid| rustix::process::kill_process(pid, Signal::KILL));
        }
    }

    /// What the control group says is in it.
    fn grouped(&self) -> Vec<u32> {
        let Some(group) = &self.group else { return Vec::new() };
        let text = std::fs::read_to_string(group.join("cgroup.procs")).unwrap_or_default();
        text.lines().filter_map(|line| line.parse().ok()).collect()
    }

    fn reap(&mut self) {
        let waited = loop {
            match rustix::process::waitpid(Some(self.pid), WaitOptions::empty()) {
                Err(rustix::io::Errno::INTR) => {}
                waited => break waited,
            }
        };
        // Without a child of that number there is nothing to wait for.
        let status = waited.ok().flatten().map_or(0, |(_, status)| status.as_raw());
        self.ended = self.ended.or(Some(ExitStatus::from_raw(status)));
        self.is_reaped = true;
    }
}

/// The same in the words of wait(2).
fn exit_status(status: &WaitIdStatus) -> ExitStatus {
    let code = status.exit_status().map(|code| (code & 0xff) << 8);
    ExitStatus::from_raw(code.or(status.terminating_signal()).unwrap_or_default())
}

impl Drop for Daemon {
    fn drop(&mut self) {
        self.stop();
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::disallowed_methods)]
    use super::*;
    use crate::{limits, user};

    fn shell(script: &str) -> Start {
        let arguments = vec!["-c".into(), script.into()];
        Start { program: "sh".into(), arguments, folder: "/".into(), ..Start::default() }
    }

    /// Starts it with its output in a file, whose contents are read when it has ended.
    fn output_of(start: &Start) -> String {
        let path = std::env::temp_dir().join(format!("tlstax-output-{}", user::random().unwrap()));
        let mut daemon = start.spawn(&File::create_new(&path).unwrap()).unwrap();
        wait_for(|| daemon.ended().is_some());
        let output = std::fs::read_to_string(&path).unwrap();
        std::fs::remove_file(path).unwrap();
        output.trim().to_owned()
    }

    fn spawned(start: &Start) -> Result<Daemon, DaemonError> {
        start.spawn(&File::options().write(true).open("/dev/null").unwrap())
    }

    #[test]
    fn children_that_do_not_listen_end_with_it() {
        let mut daemon =
            spawned(&shell("trap '' TERM; sh -c 'trap \"\" TERM; sleep 100 & wait' & wait")).unwrap();
        wait_for(|| daemon.family().len() == 3);
        let family = daemon.family();
        daemon.stop();
        assert!(family.iter().all(|pid| !accounting::is_alive(*pid)));
        assert!(daemon.ended().is_some());
    }

    fn wait_for(mut is_so: impl FnMut() -> bool) {
        assert!((0..20_000).any(|_| {
            std::thread::sleep(Duration::from_millis(1));
            is_so()
        }));
    }

    #[test]
    fn what_a_killed_server_leaves_behind_ends_with_it() {
        let mut daemon = spawned(&shell("sleep 100 & sh -c 'sleep 101; true' & wait")).unwrap();
        wait_for(|| daemon.family().len() == 4);
        let family = daemon.family();
        rustix::process::kill_process(daemon.pid, Signal::KILL).unwrap();
        wait_for(|| daemon.ended().is_some());
        assert_eq!(daemon.ended().unwrap().signal(), Some(libc::SIGKILL));
        // Nobody is their parent any more.
        assert_eq!(daemon.family().len(), 4);
        daemon.stop();
        assert!(family.iter().all(|pid| !accounting::is_alive(*pid)), "{family:?}");
    }

    #[test]
    fn connections_are_files_and_may_be_many() {
        let limit = output_of(&shell("ulimit -n"));
        let enough = limits::open_files().min(65536);
        assert!(limit.parse::<u64>().is_ok_and(|limit| limit >= enough) || limit == "unlimited");
    }

    #[test]
    fn one_that_ends_by_itself_is_seen() {
        let mut daemon = spawned(&shell("exit 3")).unwrap();
        wait_for(|| daemon.ended().is_some());
        assert_eq!(daemon.ended().unwrap().code(), Some(3));
    }

    #[test]
    fn root_is_left_behind() {
        let user = User::unused().unwrap();
        let said = output_of(&Start { user, ..shell("id -u; id -g; id -G") });
        let id = rustix::process::geteuid().as_raw();
        match user.map(User::id) {
            Some(id) => assert_eq!(said, format!("{id}\n{id}\n{id}")),
            None => assert!(said.starts_with(&id.to_string()), "{said}"),
        }
    }

    #[test]
    fn a_program_that_is_not_there_is_an_error() {
        let start = Start { program: "/no/such/server".into(), ..shell("") };
        assert!(spawned(&start).unwrap_err().to_string().contains("/no/such/server"));
    }
}
