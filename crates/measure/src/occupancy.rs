//! Runs that meet: whoever measures on a CPU holds it, for all users of the machine, until the process ends.
//!
//! What is held is the name of an abstract Unix socket. It has no file that could be planted, left behind or denied, the
//! kernel says who has it, and it ends with the process. It is that of a network namespace: two containers mostly do not
//! see each other.

use std::fs;
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};

use rustix::io::Errno;
use rustix::net::{
    AddressFamily, SocketAddrUnix, SocketFlags, SocketType, bind, connect, listen, socket_with,
};

use crate::accounting::started;
use crate::mark;

/// How many others may ask who we are.
const QUESTIONS: i32 = 4096;

/// How much of a command line is quoted.
const QUOTED: usize = 80;

/// Holds the CPUs until it is dropped.
#[derive(Debug)]
pub struct Occupancy(#[expect(dead_code, reason = "open as long as the CPUs are held")] Vec<OwnedFd>);

/// Who measures already. What is not known is another namespace's affair.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Holder {
    /// The CPU on which we would meet.
    pub cpu: usize,
    /// Its process, if it is in our PID namespace.
    pub pid: Option<u32>,
    pub user: Option<u32>,
    /// Its command line, cut, without control characters.
    pub command: Option<String>,
    /// How long it has been running, in seconds.
    pub seconds: Option<u64>,
}

impl std::fmt::Display for Holder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "another run measures on CPU {}", self.cpu)?;
        match self.pid {
            Some(pid) => write!(f, ": process {pid}")?,
            None => write!(f, ": a process that is not seen from here")?,
        }
        self.user.map_or(Ok(()), |user| write!(f, " of user {user}"))?;
        self.seconds.map_or(Ok(()), |seconds| write!(f, " for {seconds} s"))?;
        self.command.as_ref().map_or(Ok(()), |command| write!(f, " ({command})"))
    }
}

/// Takes hold of CPUs, or tells who has one of them. A CPU that cannot be held for another reason is not held: no run fails
/// for it.
///
/// # Errors
/// The run that holds one of the CPUs.
pub fn occupy(cpus: &[usize]) -> Result<Occupancy, Holder> {
    occupy_as("tlstax-cpu", cpus)
}

fn occupy_as(prefix: &str, cpus: &[usize]) -> Result<Occupancy, Holder> {
    let mut cpus = cpus.to_vec();
    // The same order in each run: of two that begin at once, one has all.
    cpus.sort_unstable();
    let mut held = Vec::new();
    for cpu in cpus {
        let name = format!("{prefix}-{cpu}");
        match hold(name.as_bytes()) {
            Ok(socket) => held.push(socket),
            Err(Errno::ADDRINUSE) => return Err(holder(cpu, name.as_bytes())),
            Err(_) => {}
        }
    }
    Ok(Occupancy(held))
}

fn unix_socket() -> Result<OwnedFd, Errno> {
    let flags = SocketFlags::CLOEXEC | SocketFlags::NONBLOCK;
    socket_with(AddressFamily::UNIX, SocketType::STREAM, flags, None)
}

fn hold(name: &[u8]) -> Result<OwnedFd, Errno> {
    let socket = unix_socket()?;
    bind(&socket, &SocketAddrUnix::new_abstract_name(name)?)?;
    // Nobody is ever answered; but a connection that waits for it tells who would.
    listen(&socket, QUESTIONS)?;
    Ok(socket)
}

fn holder(cpu: usize, name: &[u8]) -> Holder {
    let (pid, user) = peer(name).unwrap_or_default();
    Holder {
        cpu,
        pid,
        user,
        command: pid.map(|pid| mark::command(pid).chars().take(QUOTED).collect()),
        seconds: pid.and_then(running_for),
    }
}

/// Process and user at the other end, as the kernel knows them.
fn peer(name: &[u8]) -> io::Result<(Option<u32>, Option<u32>)> {
    let socket = unix_socket()?;
    connect(&socket, &SocketAddrUnix::new_abstract_name(name)?)?;
    let mut found = libc::ucred { pid: 0, uid: 0, gid: 0 };
    let mut length = size_of::<libc::ucred>() as libc::socklen_t;
    // SAFETY: both pointers are valid for what is written, and the length is that of the structure. rustix knows no process 0,
    // which stands for one of another PID namespace.
    let status = unsafe {
        let into = (&raw mut found).cast();
        libc::getsockopt(socket.as_raw_fd(), libc::SOL_SOCKET, libc::SO_PEERCRED, into, &raw mut length)
    };
    match status {
        0 => Ok((u32::try_from(found.pid).ok().filter(|pid| *pid > 0), Some(found.uid))),
        _ => Err(io::Error::last_os_error()),
    }
}

/// The age of a process, in seconds.
fn running_for(pid: u32) -> Option<u64> {
    let begun = started(pid)?;
    let uptime = fs::read_to_string("/proc/uptime").ok()?;
    let uptime: f64 = uptime.split_whitespace().next()?.parse().ok()?;
    Some((uptime as u64).saturating_sub(begun / rustix::param::clock_ticks_per_second()))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_cpu_has_one_holder_who_is_known() {
        let prefix = format!("tlstax-test-{}", std::process::id());
        let occupy = |cpus: &[usize]| occupy_as(&prefix, cpus);
        let held = occupy(&[3, 1]).unwrap();
        // The first question must not make the holder deaf for the next.
        for _ in 0..3 {
            let holder = occupy(&[0, 1, 2]).unwrap_err();
            assert_eq!((holder.cpu, holder.pid), (1, Some(std::process::id())));
            assert_eq!(holder.user, Some(rustix::process::geteuid().as_raw()));
            assert!(holder.seconds.is_some() && holder.command.is_some(), "{holder:?}");
            let words = holder.to_string();
            assert!(words.contains(&format!("process {}", std::process::id())), "{words}");
        }
        // What was taken before the one that is held is free again.
        let other = occupy(&[0, 2]).unwrap();
        drop(held);
        assert!(occupy(&[1, 3]).is_ok());
        drop(other);
    }

    #[test]
    fn a_holder_that_is_not_seen_is_said_to_be_one() {
        let unknown = Holder { cpu: 7, pid: None, user: None, command: None, seconds: None };
        assert_eq!(
            unknown.to_string(),
            "another run measures on CPU 7: a process that is not seen from here"
        );
    }
}
