//! A run under a CPU quota, on real clocks: what was throttled is seen, left out and said.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use serde_json::Value;

use crate::run::{Run, holds};
use crate::stage::{HANDSHAKES, Stage};

/// A control group whose processes may use a fifth of a CPU.
struct Group(PathBuf);

impl Group {
    /// None where control groups are not ours to make.
    fn create() -> Option<Self> {
        let name = format!("quota-of-tlstax-{}", std::process::id());
        let make = |parent: &str, limits: &[(&str, &str)]| {
            let group = Path::new(parent).join(&name);
            fs::create_dir(&group).ok()?;
            let group = Self(group);
            let set = |(file, limit): &(&str, &str)| {
                let file = group.0.join(file);
                file.exists() && fs::write(file, limit).is_ok()
            };
            limits.iter().all(set).then_some(group)
        };
        make("/sys/fs/cgroup", &[("cpu.max", "20000 100000")]).or_else(|| {
            make("/sys/fs/cgroup/cpu", &[("cpu.cfs_period_us", "100000"), ("cpu.cfs_quota_us", "20000")])
        })
    }

    /// Runs a command in the group.
    fn run(&self, command: &Command) -> Run {
        let mut inside = Command::new("sh");
        inside.arg("-c").arg("echo $$ >\"$0/cgroup.procs\" && exec \"$@\"").arg(&self.0);
        inside.arg(command.get_program()).args(command.get_args());
        let set = |(name, value): (&OsStr, Option<&OsStr>)| Some((name.to_owned(), value?.to_owned()));
        inside.envs(command.get_envs().filter_map(set));
        Run::of(inside.current_dir(command.get_current_dir().unwrap()))
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        // The kernel may need a moment to let go of a process that has just ended.
        for _ in 0..100 {
            if fs::remove_dir(&self.0).is_ok() {
                return;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

#[test]
fn what_a_quota_stops_is_seen_and_said() {
    let Some(group) = Group::create() else { return };
    let stage = Stage::with(&[]).and_connections("plain");
    let file = stage.study("throttled", &format!("{HANDSHAKES}keys = [\"ecdsa-p256\"]\n"));
    let command = stage.command(["measure", &file, "--library", "plain", "--quiet", "-o", "throttled"]);
    let (run, results) = stage.with_results(group.run(&command).ends(0), "throttled");
    assert_eq!(results["host"]["cpu_quota"], 0.2, "{run}");
    let slices = results["slices"].as_array().unwrap();
    assert!(slices.iter().any(|slice| slice["throttled_ns"].as_u64() > Some(0)), "{slices:?}");
    let notes: Vec<&Value> = results["notes"].as_array().unwrap().iter().map(|note| &note["what"]).collect();
    holds(format!("{notes:?}"), ["a CPU quota stopped the run for", "batches are left out"]);
}
