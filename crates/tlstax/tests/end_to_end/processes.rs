//! Processes of a test: waited for, told to end, and looked for when they should be gone.

use std::fs::{self, DirEntry};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// Waits until something is so; whether it was within these seconds.
pub fn within(seconds: u64, mut is_so: impl FnMut() -> bool) -> bool {
    let begin = Instant::now();
    while !is_so() {
        if begin.elapsed() > Duration::from_secs(seconds) {
            return false;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    true
}

pub fn signal(name: &str, pid: u32) {
    assert!(Command::new("kill").args([name, &pid.to_string()]).status().unwrap().success());
}

/// Processes that work in a folder or name it, with their command lines. nginx overwrites its environment.
pub fn processes(folder: &Path) -> Vec<(u32, String)> {
    let of = |entry: DirEntry| {
        let pid = entry.file_name().to_str()?.parse().ok()?;
        let words = fs::read(entry.path().join("cmdline")).ok().filter(|words| !words.is_empty())?;
        let words = String::from_utf8_lossy(&words).replace('\0', " ");
        let works_there = fs::read_link(entry.path().join("cwd")).is_ok_and(|cwd| cwd.starts_with(folder));
        (works_there || words.contains(folder.to_str()?)).then_some((pid, words))
    };
    fs::read_dir("/proc").unwrap().filter_map(Result::ok).filter_map(of).collect()
}

/// No process of a folder is left, though one may take a moment to end.
#[track_caller]
pub fn nobody_is_left(folder: &Path) {
    assert!(within(2, || processes(folder).is_empty()), "left behind: {:?}", processes(folder));
}
