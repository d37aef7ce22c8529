//! A stage for a real server: an nginx in PATH that goes wrong on purpose, and a folder for temporary files of its own.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use serde_json::Value;

use crate::needs::{NGINX, are_there};
use crate::processes::{nobody_is_left, processes, within};
use crate::run::Run;
use crate::stage::{Stage, allow, begin, block, program, root, worker};

/// The client of most tests, and the key that the server is not asked for.
const CLIENT: &str = "rustls-aws-lc";
const OTHER_KEY: &str = "pki/rsa-2048";

/// A folder with programs that come first in PATH.
pub struct Site {
    pub stage: Stage,
}

impl Site {
    /// A site whose nginx has this fault, or none; where there are nginx and the client.
    pub fn with(fault: &str) -> Option<Self> {
        if !are_there(&[Path::new(NGINX), &worker(CLIENT)]) {
            return None;
        }
        let site = Self { stage: Stage::calm() };
        // The server may be another user.
        for folder in ["", "programs", "faults", "temporary"] {
            fs::create_dir_all(site.path(folder)).unwrap();
            allow(&site.path(folder), if folder == "faults" { 0o777 } else { 0o755 });
        }
        for file in ["server-1.pem", "server.key"] {
            fs::copy(root().join(OTHER_KEY).join(file), site.path("faults").join(file)).unwrap();
            allow(&site.path("faults").join(file), 0o644);
        }
        let program = format!("program = [\"target/workers/bin/{CLIENT}\"]");
        site.stage.write("client.toml", block(CLIENT, &program));
        site.stage.write("programs/fault.pl", include_str!("servers/fault.pl"));
        let (script, faults) = (site.path("programs/fault.pl"), site.path("faults"));
        let command = match fault {
            "none" => format!("exec {NGINX} \"$@\""),
            fault => {
                format!("exec perl {} {fault} {NGINX} {} \"$@\"", script.display(), faults.display())
            }
        };
        site.stage.program("programs/nginx", &format!("#!/bin/sh\n{command}\n"));
        Some(site)
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.stage.path(name)
    }

    /// A load of one TLS 1.3 case on nginx, every request on a connection of its own.
    fn command(&self, budget: &str, more: &str) -> Command {
        let mut command = program();
        command.args(["load", "--quiet", "-l", "nginx", "--no-plain", "--requests", "1", "--budget", budget]);
        command.args(["-o", "load", "--registry"]).arg(self.path("client.toml"));
        command.arg("--home").arg(root()).args(more.split_whitespace());
        let usual = [("--client", CLIENT), ("--connections", "1"), ("--body", "16"), ("--precision", "100")];
        for (flag, value) in usual {
            if !more.contains(flag) {
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
    #[track_caller]
    pub fn load(&self, more: &str) -> (Run, Value) {
        self.stage.with_results(Run::of(&mut self.command("60s", more)), "load")
    }

    /// The same, started by another command.
    #[track_caller]
    pub fn load_by(&self, starter: &[&str], more: &str) -> (Run, Value) {
        let load = self.command("60s", more);
        let mut command = Command::new(starter[0]);
        command.args(&starter[1..]).arg(load.get_program()).args(load.get_args());
        self.settle(&mut command);
        self.stage.with_results(Run::of(&mut command), "load")
    }

    fn journal(&self) -> String {
        fs::read_to_string(self.path("load.journal")).unwrap_or_default()
    }

    /// Begins a long load, and waits until there are windows of it.
    pub fn start(&self, more: &str) -> Child {
        let mut child = begin(&mut self.command("600s", &format!("{more} --precision 0.0001")));
        let has_begun = || self.journal().matches("\"batch\"").count() > 3;
        within(600, || has_begun() || child.try_wait().unwrap().is_some());
        assert!(has_begun(), "the run never began: {}", Run::end_of(child));
        child
    }

    /// Kills a process of the server that runs until the run has noted a loss, and then until the run has ended. A server that
    /// is being replaced when it is struck is no loss.
    pub fn kill_twice(&self, words: &str, run: &mut Child) {
        self.kill_until(words, || self.journal().contains("lost a process once"));
        self.kill_until(words, || run.try_wait().unwrap().is_some());
    }

    /// Strikes every two seconds, for a minute at most.
    fn kill_until(&self, words: &str, mut is_done: impl FnMut() -> bool) {
        for _ in 0..30 {
            if is_done() {
                return;
            }
            if let Some((pid, _)) = self.processes().into_iter().find(|(_, found)| found.contains(words)) {
                // It may have ended by itself since it was seen.
                let _ = Command::new("kill").args(["-KILL", &pid.to_string()]).stderr(Stdio::null()).status();
            }
            within(2, &mut is_done);
        }
        panic!("the loss was never noted");
    }

    /// Waits for the end of a load.
    #[track_caller]
    pub fn end_of(&self, child: Child) -> (Run, Value) {
        self.stage.with_results(Run::end_of(child), "load")
    }

    /// `tlstax check`, with one scripted library.
    pub fn check(&self, more: &str) -> Run {
        let mut command = self.stage.command(["check"].into_iter().chain(more.split_whitespace()));
        self.settle(&mut command);
        Run::of(&mut command)
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

    pub fn processes(&self) -> Vec<(u32, String)> {
        processes(&self.path("temporary"))
    }

    /// No process and no file of the run is left.
    #[track_caller]
    pub fn nothing_is_left(&self) {
        nobody_is_left(&self.path("temporary"));
        let files: Vec<_> = fs::read_dir(self.path("temporary")).unwrap().map(Result::unwrap).collect();
        assert!(files.is_empty(), "left behind: {files:?}");
    }
}
