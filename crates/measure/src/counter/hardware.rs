//! The counters of the CPU, by perf_event_open(2): user space only, which needs the least permission of all.

use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{FromRawFd, OwnedFd, RawFd};

use super::error::CounterError;

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
/// PERF_COUNT_HW_CPU_CYCLES.
pub(crate) const CYCLES: u64 = 0;
/// PERF_COUNT_HW_INSTRUCTIONS.
pub(crate) const INSTRUCTIONS: u64 = 1;
/// PERF_FORMAT_TOTAL_TIME_ENABLED and _RUNNING: they differ where the counter was shared with others.
const TIMES: u64 = 1 | 1 << 1;
/// Bits 2, 5 and 6: pinned, exclude_kernel, exclude_hv. A pinned counter counts all the time or not at all.
const FLAGS: u64 = 1 << 2 | 1 << 5 | 1 << 6;

/// Opens a counter of the calling thread, which begins to count.
pub(crate) fn open(event: u64) -> io::Result<OwnedFd> {
    let attributes = Attributes {
        kind: PERF_TYPE_HARDWARE,
        size: size_of::<Attributes>() as u32,
        config: event,
        read_format: TIMES,
        flags: FLAGS,
        ..Attributes::default()
    };
    let (this_thread, any_cpu, no_group): (libc::pid_t, libc::c_int, libc::c_int) = (0, -1, -1);
    let flags: libc::c_ulong = 1 << 3; // PERF_FLAG_FD_CLOEXEC
    // SAFETY: the kernel reads `size` bytes from the pointer, which are all there, and writes nothing of ours.
    let opened = unsafe {
        libc::syscall(libc::SYS_perf_event_open, &raw const attributes, this_thread, any_cpu, no_group, flags)
    };
    match RawFd::try_from(opened) {
        // SAFETY: the system call has just made this descriptor, and nobody else knows it.
        Ok(descriptor) if descriptor >= 0 => Ok(unsafe { OwnedFd::from_raw_fd(descriptor) }),
        _ => Err(io::Error::last_os_error()),
    }
}

#[derive(Debug)]
pub(super) struct Hardware {
    counter: File,
    last: u64,
}

impl Hardware {
    pub(super) fn start() -> Result<Self, CounterError> {
        let counter = open(INSTRUCTIONS).map_err(CounterError::None)?.into();
        let mut started = Self { counter, last: 0 };
        started.lap()?;
        Ok(started)
    }

    pub(super) fn lap(&mut self) -> Result<u64, CounterError> {
        let mut reading = [0; 24];
        match self.counter.read(&mut reading).map_err(CounterError::Hardware)? {
            // The end of the file: a pinned counter that found no room.
            0 => return Err(CounterError::Preempted),
            24 => {}
            _ => return Err(CounterError::Hardware(io::ErrorKind::UnexpectedEof.into())),
        }
        let [now, enabled, running] = split(reading);
        if running != enabled {
            return Err(CounterError::Preempted);
        }
        let lap = now.saturating_sub(self.last);
        self.last = now;
        Ok(lap)
    }
}

/// The value, and how long the counter was wanted and did count.
fn split(reading: [u8; 24]) -> [u64; 3] {
    let (numbers, _) = reading.as_chunks::<8>();
    [0, 1, 2].map(|at| u64::from_ne_bytes(numbers[at]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reading_is_three_numbers() {
        assert_eq!(size_of::<Attributes>(), 64);
        let mut reading = [0; 24];
        for (at, number) in [7_u64, 9, 11].into_iter().enumerate() {
            reading[at * 8..][..8].copy_from_slice(&number.to_ne_bytes());
        }
        assert_eq!(split(reading), [7, 9, 11]);
    }

    #[test]
    fn a_file_that_has_ended_is_no_counter() {
        let mut nothing = Hardware { counter: File::open("/dev/null").unwrap(), last: 0 };
        assert!(matches!(nothing.lap(), Err(CounterError::Preempted)));
    }
}
