//! The end of a child process, with its accounting.

use std::io;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;

use rustix::process::{Pid, WaitId, WaitIdOptions, WaitIdStatus, waitid};
use tlstax_spec::{Cpu, Nanos};

use crate::clock::{in_proportion, micros};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ended {
    /// Exit code or signal.
    pub status: ExitStatus,
    /// CPU time of all its life with that of its reaped descendants, by wait4(2): whole microseconds.
    pub usage: Cpu,
}

/// How a child has ended, if it has; it is left to be reaped.
pub(crate) fn seen(pid: Pid) -> io::Result<Option<WaitIdStatus>> {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    Ok(waitid(WaitId::Pid(pid), options)?)
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
    let (user, system) = micros(&usage);
    let usage = in_proportion(Nanos((user + system) * 1000), (user, system));
    Ok(Ended { status: ExitStatus::from_raw(status), usage })
}
