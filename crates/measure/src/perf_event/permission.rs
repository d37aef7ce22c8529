//! What the system lets us observe.

use std::fs;

use crate::kernel_text::number;

/// CAP_SYS_ADMIN and CAP_PERFMON of linux/capability.h: either allows all of perf.
const EITHER: u64 = 1 << 21 | 1 << 38;

/// `kernel.perf_event_paranoid`: above 1 the kernel's own part is hidden, above 0 the whole machine, above 2 everything; none
/// where there is no such setting, and so no perf.
pub fn paranoid() -> Option<i32> {
    number("/proc/sys/kernel/perf_event_paranoid")
}

/// Whether this process may observe whatever runs here, by its capabilities.
pub fn may_observe_all() -> bool {
    fs::read_to_string("/proc/thread-self/status").is_ok_and(|status| has_either(&status))
}

fn has_either(status: &str) -> bool {
    let line = status.lines().find_map(|line| line.strip_prefix("CapEff:"));
    line.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).is_some_and(|mask| mask & EITHER != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn either_capability_will_do() {
        assert!(
            has_either("Name:\tx\nCapEff:\t0000004000000000\n") && has_either("CapEff:\t0000000000200000\n")
        );
        assert!(!has_either("CapEff:\t0000000000000000\n") && !has_either(""));
    }
}
