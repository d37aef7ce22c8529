//! A stage for a real server: an nginx in PATH that goes wrong on purpose, and a folder for temporary files of its own.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::Value;

use crate::stage::{Run, Stage, root};

/// The real nginx.
const NGINX: &str = "/usr/sbin/nginx";

/// The client of most tests, and the key that the server is not asked for.
const CLIENT: &str = "rustls-aws-lc";
const OTHER_KEY: &str = "pki/rsa-2048";

/// Whether this machine has what these tests need; says what is missing.
#[expect(clippy::print_stderr, reason = "whoever reads that a test passed has to know that it did nothing")]
pub fn is_possible() -> bool {
    let worker = root().join("target/workers/bin").join(CLIENT);
    let missing = [Path::new(NGINX), &worker].into_iter().find(|path| !path.is_file());
    if let Some(path) = missing {
        eprintln!("not tested: {} is missing; scripts/test.sh installs and builds it", path.display());
    }
    missing.is_none()
}

/// Whether a command that starts others may be used here; says if not.
#[expect(clippy::print_stderr, reason = "as above")]
pub fn is_allowed(starter: &[&str]) -> bool {
    let status = Command::new(starter[0]).args(&starter[1..]).arg("true").stderr(Stdio::null()).status();
    let is_allowed = status.is_ok_and(|status| status.success());
    if !is_allowed {
        eprintln!("not tested: {} may not be used here", starter[0]);
    }
    is_allowed
}

/// A folder with programs that come first in PATH.
pub struct Site {
    stage: Stage,
}

impl Site {
    /// A site whose nginx has this fault, or none.
    pub fn with(fault: &str) -> Self {
        let site = Self { stage: Stage::calm() };
        // The server may be another user.
        for folder in ["", "programs", "faults", "temporary"] {
            std::fs::create_dir_all(site.path(folder)).unwrap();
            allow(&site.path(folder), if folder == "faults" { 0o777 } else { 0o755 });
        }
        for file in ["server-1.pem", "server.key"] {
            std::fs::copy(root().join(OTHER_KEY).join(file), site.path("faults").join(file)).unwrap();
            allow(&site.path("faults").join(file), 0o644);
        }
        let program = format!("program = [\"target/workers/bin/{CLIENT}\"]\n");
        let entry = format!("[[library]]\nid = \"{CLIENT}\"\nabout = \"a client\"\n{program}");
        std::fs::write(site.path("client.toml"), entry).unwrap();
        let script = site.path("programs/fault.pl");
        std::fs::write(&script, include_str!("servers/fault.pl")).unwrap();
        let (script, faults) = (script.display(), site.path("faults"));
        let command = match fault {
            "none" => format!("exec {NGINX} \"$@\""),
            fault => format!("exec perl {script} {fault} {NGINX} {} \"$@\"", faults.display()),
        };
        site.program("nginx", format!("#!/bin/sh\n{command}\n").as_bytes());
        site
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.stage.path(name)
    }

    /// Puts a program first in PATH.
    pub fn program(&self, name: &str, contents: &[u8]) {
        std::fs::write(self.path("programs").join(name), contents).unwrap();
        self.is_executable(name, true);
    }

    pub fn is_executable(&self, name: &str, yes: bool) {
        allow(&self.path("programs").join(name), if yes { 0o755 } else { 0o644 });
    }

    /// A load of one TLS 1.3 case on nginx, every request on a connection of its own.
    fn command(&self, budget: &str, more: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tlstax"));
        command.args(["load", "--quiet", "-l", "nginx", "--no-plain", "--requests", "1", "--budget", budget]);
        command.args(["-o", "load", "--registry"]).arg(self.path("client.toml"));
        command.arg("--home").arg(root()).args(more);
        let usual = [("--client", CLIENT), ("--connections", "1"), ("--body", "16"), ("--precision", "100")];
        for (flag, value) in usual {
            if !more.contains(&flag) {
                command.args([flag, value]);
            }
        }
        self.settle(&mut command);
        command
    }

    fn settle(&self, command: &mut Command) {
        let path = format!("{}:{}", self.path("programs").display(), std::env::var("PATH").unwrap());
        command.env("PATH", path).env("TMPDIR", self.path("temporary")).env("NO_COLOR", "1");
        command.env("TLSTAX_IF_BUSY", "go");
        command.current_dir(self.path("")).stdin(Stdio::null());
    }

    /// Runs a load to its end.
    pub fn load(&self, more: &[&str]) -> (Run, Value) {
        let run: Run = self.command("60s", more).output().unwrap().into();
        let results = self.results(&run);
        (run, results)
    }

    /// The same, started by another command.
    pub fn load_by(&self, starter: &[&str], more: &[&str]) -> (Run, Value) {
        let load = self.command("60s", more);
        let mut command = Command::new(starter[0]);
        command.args(&starter[1..]).arg(load.get_program()).args(load.get_args());
        self.settle(&mut command);
        let run: Run = command.output().unwrap().into();
        let results = self.results(&run);
        (run, results)
    }

    /// Begins a long load, and waits until there are windows of it.
    pub fn start(&self, more: &[&str]) -> Child {
        let more = [more, &["--precision", "0.0001"]].concat();
        let mut command = self.command("600s", &more);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        while child.try_wait().unwrap().is_none() {
            let journal = std::fs::read_to_string(self.path("load.journal")).unwrap_or_default();
            if journal.matches("\"batch\"").count() > 3 {
                return child;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        panic!("the run never began: {:?}", child.wait_with_output());
    }

    /// Kills a process of the server that runs until the run has noted a loss, and then until the run has ended. A server that
    /// is being replaced when it is struck is no loss.
    pub fn kill_twice(&self, words: &str, run: &mut Child) {
        let journal = || std::fs::read_to_string(self.path("load.journal")).unwrap_or_default();
        self.kill_until(words, || journal().contains("lost a process once"));
        self.kill_until(words, || run.try_wait().unwrap().is_some());
    }

    fn kill_until(&self, words: &str, mut is_done: impl FnMut() -> bool) {
        for tick in 0..3000 {
            if is_done() {
                return;
            }
            let struck = self.processes().into_iter().find(|(_, found)| found.contains(words));
            if let Some((pid, _)) = struck.filter(|_| tick % 100 == 0) {
                // It may have ended by itself since it was seen.
                let _ = Command::new("kill").args(["-KILL", &pid.to_string()]).stderr(Stdio::null()).status();
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        panic!("the loss was never noted");
    }

    /// Waits for the end of a load.
    pub fn end_of(&self, child: Child) -> (Run, Value) {
        let run: Run = child.wait_with_output().unwrap().into();
        let results = self.results(&run);
        (run, results)
    }

    fn results(&self, run: &Run) -> Value {
        let text = std::fs::read_to_string(self.path("load.json"))
            .unwrap_or_else(|error| panic!("no results: {error}\n{}", run.stderr));
        serde_json::from_str(&text).unwrap()
    }

    /// `tlstax check`, with one scripted library.
    pub fn check(&self, more: &[&str]) -> Run {
        let mut command = self.stage.command(&["check"]);
        command.args(more);
        self.settle(&mut command);
        command.output().unwrap().into()
    }

    /// Of what was left behind, what this run has left.
    pub fn own<'a>(&self, leftovers: &'a Value, run: u32) -> Vec<&'a Value> {
        let (folder, group) = (self.path("").display().to_string(), format!("/tlstax-{run}-"));
        let is_own = |one: &&Value| {
            let text = one.to_string();
            text.contains(&folder) || text.contains(&group)
        };
        leftovers.as_array().unwrap().iter().filter(is_own).collect()
    }

    pub fn signal(&self, name: &str, pid: u32) {
        assert!(Command::new("kill").args([name, &pid.to_string()]).status().unwrap().success());
    }

    /// Processes that work in this site, with their command lines. nginx overwrites its environment.
    pub fn processes(&self) -> Vec<(u32, String)> {
        let ours = self.path("temporary");
        let entries = std::fs::read_dir("/proc").unwrap().filter_map(Result::ok);
        let of = |entry: std::fs::DirEntry| {
            let pid = entry.file_name().to_str()?.parse().ok()?;
            let words = std::fs::read(entry.path().join("cmdline")).ok().filter(|words| !words.is_empty())?;
            let words = String::from_utf8_lossy(&words).replace('\0', " ");
            let is_ours = std::fs::read_link(entry.path().join("cwd"))
                .is_ok_and(|cwd| cwd.starts_with(&ours))
                || words.contains(ours.to_str()?);
            is_ours.then_some((pid, words))
        };
        entries.filter_map(of).collect()
    }

    /// No process is left, though one may take a moment to end.
    #[track_caller]
    pub fn nobody_is_left(&self) {
        for _ in 0..100 {
            if self.processes().is_empty() {
                return;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        panic!("left behind: {:?}", self.processes());
    }

    /// No process and no file of the run is left.
    #[track_caller]
    pub fn nothing_is_left(&self) {
        self.nobody_is_left();
        let files: Vec<_> = std::fs::read_dir(self.path("temporary")).unwrap().map(Result::unwrap).collect();
        assert!(files.is_empty(), "left behind: {files:?}");
    }
}

fn allow(path: &Path, mode: u32) {
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
}
