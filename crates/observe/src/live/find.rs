//! Processes by name, and names like one that is not there.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use tlstax_measure::accounting;
use tlstax_measure::perf_event::paranoid;

use super::error::LiveError;

/// How many names are offered.
const OFFERED: usize = 5;

/// In how many letters such a name may differ.
const LETTERS: usize = 2;

/// What the kernel keeps of a name, TASK_COMM_LEN without its end.
const KEPT: usize = 15;

/// Where control groups are mounted.
const GROUPS: &str = "/sys/fs/cgroup";

/// All processes of a name, as /proc/PID/comm has it; a longer one is cut as the kernel cuts it.
pub fn named(name: &str) -> Vec<u32> {
    let cut = name.get(..KEPT).unwrap_or(name);
    // Ourselves we do not mean, even under that name.
    let others = accounting::all().into_iter().filter(|pid| *pid != std::process::id());
    others.filter(|pid| accounting::name(*pid).is_some_and(|found| found == cut)).collect()
}

/// Threads of a process; none of one that has ended.
pub fn threads(pid: u32) -> Vec<u32> {
    let Ok(folder) = fs::read_dir(format!("/proc/{pid}/task")) else { return Vec::new() };
    folder.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok()).collect()
}

/// # Errors
/// There is no such process, or it is a thread of the kernel.
pub fn must_be_a_program(pid: u32) -> Result<(), LiveError> {
    if !accounting::is_alive(pid) {
        return Err(LiveError::NoProcess { pid });
    }
    if accounting::is_kernel_thread(pid) {
        return Err(LiveError::KernelThread { pid, name: accounting::name(pid).unwrap_or_default() });
    }
    Ok(())
}

/// Why a process may not be observed: it is somebody else's, or nobody may.
pub fn forbidden(pid: u32, source: io::Error) -> LiveError {
    let uid = |who: &str| fs::metadata(format!("/proc/{who}")).map(|about| about.uid()).ok();
    match (uid(&pid.to_string()), uid("self"), paranoid()) {
        (Some(owner), Some(we), _) if owner != we => LiveError::Foreign { pid, owner, we },
        (_, _, Some(level @ 3..)) => LiveError::Forbidden { whom: "any process", level, wanted: 2 },
        (_, _, level) => LiveError::Refused { level: level.unwrap_or(0), source },
    }
}

pub fn no_name(name: &str) -> LiveError {
    let names = accounting::all().into_iter().filter_map(accounting::name);
    LiveError::NoName { name: name.to_owned(), like: alike(name, names) }
}

/// The folder of a control group.
///
/// # Errors
/// There is none of that name.
pub fn group(path: &Path) -> Result<(PathBuf, fs::File), LiveError> {
    let below = Path::new(GROUPS).join(path.strip_prefix("/").unwrap_or(path));
    // The hierarchy that accounts perf events, where there are several.
    let older = Path::new(GROUPS).join("perf_event").join(path.strip_prefix("/").unwrap_or(path));
    let mut first = None;
    for candidate in [path.to_owned(), below, older] {
        match fs::File::open(&candidate) {
            Ok(folder) if candidate.join("cgroup.procs").exists() => return Ok((candidate, folder)),
            Ok(_) => {}
            Err(source) => drop(first.get_or_insert(source)),
        }
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let parent = path.parent().filter(|parent| parent.is_dir()).unwrap_or(Path::new(GROUPS));
    let siblings = fs::read_dir(parent).into_iter().flatten();
    let siblings = siblings.filter_map(|entry| {
        let entry = entry.ok()?;
        entry.file_type().ok()?.is_dir().then(|| entry.file_name().to_string_lossy().into_owned())
    });
    Err(LiveError::NoGroup {
        path: path.display().to_string(),
        source: first.unwrap_or_else(|| io::ErrorKind::NotADirectory.into()),
        like: alike(&name, siblings),
    })
}

/// The processes of a control group and of those below it.
pub fn members(group: &Path) -> Vec<u32> {
    let mut folders = vec![group.to_owned()];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        let listed = fs::read_to_string(folder.join("cgroup.procs")).unwrap_or_default();
        found.extend(listed.lines().filter_map(|line| line.parse::<u32>().ok()));
        let below = fs::read_dir(folder).into_iter().flatten().flatten();
        folders.extend(
            below.filter(|one| one.file_type().is_ok_and(|kind| kind.is_dir())).map(|one| one.path()),
        );
    }
    found
}

/// Those of some names that contain the wanted one or differ from it in few letters, the nearest first.
fn alike(wanted: &str, names: impl Iterator<Item = String>) -> Vec<String> {
    let wanted = wanted.to_lowercase();
    let mut found: BTreeSet<(usize, String)> = BTreeSet::new();
    for name in names {
        let lower = name.to_lowercase();
        let contains =
            wanted.len() > 2 && (lower.contains(&wanted) || wanted.contains(&lower)) && lower.len() > 2;
        let distance = distance(&wanted, &lower);
        if contains || distance <= LETTERS {
            found.insert((distance, name));
        }
    }
    found.into_iter().take(OFFERED).map(|(_, name)| name).collect()
}

/// How many letters have to be changed, added or taken away, by Levenshtein's table.
fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (number, letter) in one.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = number + 1;
        for (at, against) in other.iter().enumerate() {
            let changed = diagonal + usize::from(letter != *against);
            diagonal = row[at + 1];
            row[at + 1] = changed.min(row[at] + 1).min(diagonal + 1);
        }
    }
    row[other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misspelt_names_are_found() {
        let names = || ["nginx", "nginx-debug", "sshd", "haproxy", "sh"].map(str::to_owned).into_iter();
        assert_eq!(alike("ngnix", names()), ["nginx"]);
        assert_eq!(alike("NGINX", names()), ["nginx", "nginx-debug"]);
        assert_eq!(alike("java", names()), [""; 0]);
        assert_eq!((distance("abc", "abc"), distance("", "abc"), distance("abcd", "acbd")), (0, 3, 2));
    }

    #[test]
    fn we_have_a_thread_and_nobody_has_none() {
        assert!(!threads(std::process::id()).is_empty() && threads(u32::MAX).is_empty());
        assert!(must_be_a_program(std::process::id()).is_ok());
        assert!(matches!(must_be_a_program(u32::MAX), Err(LiveError::NoProcess { .. })));
        assert!(matches!(group(Path::new("/no/such/group")), Err(LiveError::NoGroup { .. })));
    }
}
