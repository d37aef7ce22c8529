//! [`Sampling`]: events that take samples of where CPU time goes.

use std::io;
use std::os::fd::{AsRawFd, OwnedFd};

use super::attributes::{Attributes, CPU_CLOCK, CYCLES, HARDWARE, SOFTWARE, flag, sample};
use super::open::{Scope, open};

/// What makes a sample.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// Cycles of the CPU.
    Cycles,
    /// Nanoseconds of CPU time, by a timer: where there is no counter, as in most virtual machines.
    CpuClock,
}

/// Events that take samples: where the code is, the user's registers and the top of the user's stack. They also tell of threads
/// that begin and end, of names, and of files that are mapped to be executed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sampling {
    pub event: Event,
    /// Samples in a second of CPU time.
    pub hertz: u32,
    /// By the numbers of asm/perf_regs.h.
    pub user_registers: u64,
    /// How much of the user's stack is copied: a multiple of 8.
    pub stack_bytes: u32,
    /// Whether code of the kernel is observed too, with its calls.
    pub with_kernel: bool,
    /// Whether the kernel says which build of a file is mapped.
    pub with_build_ids: bool,
    /// Whether whatever a thread starts is observed, too.
    pub with_descendants: bool,
}

/// PERF_EVENT_IOC_SET_OUTPUT: `_IO('$', 5)`.
const SET_OUTPUT: libc::Ioctl = 0x2405;

impl Event {
    /// As perf calls it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Cycles => "cycles",
            Self::CpuClock => "cpu-clock",
        }
    }
}

impl Sampling {
    fn attributes(&self) -> Attributes {
        let (kind, config) = match self.event {
            Event::Cycles => (HARDWARE, CYCLES),
            Event::CpuClock => (SOFTWARE, CPU_CLOCK),
        };
        let always = flag::FREQ
            | flag::EXCLUDE_HYPERVISOR
            | flag::EXCLUDE_IDLE
            | flag::MMAP
            | flag::MMAP2
            | flag::COMM
            | flag::COMM_EXEC
            | flag::TASK
            | flag::SAMPLE_ID_ALL
            | flag::USE_CLOCK;
        let kernel = if self.with_kernel { flag::EXCLUDE_CALLCHAIN_USER } else { flag::EXCLUDE_KERNEL };
        let bit = |is_set, bit| if is_set { bit } else { 0 };
        let parts = sample::IP
            | sample::TID
            | sample::TIME
            | sample::PERIOD
            | sample::REGS_USER
            | sample::STACK_USER
            | bit(self.with_kernel, sample::CALLCHAIN);
        Attributes {
            sample_period: self.hertz.into(),
            sample_type: parts,
            flags: always
                | kernel
                | bit(self.with_build_ids, flag::BUILD_ID)
                | bit(self.with_descendants, flag::INHERIT),
            // Nobody is woken: rings are read at times of our own.
            wakeup_watermark: 0,
            sample_regs_user: self.user_registers,
            sample_stack_user: self.stack_bytes,
            clock: libc::CLOCK_MONOTONIC,
            ..Attributes::of(kind, config)
        }
    }

    /// The attributes as the kernel has them, for whoever reads the records.
    pub fn bytes(&self) -> Vec<u8> {
        let attributes = self.attributes();
        let length = size_of::<Attributes>();
        // SAFETY: the structure is of whole numbers without gaps, and lives until the bytes are copied.
        unsafe { std::slice::from_raw_parts((&raw const attributes).cast::<u8>(), length) }.to_vec()
    }

    /// Opens an event, which begins at once. With descendants it needs a CPU.
    ///
    /// # Errors
    /// What the kernel says: perf_event_open(2) has the list.
    pub fn open(&self, scope: Scope<'_>, cpu: Option<u32>) -> io::Result<OwnedFd> {
        open(&self.attributes(), scope, cpu)
    }

    /// Lets the records of an event go to the ring of another one of the same CPU.
    ///
    /// # Errors
    /// They are not of the same CPU.
    pub fn redirect(event: &OwnedFd, to: &OwnedFd) -> io::Result<()> {
        // SAFETY: both descriptors are open, and this request takes a descriptor and writes nothing.
        match unsafe { libc::ioctl(event.as_raw_fd(), SET_OUTPUT, to.as_raw_fd()) } {
            0 => Ok(()),
            _ => Err(io::Error::last_os_error()),
        }
    }
}
