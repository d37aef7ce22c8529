//! [`Refusal`]: what the kernel means when it opens no event.

use std::io;

/// What the kernel means when it opens no event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// This user may not.
    Forbidden,
    /// The thread, or the CPU, is not there any more.
    Gone,
    TooManyFiles,
    /// The system call does not exist.
    NoPerf,
    /// This kernel or CPU has no such event, or does not know what is asked for.
    Unsupported,
    Other,
}

impl Refusal {
    pub fn of(error: &io::Error) -> Self {
        match error.raw_os_error() {
            Some(libc::EACCES | libc::EPERM) => Self::Forbidden,
            Some(libc::ESRCH | libc::ENODEV | libc::ENXIO) => Self::Gone,
            Some(libc::EMFILE | libc::ENFILE) => Self::TooManyFiles,
            Some(libc::ENOSYS) => Self::NoPerf,
            Some(libc::EINVAL | libc::EOPNOTSUPP | libc::ENOENT | libc::E2BIG) => Self::Unsupported,
            _ => Self::Other,
        }
    }
}
