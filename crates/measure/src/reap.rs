//! The end of a child process, with its accounting.

use std::io;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;

use rustix::process::Pid;
use tlstax_spec::{Cpu, Nanos};

use crate::clock::in_proportion;

/// How a child process ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ended {
    /// Exit code or signal.
    pub status: ExitStatus,
    /// CPU time of all its life with that of its reaped descendants, by wait4(2): whole microseconds.
    pub usage: Cpu,
}

/// Waits for the end of a child and takes its accounting.
pub(crate) fn reap(pid: Pid) -> io::Result<Ended> {
    let mut status = 0;
    let mut usage = std::mem::MaybeUninit::<libc::rusage>::zeroed();
    loop {
        // SAFETY: both pointers are valid for what wait4 writes.
        if unsafe { libc::wait4(pid.as_raw_pid(), &mut status, 0, usage.as_mut_ptr()) } >= 0 {
            break;
        }
        let error = io::Error::last_os_error();
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
    // SAFETY: all-zero is a valid rusage, and wait4 has overwritten it.
    let usage = unsafe { usage.assume_init() };
    let micros = |time: libc::timeval| time.tv_sec as u64 * 1_000_000 + time.tv_usec as u64;
    let (user, system) = (micros(usage.ru_utime), micros(usage.ru_stime));
    let usage = in_proportion(Nanos((user + system) * 1000), user, system);
    Ok(Ended { status: ExitStatus::from_raw(status), usage })
}
