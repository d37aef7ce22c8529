//! Control groups: the kernel's account of all processes of a server together, whatever they fork.

use std::ffi::{CStr, CString};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use tlstax_spec::{Cpu, Nanos};

use crate::accounting;
use crate::clock::in_proportion;
use crate::folder::run_in_name;
use crate::kernel_text::number_after;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Version {
    /// The `cpuacct` hierarchy: nanoseconds.
    V1 = 1,
    /// The unified hierarchy: microseconds.
    V2 = 2,
}

/// How the names of our groups begin; the process id of the run and a number follow.
const PREFIX: &str = "tlstax-";

/// A control group of ours, a child of the one we run in. Dropping it moves what is left in it back and removes it.
#[derive(Debug)]
pub struct Group(Place);

/// Where control groups account our CPU time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) version: Version,
    pub(crate) path: PathBuf,
}

impl Group {
    /// Makes a new group without processes.
    ///
    /// # Errors
    /// There are no control groups, or we may not make one.
    pub fn create() -> io::Result<Self> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("{PREFIX}{}-{number}", std::process::id());
        let mut refused = io::ErrorKind::NotFound.into();
        for place in own_places() {
            let place = Place { path: place.path.join(&name), ..place };
            match fs::create_dir(&place.path) {
                Ok(()) => return Ok(Self(place)),
                Err(error) => refused = error,
            }
        }
        Err(refused)
    }

    /// Its folder; a process is put into it by writing into the file `cgroup.procs` there.
    pub fn path(&self) -> &Path {
        &self.0.path
    }

    /// CPU time of all that was ever done in the group.
    ///
    /// # Errors
    /// The account cannot be read, or is not in the documented form.
    pub fn usage(&self) -> io::Result<Cpu> {
        let read = |file: &str| fs::read_to_string(self.0.path.join(file));
        let usage = match self.0.version {
            Version::V1 => parse_v1(&read("cpuacct.usage")?, &read("cpuacct.stat")?),
            Version::V2 => parse_v2(&read("cpu.stat")?),
        };
        usage.ok_or_else(|| io::ErrorKind::InvalidData.into())
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        if let Some(parent) = self.0.path.parent() {
            let left = fs::read_to_string(self.0.path.join("cgroup.procs")).unwrap_or_default();
            for pid in left.lines() {
                // It may end at this moment, which is as good.
                let _ = move_into(parent, pid);
            }
        }
        // What cannot be removed is found, and named, by `tlstax check`.
        let _ = remove(&self.0.path);
    }
}

/// The run that has made a group of this name; none if no run has.
pub(crate) fn run_of(name: &str) -> Option<u32> {
    run_in_name(name, PREFIX)
}

/// Groups of runs that are over, killed before they could remove them: those beside which a group of ours would be.
pub fn abandoned() -> Vec<PathBuf> {
    let is_abandoned = |name: &str| run_of(name).is_some_and(|run| !accounting::is_alive(run));
    let folders = own_places().into_iter().filter_map(|place| fs::read_dir(place.path).ok());
    let mut found: Vec<PathBuf> = folders
        .flatten()
        .filter_map(|entry| {
            let entry = entry.ok()?;
            let is_group = entry.file_type().ok()?.is_dir() && is_abandoned(entry.file_name().to_str()?);
            is_group.then(|| entry.path())
        })
        .collect();
    found.sort();
    found
}

/// Removes a group that has no processes any more.
///
/// # Errors
/// There are some, or we may not.
pub fn remove(group: &Path) -> io::Result<()> {
    // The kernel may need a moment to let go of a process that has just ended.
    for _ in 0..50 {
        match fs::remove_dir(group) {
            Err(error) if error.kind() == io::ErrorKind::ResourceBusy => {
                std::thread::sleep(Duration::from_millis(2));
            }
            done => return done,
        }
    }
    fs::remove_dir(group)
}

#[expect(clippy::disallowed_methods, reason = "a control file of the kernel, not a document")]
fn move_into(group: &Path, pid: &str) -> io::Result<()> {
    fs::write(group.join("cgroup.procs"), pid)
}

/// The file of a group through which processes are put into it.
pub(crate) fn procs(group: &Path) -> io::Result<CString> {
    Ok(CString::new(group.join("cgroup.procs").into_os_string().into_encoded_bytes())?)
}

/// Moves the calling process into a control group. For a child between fork and exec: it makes system calls only.
pub(crate) fn join(procs: &CStr) -> io::Result<()> {
    use rustix::fs::{Mode, OFlags, open};
    let file = open(procs, OFlags::WRONLY | OFlags::CLOEXEC, Mode::empty())?;
    rustix::io::write(&file, b"0")?;
    Ok(())
}

/// The groups that we run in and that account CPU time, the finer account first.
pub(crate) fn own_places() -> Vec<Place> {
    let (mounts, groups) = hierarchies();
    places(&mounts, &groups)
}

/// What is mounted, and the groups that we are in.
fn hierarchies() -> (String, String) {
    let read = |path| fs::read_to_string(path).unwrap_or_default();
    (read("/proc/self/mountinfo"), read("/proc/self/cgroup"))
}

/// CPUs' worth of time that our groups may use by their own limit and those above them, as far as they are visible.
pub fn cpu_quota() -> Option<f64> {
    limits().into_iter().map(|(_, quota)| quota).reduce(f64::min)
}

/// The groups with such a limit.
pub(crate) fn limited_places() -> Vec<Place> {
    limits().into_iter().map(|(place, _)| place).collect()
}

fn limits() -> Vec<(Place, f64)> {
    let (mounts, groups) = hierarchies();
    let limits = |version, controller, quota: fn(&Path) -> Option<f64>| {
        let limit = |path: &Path| Some((Place { version, path: path.to_owned() }, quota(path)?));
        let group = find(&mounts, &groups, controller);
        group.map(|group| group.ancestors().filter_map(limit).collect::<Vec<_>>()).unwrap_or_default()
    };
    [limits(Version::V2, None, quota_v2), limits(Version::V1, Some("cpu"), quota_v1)].concat()
}

fn quota_v2(group: &Path) -> Option<f64> {
    parse_quota(&fs::read_to_string(group.join("cpu.max")).ok()?)
}

fn quota_v1(group: &Path) -> Option<f64> {
    let read = |file| fs::read_to_string(group.join(file));
    parse_quota(&format!("{} {}", read("cpu.cfs_quota_us").ok()?, read("cpu.cfs_period_us").ok()?))
}

/// `quota period`, where the quota is `max` or negative without a limit.
fn parse_quota(text: &str) -> Option<f64> {
    let mut numbers = text.split_ascii_whitespace().map(str::parse::<f64>);
    let (quota, period) = (numbers.next()?.ok()?, numbers.next()?.ok()?);
    (quota > 0.0 && period > 0.0).then_some(quota / period)
}

fn places(mounts: &str, groups: &str) -> Vec<Place> {
    let hierarchies = [(Version::V1, Some("cpuacct")), (Version::V2, None)];
    let place = |(version, controller)| Some(Place { version, path: find(mounts, groups, controller)? });
    hierarchies.into_iter().filter_map(place).collect()
}

/// One line of proc_pid_mountinfo(5).
struct Mount<'a> {
    root: &'a str,
    point: &'a str,
    kind: &'a str,
    options: &'a str,
}

impl<'a> Mount<'a> {
    fn parse(line: &'a str) -> Option<Self> {
        let (mount, system) = line.split_once(" - ")?;
        let mut mount = mount.split(' ').skip(3);
        let mut system = system.split(' ');
        Some(Self {
            root: mount.next()?,
            point: mount.next()?,
            kind: system.next()?,
            options: system.nth(1)?,
        })
    }

    fn controls(&self, controller: Option<&str>) -> bool {
        match controller {
            Some(controller) => self.kind == "cgroup" && has(self.options, controller),
            None => self.kind == "cgroup2",
        }
    }
}

fn has(list: &str, word: &str) -> bool {
    list.split(',').any(|one| one == word)
}

/// The directory of our own group in the hierarchy of a controller; in the unified one, whose line names none, where none is
/// given. `groups` has lines `number:controllers:path`.
fn find(mounts: &str, groups: &str, controller: Option<&str>) -> Option<PathBuf> {
    let mount = mounts.lines().filter_map(Mount::parse).find(|mount| mount.controls(controller))?;
    let group = groups.lines().find_map(|line| {
        let (controllers, path) = line.split_once(':')?.1.split_once(':')?;
        has(controllers, controller.unwrap_or_default()).then_some(path)
    })?;
    // In a container only a part of the hierarchy is mounted, and the mount's root names which.
    let below = Path::new(group).strip_prefix(mount.root).unwrap_or(Path::new(""));
    let below = below.strip_prefix("/").unwrap_or(below);
    Some(if below.as_os_str().is_empty() {
        PathBuf::from(mount.point)
    } else {
        Path::new(mount.point).join(below)
    })
}

/// `cpuacct.usage` in nanoseconds, split in the proportion of `cpuacct.stat` in ticks.
fn parse_v1(usage: &str, stat: &str) -> Option<Cpu> {
    let total = Nanos(usage.trim().parse().ok()?);
    Some(in_proportion(total, (number_after(stat, "user ")?, number_after(stat, "system ")?)))
}

fn parse_v2(stat: &str) -> Option<Cpu> {
    let micros = |label| number_after(stat, label);
    let total = Nanos(micros("usage_usec ")? * 1000);
    Some(in_proportion(total, (micros("user_usec ")?, micros("system_usec ")?)))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    const HYBRID: &str = "\
31 23 0:28 / /sys/fs/cgroup rw,relatime - tmpfs tmpfs rw,mode=755
33 31 0:30 / /sys/fs/cgroup/cpu,cpuacct rw,relatime shared:9 - cgroup cgroup rw,cpu,cpuacct
41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw
";

    #[test]
    fn the_finer_account_comes_first() {
        let groups = "4:cpu,cpuacct:/user/seven\n1:name=systemd:/\n0::/session\n";
        let found = places(HYBRID, groups);
        assert_eq!(
            found[0],
            Place { version: Version::V1, path: "/sys/fs/cgroup/cpu,cpuacct/user/seven".into() }
        );
        assert_eq!(found[1], Place { version: Version::V2, path: "/sys/fs/cgroup/unified/session".into() });
    }

    #[test]
    fn in_a_container_only_the_mounted_part_is_seen() {
        let mounts = "9 8 0:30 /pod/a /sys/fs/cgroup ro,nosuid - cgroup2 cgroup rw,nsdelegate\n";
        let path = |groups| places(mounts, groups)[0].path.clone();
        assert_eq!(path("0::/pod/a\n"), Path::new("/sys/fs/cgroup"));
        assert_eq!(path("0::/pod/a/b\n"), Path::new("/sys/fs/cgroup/b"));
        assert_eq!(path("0::/\n"), Path::new("/sys/fs/cgroup"));
        assert_eq!(places("", "0::/\n"), []);
    }

    #[test]
    fn both_generations_are_read() {
        let cpu = parse_v1("3000001\n", "user 2\nsystem 1\n").unwrap();
        assert_eq!(
            (cpu.total, cpu.user, cpu.system),
            (Nanos(3_000_001), Some(Nanos(2_000_000)), Some(Nanos(1_000_001)))
        );
        let cpu = parse_v2("usage_usec 30\nuser_usec 20\nsystem_usec 10\nnr_periods 0\n").unwrap();
        assert_eq!((cpu.total, cpu.user), (Nanos(30_000), Some(Nanos(20_000))));
        assert_eq!(parse_v2("user_usec 20\n"), None);
    }

    #[test]
    fn groups_tell_their_run() {
        assert_eq!(
            (run_of("tlstax-17-3"), run_of("tlstax-run-17-3"), run_of("user.slice")),
            (Some(17), None, None)
        );
        let Ok(group) = Group::create() else { return };
        assert!(!abandoned().iter().any(|path| path == group.path()));
    }

    #[test]
    fn quotas_are_shares_of_a_cpu() {
        assert_eq!(parse_quota("150000 100000\n"), Some(1.5));
        assert_eq!(parse_quota("max 100000\n"), None);
        assert_eq!(parse_quota("-1\n 100000\n"), None);
    }
}
