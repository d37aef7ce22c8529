//! What the kernel says another process has used: readings that do not depend on the process's own word.

use std::fs;
use std::io;

use tlstax_spec::{Bytes, Cpu, Nanos};

use crate::clock::in_proportion;
use crate::kernel_text::{number_after, one_line};

#[derive(Debug, thiserror::Error)]
pub enum AccountingError {
    /// There is no such process, or it may not be looked at.
    #[error("cannot read {path}: {source}; the process has ended or belongs to another user")]
    Unreadable {
        /// The file, or the clock.
        path: String,
        source: io::Error,
    },
    /// The kernel wrote something that we do not understand.
    #[error("{path} has no {what}; this kernel is not supported, or was built without it")]
    Malformed { path: String, what: &'static str },
}

/// CPU time of a process, ended threads included: its CPU clock, see clock_getcpuclockid(3).
///
/// This is the scheduler's own nanosecond account, brought up to date by the reading.
///
/// # Errors
/// There is no such process.
pub fn scheduled(pid: u32) -> Result<Nanos, AccountingError> {
    let unreadable =
        |source| AccountingError::Unreadable { path: format!("the CPU clock of process {pid}"), source };
    let process = libc::pid_t::try_from(pid).map_err(|_| unreadable(io::ErrorKind::NotFound.into()))?;
    let mut clock: libc::clockid_t = 0;
    // SAFETY: the pointer is valid for the one number that is written.
    let status = unsafe { libc::clock_getcpuclockid(process, &mut clock) };
    if status != 0 {
        return Err(unreadable(io::Error::from_raw_os_error(status)));
    }
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the pointer is valid for the one timespec that is written.
    if unsafe { libc::clock_gettime(clock, &mut time) } != 0 {
        return Err(unreadable(io::Error::last_os_error()));
    }
    Ok(Nanos(time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64))
}

/// CPU time of a process with the split into user and system time in the proportion of `/proc/PID/stat`.
///
/// The proportion comes from timer ticks on most kernels, see [`crate::clock::SPLIT_MINIMUM`].
///
/// # Errors
/// There is no such process.
pub fn usage(pid: u32) -> Result<Cpu, AccountingError> {
    let total = scheduled(pid)?;
    let path = format!("/proc/{pid}/stat");
    let ticks = parse_stat(&read(&path)?).ok_or(AccountingError::Malformed { path, what: "CPU times" })?;
    Ok(in_proportion(total, ticks))
}

/// CPU time of several processes together. One that has not seen a timer tick yet has parts of zero: next to those of the others
/// that is nothing.
///
/// # Errors
/// One of them is not there.
pub fn together(pids: &[u32]) -> Result<Cpu, AccountingError> {
    let mut sum = Cpu { user: Some(Nanos(0)), system: Some(Nanos(0)), ..Cpu::default() };
    for pid in pids {
        let cpu = usage(*pid)?;
        sum.total += cpu.total;
        sum.user = sum.user.map(|sum| sum + cpu.user.unwrap_or_default());
        sum.system = sum.system.map(|sum| sum + cpu.system.unwrap_or_default());
    }
    Ok(sum)
}

/// How often the calling thread had to give up its CPU because another one's turn had come; none if the kernel does not tell.
pub(crate) fn preemptions_of_thread() -> Option<u64> {
    number_after(&fs::read_to_string("/proc/thread-self/status").ok()?, "nonvoluntary_ctxt_switches:")
}

/// Memory of a process, its part of shared pages included: the proportional set size of `/proc/PID/smaps_rollup`.
///
/// # Errors
/// There is no such process, or it belongs to another user.
pub fn pss(pid: u32) -> Result<Bytes, AccountingError> {
    let path = format!("/proc/{pid}/smaps_rollup");
    let kilobytes = number_after(&read(&path)?, "Pss:");
    let kilobytes = kilobytes.ok_or(AccountingError::Malformed { path, what: "proportional set size" })?;
    Ok(Bytes(kilobytes * 1024))
}

/// A process and all that come from it and are there now, whatever group they have put themselves into.
pub fn family(pid: u32) -> Vec<u32> {
    descendants(vec![pid], &relations())
}

/// The processes that a process comes from, its parent first.
pub fn ancestors(pid: u32) -> Vec<u32> {
    let all = relations();
    let mut found: Vec<u32> = Vec::new();
    let mut child = pid;
    while let Some(one) = all.iter().find(|one| one.pid == child) {
        child = one.parent;
        if child == 0 || found.contains(&child) {
            break;
        }
        found.push(child);
    }
    found
}

/// The leader of a process group, its members and all that come from them: those too that have lost their parent.
pub fn group(leader: u32) -> Vec<u32> {
    let all = relations();
    let members = all.iter().filter(|one| one.group == leader && one.pid != leader).map(|one| one.pid);
    descendants([leader].into_iter().chain(members).collect(), &all)
}

fn descendants(mut found: Vec<u32>, all: &[Relations]) -> Vec<u32> {
    let mut next = 0;
    while let Some(parent) = found.get(next).copied() {
        for child in all.iter().filter(|one| one.parent == parent) {
            if !found.contains(&child.pid) {
                found.push(child.pid);
            }
        }
        next += 1;
    }
    found
}

/// A process, its parent and its process group.
struct Relations {
    pid: u32,
    parent: u32,
    group: u32,
}

pub fn all() -> Vec<u32> {
    let Ok(folder) = fs::read_dir("/proc") else { return Vec::new() };
    folder.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok()).collect()
}

/// The name that a process goes by, as proc_pid_comm(5) has it; none if there is no such process.
pub fn name(pid: u32) -> Option<String> {
    fs::read(format!("/proc/{pid}/comm")).ok().map(|name| one_line(&String::from_utf8_lossy(&name)))
}

/// When a process was started, in ticks since the machine was: with its id, this tells it from a later one of that id.
pub fn started(pid: u32) -> Option<u64> {
    // The 22nd field of the line; the first here is the third.
    stat(pid)?.split_ascii_whitespace().nth(22 - 3)?.parse().ok()
}

fn relations() -> Vec<Relations> {
    // A process may end between the listing and here.
    all()
        .into_iter()
        .filter_map(|pid| {
            let stat = stat(pid)?;
            let mut numbers = stat.split_ascii_whitespace().skip(1).map(str::parse);
            Some(Relations { pid, parent: numbers.next()?.ok()?, group: numbers.next()?.ok()? })
        })
        .collect()
}

/// Whether there is such a process, and it has not merely been left unreaped.
pub fn is_alive(pid: u32) -> bool {
    stat(pid).is_some_and(|fields| !fields.starts_with(['Z', 'X']))
}

/// Whether it is a thread of the kernel: PF_KTHREAD of linux/sched.h.
pub fn is_kernel_thread(pid: u32) -> bool {
    const KERNEL_THREAD: u64 = 0x0020_0000;
    // The 9th field of the line; the first here is the third.
    let flags = stat(pid).and_then(|fields| fields.split_ascii_whitespace().nth(9 - 3)?.parse::<u64>().ok());
    flags.is_some_and(|flags| flags & KERNEL_THREAD != 0)
}

/// What [`after_name`] leaves of a process's line; none if there is no such process.
fn stat(pid: u32) -> Option<String> {
    let line = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    after_name(&line).map(str::to_owned)
}

/// The fields of proc_pid_stat(5) from the third on. The name in parentheses may itself hold blanks and parentheses.
fn after_name(stat: &str) -> Option<&str> {
    stat.rsplit_once(") ").map(|(_, fields)| fields)
}

fn read(path: &str) -> Result<String, AccountingError> {
    fs::read_to_string(path).map_err(|source| AccountingError::Unreadable { path: path.to_owned(), source })
}

/// utime and stime of proc_pid_stat(5), in ticks.
fn parse_stat(text: &str) -> Option<(u64, u64)> {
    // The first field here is the third of the line; the times are the 14th and the 15th.
    let mut fields = after_name(text)?.split_ascii_whitespace().skip(14 - 3);
    Some((fields.next()?.parse().ok()?, fields.next()?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::clock;

    #[test]
    fn names_with_parentheses_do_not_shift_the_fields() {
        let stat = "42 (a (b) c) S 1 42 42 0 -1 4194560 172 0 0 0 1234 567 8 9 20 0 1 0 100 0 0";
        assert_eq!(parse_stat(stat), Some((1234, 567)));
        assert_eq!(parse_stat("42 (short) S 1"), None);
    }

    #[test]
    fn threads_of_the_kernel_are_told_from_programs() {
        assert!(!is_kernel_thread(std::process::id()) && !is_kernel_thread(u32::MAX));
        // kthreadd, where /proc is the machine's and not a container's.
        if name(2).as_deref() == Some("kthreadd") {
            assert!(is_kernel_thread(2));
        }
    }

    #[test]
    fn a_process_is_in_the_family_of_whatever_it_comes_from() {
        let pid = std::process::id();
        let parent = std::os::unix::process::parent_id();
        assert_eq!(ancestors(pid).first(), Some(&parent).filter(|parent| **parent != 0));
        assert!(family(parent).contains(&pid) && !ancestors(pid).contains(&pid));
        assert!(ancestors(1 << 23).is_empty());
    }

    #[test]
    fn a_process_is_told_from_a_later_one_of_its_id_by_its_start() {
        let pid = std::process::id();
        assert!(started(pid).is_some_and(|ticks| ticks > 0) && started(pid) == started(pid));
        assert!(name(pid).is_some_and(|name| !name.is_empty()));
        assert_eq!((started(1 << 23), name(1 << 23)), (None, None));
        assert!(all().contains(&pid));
    }

    #[test]
    fn our_own_readings_agree_with_the_outside_view() {
        let pid = std::process::id();
        let inside = clock::process_cpu();
        let outside = usage(pid).unwrap();
        let inside_again = clock::process_cpu();
        assert!(inside <= outside.total && outside.total <= inside_again);
        assert!(scheduled(pid).unwrap() >= outside.total);
    }

    #[test]
    fn memory_that_is_touched_shows() {
        let pid = std::process::id();
        let before = pss(pid).unwrap();
        let block = std::hint::black_box(vec![1_u8; 32 << 20]);
        assert!(pss(pid).unwrap().0 >= before.0 + block.len() as u64 / 2);
    }

    #[test]
    fn a_process_that_is_not_there_is_an_error() {
        // Beyond the largest process id that Linux can be told to use.
        let pid = 1 << 23;
        for error in [scheduled(pid).err(), scheduled(u32::MAX).err(), pss(pid).err()] {
            assert!(matches!(error, Some(AccountingError::Unreadable { .. })), "{error:?}");
        }
    }
}
