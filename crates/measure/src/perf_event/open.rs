//! The system call.

use std::io;
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd, RawFd};

use super::attributes::Attributes;

/// Whom an event is about.
#[derive(Debug, Clone, Copy)]
pub enum Scope<'f> {
    /// The thread that asks.
    Ourselves,
    Thread(u32),
    /// A control group, by its folder.
    Group(BorrowedFd<'f>),
    /// Everybody.
    All,
}

/// PERF_FLAG_FD_CLOEXEC.
const CLOSE_ON_EXEC: libc::c_ulong = 1 << 3;
/// PERF_FLAG_PID_CGROUP.
const IS_GROUP: libc::c_ulong = 1 << 2;

/// Opens an event, which begins at once; without a CPU, on all of them, which only threads can have.
///
/// # Errors
/// What the kernel says: perf_event_open(2) has the list.
pub(crate) fn open(attributes: &Attributes, scope: Scope<'_>, cpu: Option<u32>) -> io::Result<OwnedFd> {
    let too_large = |_| io::Error::from(io::ErrorKind::InvalidInput);
    let (who, more): (libc::pid_t, libc::c_ulong) = match scope {
        Scope::Ourselves => (0, 0),
        Scope::Thread(thread) => (thread.try_into().map_err(too_large)?, 0),
        Scope::Group(folder) => (folder.as_raw_fd(), IS_GROUP),
        Scope::All => (-1, 0),
    };
    let cpu: libc::c_int = cpu.map_or(Ok(-1), TryInto::try_into).map_err(too_large)?;
    let no_leader: libc::c_int = -1;
    let flags = CLOSE_ON_EXEC | more;
    // SAFETY: the kernel reads `size` bytes from the pointer, which are all there, and writes nothing of ours.
    let opened = unsafe {
        libc::syscall(libc::SYS_perf_event_open, &raw const *attributes, who, cpu, no_leader, flags)
    };
    match RawFd::try_from(opened) {
        // SAFETY: the system call has just made this descriptor, and nobody else knows it.
        Ok(descriptor) if descriptor >= 0 => Ok(unsafe { OwnedFd::from_raw_fd(descriptor) }),
        _ => Err(io::Error::last_os_error()),
    }
}
