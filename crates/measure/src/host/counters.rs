//! Whether this user can count CPU cycles.

use std::io;
use std::os::fd::{FromRawFd, OwnedFd, RawFd};

use tlstax_spec::Counters;

/// Tries to count the cycles of our own process in user space, which needs the least permission of all.
pub(super) fn probe() -> Counters {
    let opened = open_cycles();
    Counters {
        cycles: Some(opened.is_ok()),
        errno: opened.err().and_then(|error| error.raw_os_error()),
        paranoid: crate::kernel_text::number("/proc/sys/kernel/perf_event_paranoid"),
    }
}

/// `struct perf_event_attr` of linux/perf_event.h in its first published form, PERF_ATTR_SIZE_VER0; libc has none.
#[repr(C)]
#[derive(Default)]
struct Attributes {
    kind: u32,
    size: u32,
    config: u64,
    sample_period: u64,
    sample_type: u64,
    read_format: u64,
    flags: u64,
    wakeup_events: u32,
    breakpoint_type: u32,
    breakpoint_address: u64,
}

const PERF_TYPE_HARDWARE: u32 = 0;
const PERF_COUNT_HW_CPU_CYCLES: u64 = 0;
/// Bits 0, 5 and 6: disabled, exclude_kernel, exclude_hv.
const FLAGS: u64 = 1 | 1 << 5 | 1 << 6;

fn open_cycles() -> io::Result<OwnedFd> {
    let attributes = Attributes {
        kind: PERF_TYPE_HARDWARE,
        size: size_of::<Attributes>() as u32,
        config: PERF_COUNT_HW_CPU_CYCLES,
        flags: FLAGS,
        ..Attributes::default()
    };
    let (this_process, any_cpu, no_group): (libc::pid_t, libc::c_int, libc::c_int) = (0, -1, -1);
    let flags: libc::c_ulong = 1 << 3; // PERF_FLAG_FD_CLOEXEC
    // SAFETY: the kernel reads `size` bytes from the pointer, which are all there, and writes nothing of ours.
    let opened = unsafe {
        libc::syscall(
            libc::SYS_perf_event_open,
            &raw const attributes,
            this_process,
            any_cpu,
            no_group,
            flags,
        )
    };
    match RawFd::try_from(opened) {
        // SAFETY: the system call has just made this descriptor, and nobody else knows it.
        Ok(descriptor) if descriptor >= 0 => Ok(unsafe { OwnedFd::from_raw_fd(descriptor) }),
        _ => Err(io::Error::last_os_error()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_a_counter_or_a_reason() {
        assert_eq!(size_of::<Attributes>(), 64);
        let counters = probe();
        assert_eq!(counters.cycles == Some(false), counters.errno.is_some());
    }
}
