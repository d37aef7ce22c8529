//! Whether this user can count CPU cycles.

use tlstax_spec::Counters;

use crate::counter::open;
use crate::perf_event::CYCLES;

/// Tries to count the cycles of our own process in user space, which needs the least permission of all.
pub(super) fn probe() -> Counters {
    let opened = open(CYCLES);
    Counters {
        cycles: Some(opened.is_ok()),
        errno: opened.err().and_then(|error| error.raw_os_error()),
        paranoid: crate::kernel_text::number("/proc/sys/kernel/perf_event_paranoid"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_a_counter_or_a_reason() {
        let counters = probe();
        assert_eq!(counters.cycles == Some(false), counters.errno.is_some());
    }
}
