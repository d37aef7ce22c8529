//! [`Attributes`]: what the kernel is asked for.

/// `struct perf_event_attr` of linux/perf_event.h up to PERF_ATTR_SIZE_VER5 (Linux 4.1); libc has none.
#[repr(C)]
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Attributes {
    pub(crate) kind: u32,
    /// Of this structure: the kernel takes what is behind it for zeros.
    pub(crate) size: u32,
    pub(crate) config: u64,
    /// The period, or with [`flag::FREQ`] the frequency.
    pub(crate) sample_period: u64,
    pub(crate) sample_type: u64,
    pub(crate) read_format: u64,
    pub(crate) flags: u64,
    pub(crate) wakeup_watermark: u32,
    pub(crate) breakpoint_type: u32,
    pub(crate) config1: u64,
    pub(crate) config2: u64,
    pub(crate) branch_sample_type: u64,
    pub(crate) sample_regs_user: u64,
    pub(crate) sample_stack_user: u32,
    pub(crate) clock: i32,
    pub(crate) sample_regs_intr: u64,
    pub(crate) aux_watermark: u32,
    pub(crate) sample_max_stack: u16,
    pub(crate) reserved: u16,
}

/// PERF_TYPE_HARDWARE.
pub(crate) const HARDWARE: u32 = 0;
/// PERF_TYPE_SOFTWARE.
pub(crate) const SOFTWARE: u32 = 1;

/// PERF_COUNT_HW_CPU_CYCLES.
pub(crate) const CYCLES: u64 = 0;
/// PERF_COUNT_HW_INSTRUCTIONS.
pub(crate) const INSTRUCTIONS: u64 = 1;
/// PERF_COUNT_SW_CPU_CLOCK.
pub(crate) const CPU_CLOCK: u64 = 0;

/// Bits of the flags, in the order of linux/perf_event.h.
pub(crate) mod flag {
    pub(crate) const INHERIT: u64 = 1 << 1;
    /// Counts all the time or not at all.
    pub(crate) const PINNED: u64 = 1 << 2;
    pub(crate) const EXCLUDE_KERNEL: u64 = 1 << 5;
    pub(crate) const EXCLUDE_HYPERVISOR: u64 = 1 << 6;
    pub(crate) const EXCLUDE_IDLE: u64 = 1 << 7;
    pub(crate) const MMAP: u64 = 1 << 8;
    pub(crate) const COMM: u64 = 1 << 9;
    pub(crate) const FREQ: u64 = 1 << 10;
    /// Beginnings and ends of threads.
    pub(crate) const TASK: u64 = 1 << 13;
    pub(crate) const SAMPLE_ID_ALL: u64 = 1 << 18;
    pub(crate) const EXCLUDE_CALLCHAIN_USER: u64 = 1 << 22;
    pub(crate) const MMAP2: u64 = 1 << 23;
    pub(crate) const COMM_EXEC: u64 = 1 << 24;
    pub(crate) const USE_CLOCK: u64 = 1 << 25;
    /// Build ids in place of inodes, since Linux 5.12.
    pub(crate) const BUILD_ID: u64 = 1 << 34;
}

/// Bits of what a sample has, PERF_SAMPLE_*.
pub(crate) mod sample {
    pub(crate) const IP: u64 = 1;
    pub(crate) const TID: u64 = 1 << 1;
    pub(crate) const TIME: u64 = 1 << 2;
    pub(crate) const CALLCHAIN: u64 = 1 << 5;
    pub(crate) const PERIOD: u64 = 1 << 8;
    pub(crate) const REGS_USER: u64 = 1 << 12;
    pub(crate) const STACK_USER: u64 = 1 << 13;
}

impl Attributes {
    pub(crate) fn of(kind: u32, config: u64) -> Self {
        // 112 bytes.
        Self { kind, size: size_of::<Self>() as u32, config, ..Self::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_layout_is_that_of_the_kernel() {
        assert_eq!(size_of::<Attributes>(), 112);
        assert_eq!(std::mem::offset_of!(Attributes, sample_regs_user), 80);
        assert_eq!(std::mem::offset_of!(Attributes, clock), 92);
    }
}
