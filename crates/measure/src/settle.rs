//! What a child does between fork and exec, where it makes system calls only and allocates nothing.

use std::io;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command};

use rustix::process::Signal;
use rustix::thread::CpuSet;

use crate::user::User;
use crate::{cgroup, limits};

/// How a child is to live.
pub(crate) struct Settle<'a> {
    /// What the kernel sends it when the thread that started it ends.
    pub(crate) farewell: Signal,
    /// The logical CPUs it may run on; none is all that we may use.
    pub(crate) cpus: Option<CpuSet>,
    /// The user that it becomes; none is our own.
    pub(crate) user: Option<User>,
    pub(crate) group: Option<&'a Path>,
    /// Whether its memory is laid out the same each time.
    pub(crate) has_fixed_layout: bool,
}

impl Settle<'_> {
    /// Starts a command in a process group of its own. What is timed has its memory laid out anew each time, as the system does
    /// it: one fixed layout would be lucky or unlucky in every run of one build, and another in the next build.
    pub(crate) fn spawn(self, command: &mut Command) -> io::Result<Child> {
        let Self { farewell, cpus, user, group, has_fixed_layout } = self;
        let group = group.map(cgroup::procs).transpose()?;
        let parent = rustix::process::getpid();
        let settle = move || {
            group.as_deref().map_or(Ok(()), cgroup::join)?;
            limits::raise_open_files();
            user.map_or(Ok(()), become_user)?;
            // After the change of user, which would clear it.
            rustix::process::set_parent_process_death_signal(Some(farewell))?;
            if rustix::process::getppid() != Some(parent) {
                // The parent died before the line above could take effect.
                return Err(rustix::io::Errno::SRCH.into());
            }
            if has_fixed_layout {
                fix_layout();
            }
            match &cpus {
                Some(cpus) => Ok(rustix::thread::sched_setaffinity(None, cpus)?),
                None => Ok(()),
            }
        };
        // SAFETY: the closure runs between fork and exec; it makes system calls only and allocates nothing.
        unsafe { command.pre_exec(settle) };
        command.process_group(0).spawn()
    }
}

/// Turns address space randomisation off. A container may forbid it: then counts spread a little more, which their range shows.
fn fix_layout() {
    // SAFETY: a system call on numbers; the first asks for the personality and changes nothing.
    unsafe {
        let now = libc::personality(0xffff_ffff);
        if now >= 0 {
            libc::personality(now as libc::c_ulong | libc::ADDR_NO_RANDOMIZE as libc::c_ulong);
        }
    }
}

/// Gives up root for good.
fn become_user(user: User) -> io::Result<()> {
    let id = user.id();
    let done = |status: libc::c_int| if status == 0 { Ok(()) } else { Err(io::Error::last_os_error()) };
    // SAFETY: system calls on numbers, in a child that has one thread; no pointer is read with a length of 0.
    unsafe {
        done(libc::setgroups(0, std::ptr::null()))?;
        done(libc::setresgid(id, id, id))?;
        done(libc::setresuid(id, id, id))
    }
}
